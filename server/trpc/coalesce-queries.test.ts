import { expect, test } from "vitest";
import { createQueryCoalescer, questionText } from "./coalesce-queries.ts";

/** Answers when it is let; each says its number. */
function askable() {
  const together = createQueryCoalescer<number>();
  const open: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const ask = (question: string) =>
    together(question, () => new Promise<number>((resolve, reject) => open.push({ resolve, reject })));
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { ask, open, settled };
}

test("what is asked while an answer is made is answered by the next one, all of it by one", async () => {
  const { ask, open, settled } = askable();
  const first = ask("q");
  const others = [ask("q"), ask("q"), ask("q")];
  expect(open).toHaveLength(1);
  open[0]?.resolve(1);
  expect(await first).toBe(1);
  await settled();
  expect(open).toHaveLength(2);
  const late = ask("q");
  open[1]?.resolve(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  await settled();
  open[2]?.resolve(3);
  expect(await late).toBe(3);
  await settled();
  const anew = ask("q");
  expect(open).toHaveLength(4);
  open[3]?.resolve(4);
  expect(await anew).toBe(4);
});

test("other questions wait for nothing", () => {
  const { ask, open } = askable();
  void ask("a");
  void ask("b");
  expect(open).toHaveLength(2);
});

test("a failure is told to those who asked for that answer, and the next is made all the same", async () => {
  const { ask, open, settled } = askable();
  const first = ask("q");
  const second = ask("q");
  open[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await settled();
  open[1]?.resolve(2);
  expect(await second).toBe(2);
});

test("a question's text is its own, whatever it holds, and what has none is answered alone", () => {
  const at = new Date(5);
  const inputs = [
    undefined,
    null,
    {},
    { a: undefined },
    { a: null },
    { a: at },
    { a: at.toISOString() },
    { a: 5n },
    { a: "5" },
  ];
  const texts = [...inputs, JSON.parse('{"__proto__":{"a":1}}'), { constructor: { prototype: {} }, toString: 1 }].map(
    questionText,
  );
  expect(new Set(texts).size).toBe(texts.length);
  expect(questionText({ a: new Date(5), b: [1] })).toBe(questionText({ a: at, b: [1] }));
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(questionText(deep)).toBeNull();
});
