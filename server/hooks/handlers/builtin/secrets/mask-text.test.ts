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

it("leaves a text without secrets as it is", () => {
  const json = JSON.stringify({ key: "x", text: 'nothing "here"', n: 1.5 });
  expect(maskText(json)).toBe(json);
});

describe("keys", () => {
  const other = ["gh", "p_", an(35), "Z"].join("");
  const escaped = `\\u0067${TOKEN.slice(1)}`;
  it.each([
    ["at the top", `{"${TOKEN}": 1}`, `{"${REDACTED}": 1}`],
    ["in an object of a list", `[{"a":[{"${TOKEN}":1}]}]`, `[{"a":[{"${REDACTED}":1}]}]`],
    ["escaped, before a blank", `{"${escaped}" : 1}`, `{"${REDACTED}" : 1}`],
    ["with words around", `{"use ${TOKEN} now":1}`, `{"use ${REDACTED} now":1}`],
    ["that become equal", `{"${TOKEN}":1,"${other}":2}`, `{"${REDACTED}":1,"${REDACTED} 2":2}`],
    ["equal already", `{"${TOKEN}":1,"${TOKEN}":2}`, `{"${REDACTED}":1,"${REDACTED}":2}`],
    ["beside a marker", `{"${TOKEN}":1,"${REDACTED}":2}`, `{"${REDACTED} 2":1,"${REDACTED}":2}`],
    ["of two objects", `[{"${TOKEN}":1},{"${other}":2}]`, `[{"${REDACTED}":1},{"${REDACTED}":2}]`],
    ["around an object with its own", `{"${TOKEN}":{"${other}":1}}`, `{"${REDACTED}":{"${REDACTED}":1}}`],
    ["with a secret value", `{"${TOKEN}":"${other}"}`, `{"${REDACTED}":"${REDACTED}"}`],
    ["after braces in a string", `{"a":"}{[","${TOKEN}":1}`, `{"a":"}{[","${REDACTED}":1}`],
  ])("%s are masked", (_, json, safe) => {
    expect(maskText(json)).toBe(safe);
    expect(maskText(safe)).toBe(safe);
  });

  it("of many thousands are masked in linear time, and stay apart", () => {
    const keys = Array.from({ length: 2_000 }, (_, number) =>
      ["gh", "p_", an(30), String(number).padStart(6, "0")].join(""),
    );
    const safe = JSON.parse(maskText(JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])))));
    expect(Object.keys(safe)).toHaveLength(2_000);
    expect(JSON.stringify(safe)).not.toMatch(/gh[p]_/);
  });
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
