import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyInShape, inertText } from "./shapes.ts";

const URL_OF_REQUEST = "https://quarterdeck.example/approvals#QD-7";
const TEXTS = ["agentName", "tool", "session", "cwd", "reason", "risk", "words", "input"] as const;

function bodyWith(texts: Readonly<Record<string, string>>, type = "approval.requested"): string {
  const own = { number: 7, count: 1, state: "pending", url: URL_OF_REQUEST, peopleNeeded: 2, isWaiting: true };
  const data = { ...own, expiresAt: "2026-11-26T12:00:00Z", ...texts };
  return JSON.stringify({ type, timestamp: "2026-11-26T11:00:00Z", workspace: "w", data });
}

/** Texts that would be markup, mentions or links, between any others. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "<!channel>",
          "<@U012AB3CD>",
          "<https://evil.example|Approve>",
          "@here",
          "#general",
          "[Approve](https://evil.example)",
        ],
        ...[
          "<at>Ada</at>",
          "https://evil.example",
          "evil.example",
          "mailto:a@evil.example",
          "*bold*",
          ":smile:",
          "&lt;!here&gt;",
        ],
        ...["\u202Ecod", "\u0000", "\n# heading", "`code`"],
      ),
      fc.string({ unit: "binary", maxLength: 30 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(" "));
const texts = fc.record(Object.fromEntries(TEXTS.map((name) => [name, hostile])));

/** Every object of a message, from the outside in. */
function objectsOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsOf);
  if (typeof value !== "object" || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsOf)];
}
const typed = (objects: readonly Record<string, unknown>[], type: string) => objects.filter((one) => one.type === type);
/** A domain, a scheme, an address or a mention that a client would make something of. */
const LINKED = /[.:@/#][^\s\u2060]/;

describe("a message for Slack", () => {
  it("has the texts of a call in plain text alone, and one link: ours", () => {
    fc.assert(
      fc.property(texts, (made) => {
        const message = JSON.parse(bodyInShape("slack", bodyWith(made)));
        const objects = objectsOf(message.blocks);
        expect(typed(objects, "mrkdwn")).toEqual([]);
        expect(objects.flatMap(({ url }) => (url === undefined ? [] : [url]))).toEqual([URL_OF_REQUEST]);
        expect(message.text).toBe("QD-7: an agent waits");
        for (const { text, emoji } of typed(objects, "plain_text")) {
          expect(emoji).toBe(false);
          expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
          expect(String(text).length).toBeLessThanOrEqual(3_000);
          if (!String(text).startsWith("QD-7: ")) expect(text).not.toMatch(LINKED);
        }
      }),
    );
  });
});

describe("a message for Teams", () => {
  it("has every text in a run, which is no Markdown, and mentions nobody", () => {
    fc.assert(
      fc.property(texts, (made) => {
        const [attachment] = JSON.parse(bodyInShape("teams", bodyWith(made))).attachments;
        const objects = objectsOf(attachment.content);
        expect(typed(objects, "TextBlock")).toEqual([]);
        expect(attachment.content.msteams).toBeUndefined();
        expect(objects.flatMap(({ url }) => (url === undefined ? [] : [url]))).toEqual([URL_OF_REQUEST]);
        const runs = typed(objects, "TextRun").map(({ text }) => String(text));
        for (const text of runs.slice(1)) expect(text.replace(/: $/, "")).not.toMatch(LINKED);
      }),
    );
  });
});

it("a text is one line, cut, and without what turns its direction", () => {
  expect(inertText("a\nb\u202E\u0000c", 100)).toBe("a b c");
  expect(inertText("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`);
});

it("says what happened: a title, a count, and what nobody has to guess", () => {
  const said = (type: string, texts: object, data: object = {}) => {
    const body = JSON.parse(
      bodyWith(
        { agentName: "a", tool: "t", session: "s", cwd: "", reason: "r", risk: "", words: "", input: "{}" },
        type,
      ),
    );
    return JSON.parse(bodyInShape("slack", JSON.stringify({ ...body, data: { ...body.data, ...texts, ...data } })))
      .text;
  };
  expect(said("approval.answered", { state: "approved" })).toBe("QD-7 was allowed");
  expect(said("approval.answered", { state: "denied" })).toBe("QD-7 was denied");
  expect(said("approval.lapsed", { state: "lapsed", count: 3 })).toBe(
    "QD-7 was not answered in time, so it was denied (3 equal calls)",
  );
});

it("other kinds and tests have a title of their own, and the same body as ever in our shape", () => {
  const body = JSON.stringify({
    type: "policy.published",
    timestamp: "t",
    workspace: "w",
    data: { by: "<!here>", revision: 3 },
  });
  expect(bodyInShape("json", body)).toBe(body);
  expect(JSON.parse(bodyInShape("slack", body)).text).toBe("A policy was published or rolled back");
  const tested = bodyInShape(
    "teams",
    JSON.stringify({ type: "test", timestamp: "t", workspace: "w", data: { by: "ada" } }),
  );
  expect(tested).toContain("A test from Quarterdeck");
});
