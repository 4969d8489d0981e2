import { describe, expect, test } from "vitest";
import { type Heard, heardText, positionText, readHeard } from "../access/heard-schema.ts";
import { type AnswerLimits, createRecentAnswers, estimateBytes } from "./recent-answers.ts";

const NODE = "0199a000-0000-7000-8000-000000000001";
const OTHER = "0199a000-0000-7000-8000-000000000002";
const heard = (sequence: number, changedAgoMs: number | null = null, node = NODE): Heard => ({
  node,
  sequence,
  changedAgoMs,
});
const at = (sequence: number) => ({ node: NODE, sequence });

type Answer = { readonly text: string } | null;
function world(limits?: AnswerLimits) {
  let nowMs = 1_000;
  const answers = createRecentAnswers<Answer>({
    measured: (answer) => answer ?? undefined,
    nowMs: () => nowMs,
    ...(limits && { limits }),
  });
  return {
    answers,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Keeps an answer that is complete. */
    async keep(question: string, sequence: number, answer: Answer) {
      const given = Promise.resolve(answer);
      answers.keep(question, at(sequence), given);
      await given;
    },
  };
}

describe("a recent answer", () => {
  test("serves viewers that have heard of no later change, while it is under way too", async () => {
    const { answers } = world();
    const given = Promise.resolve<Answer>({ text: "7" });
    answers.keep("q", at(7), given);
    expect(answers.find("q", heard(7))).toBe(given);
    await given;
    expect(answers.find("q", heard(6))).toBe(given);
    expect(answers.find("q", heard(8))).toBeNull();
    expect(answers.find("other", heard(7))).toBeNull();
  });

  test("serves no viewer of another process, whose changes have other numbers", async () => {
    const { answers, keep } = world();
    await keep("q", 7, { text: "7" });
    expect(answers.find("q", heard(1, null, OTHER))).toBeNull();
  });

  test("serves a viewer that changed something only if it began after that", async () => {
    const { answers, keep, pass } = world();
    await keep("q", 7, { text: "7" });
    pass(100);
    expect(answers.find("q", heard(7, 100))).toBeNull();
    expect(answers.find("q", heard(7, 99))).toBeNull();
    expect(answers.find("q", heard(7, 101))).not.toBeNull();
  });

  test("is too old after two seconds, for changes that are not announced", async () => {
    const { answers, keep, pass } = world();
    await keep("q", 7, { text: "7" });
    pass(2_000);
    expect(answers.find("q", heard(7))).not.toBeNull();
    pass(1);
    expect(answers.find("q", heard(7))).toBeNull();
  });

  test("is replaced by the next one", async () => {
    const { answers, keep } = world();
    await keep("q", 7, { text: "7" });
    await keep("q", 8, { text: "8" });
    expect(await answers.find("q", heard(7))).toEqual({ text: "8" });
    expect(answers.size().answers).toBe(1);
  });

  test("is not kept when it failed", async () => {
    const { answers, keep } = world();
    await keep("q", 7, null);
    expect(answers.find("q", heard(7))).toBeNull();
    const failed = Promise.reject(new Error("away"));
    answers.keep("q", at(7), failed);
    await failed.catch(() => undefined);
    expect(answers.find("q", heard(7))).toBeNull();
    expect(answers.size()).toEqual({ answers: 0, bytes: 0 });
  });
});

describe("the memory of answers", () => {
  const limits = { answersMax: 3, bytesMax: 4_000, answerBytesMax: 2_000 };

  test("holds a number of answers, the newest", async () => {
    const { answers, keep } = world(limits);
    for (let index = 0; index < 500; index += 1) await keep(`q${index}`, 7, { text: "" });
    expect(answers.size().answers).toBe(3);
    expect(answers.find("q499", heard(7))).not.toBeNull();
    expect(answers.find("q0", heard(7))).toBeNull();
  });

  test("holds a number of bytes, and no answer above its own limit", async () => {
    const { answers, keep } = world(limits);
    await keep("large", 7, { text: "x".repeat(1_000) });
    expect(answers.find("large", heard(7))).toBeNull();
    for (let index = 0; index < 10; index += 1) await keep(`q${index}`, 7, { text: "x".repeat(900) });
    expect(answers.size().answers).toBe(2);
    expect(answers.size().bytes).toBeLessThanOrEqual(limits.bytesMax);
    expect(answers.find("q9", heard(7))).not.toBeNull();
  });

  test("is empty again after the answers are too old", async () => {
    const { answers, keep, pass } = world();
    await keep("a", 7, { text: "a" });
    await keep("b", 7, { text: "b" });
    pass(2_001);
    await keep("c", 8, { text: "" });
    expect(answers.size()).toEqual({ answers: 1, bytes: estimateBytes({ text: "" }, 1_000) });
  });

  test("estimates no more of a value than its limit", () => {
    expect(estimateBytes({ text: "abc" }, 1_000)).toBe(70);
    const wide = { rows: Array.from({ length: 100_000 }, () => "row") };
    expect(estimateBytes(wide, 10_000)).toBeNull();
  });
});

describe("the header", () => {
  test("carries the position and the time since the viewer's own change", () => {
    const position = positionText({ node: NODE, sequence: 12 });
    expect(readHeard(heardText(position, null))).toEqual(heard(12));
    expect(readHeard(heardText(position, 12.9))).toEqual(heard(12, 12));
  });

  test.each([undefined, "", "x", `${NODE}.`, `${NODE}.-1`, `${NODE}.1 `, `${NODE}.1e3`, `${NODE}.${"1".repeat(90)}`])(
    "of another form gives the query an answer of its own: %s",
    (value) => expect(readHeard(value)).toBeNull(),
  );
});
