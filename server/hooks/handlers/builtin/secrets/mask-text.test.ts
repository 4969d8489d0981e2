import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskText } from "./mask-text.ts";
import { REDACTED, redactValue } from "./redact.ts";
import { an, SAMPLES } from "./samples.ts";

const TOKEN = ["gh", "p_", an(36)].join("");

it("touches nothing but the secret: digits, spacing, escapes and the order of keys stay", () => {
  const before = '{ "cost":0.10000000000000000001 ,\t"b": "caf\\u00e9 \\/", "a" : [1e400, ';
  expect(maskText(`${before}"x ${TOKEN}"], "a": null }`)).toBe(`${before}"x ${REDACTED}"], "a": null }`);
});

it("finds a secret however its characters are escaped", () => {
  const escaped = [...TOKEN].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  expect(maskText(`{"a":"say \\"${escaped}\\"\\n"}`)).toBe(`{"a":"say \\"${REDACTED}\\"\\n"}`);
});

it("keeps JSON inside a string JSON", () => {
  const inner = JSON.stringify({ key: TOKEN, url: `redis://:${an(9)}@h`, deep: JSON.stringify({ again: TOKEN }) });
  const { tool_response } = JSON.parse(maskText(JSON.stringify({ tool_response: inner })));
  const { key, url, deep } = JSON.parse(tool_response);
  expect([key, url, JSON.parse(deep)]).toEqual([REDACTED, `redis://:${REDACTED}@h`, { again: REDACTED }]);
});

it("leaves keys and a text without secrets as they are", () => {
  const json = JSON.stringify({ [TOKEN]: "x", text: 'nothing "here"', n: 1.5 });
  expect(maskText(json)).toBe(json);
});

describe("whatever the input", () => {
  const leaf = fc.oneof(
    fc.constantFrom(...SAMPLES).map(({ before, secret, after }) => before + secret + after),
    fc.string({ unit: "grapheme" }),
    fc.double(),
    fc.constantFrom(null, true, "\ud800", "\u0000"),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie("tree"), { maxKeys: 4 }),
    ),
  }));

  it("stays JSON of the same shape, with the same strings as redacted one by one", () => {
    fc.assert(
      fc.property(fc.record({ input: tree }), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const masked = maskText(JSON.stringify(parsed, null, indent));
        expect(JSON.parse(masked)).toEqual(redactValue(parsed));
        expect(maskText(masked)).toBe(masked);
      }),
      { numRuns: 500 },
    );
  });
});
