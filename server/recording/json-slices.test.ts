import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elementSources, memberSources } from "./json-slices.ts";

const blank = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 });

/** JSON text of any value, with blanks and escapes wherever JSON allows them. */
const { value: json } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom("null", "true", "false", "0", "-0", "1e5", "-1.25E-7", "123456789012345678901234567890", "0.1000"),
    fc.string({ unit: "binary", maxLength: 12 }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\u0041"', '"\\\\"', '"\\""', '"]},{["', '"\\/"', '"a\\\\\\"b"'),
    tie("array"),
    tie("object"),
  ),
  array: fc
    .array(
      fc.tuple(blank, tie("value"), blank).map((parts) => parts.join("")),
      { maxLength: 4 },
    )
    .map((parts) => `[${parts.length === 0 ? " " : parts.join(",")}]`),
  object: fc
    .array(
      fc
        .tuple(blank, fc.string({ unit: "binary", maxLength: 6 }), blank, blank, tie("value"), blank)
        .map(([a, key, b, c, value, d]) => `${a}${JSON.stringify(key)}${b}:${c}${value}${d}`),
      { maxLength: 4 },
    )
    .map((parts) => `{${parts.length === 0 ? "\n" : parts.join(",")}}`),
}));
const around = (text: fc.Arbitrary<string>) => fc.tuple(blank, text, blank).map((parts) => parts.join(""));

describe("slices of JSON text", () => {
  test("each element parses to what the whole array holds there", () => {
    fc.assert(
      fc.property(
        around(
          fc
            .array(
              fc.tuple(blank, json, blank).map((p) => p.join("")),
              { maxLength: 5 },
            )
            .map((p) => `[${p.join(",")}]`),
        ),
        (text) => {
          expect(elementSources(text).map((slice) => JSON.parse(slice))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("each member parses to what the whole object holds there, the last of a repeated key", () => {
    const keys = fc.oneof(
      fc.constantFrom('"a"', '"\\u0061"', '"cost"', '"__proto__"', '""'),
      fc.string({ unit: "binary", maxLength: 4 }).map((key) => JSON.stringify(key)),
    );
    const member = fc
      .tuple(blank, keys, blank, blank, json, blank)
      .map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`);
    const object = fc.array(member, { maxLength: 6 }).map((parts) => `{${parts.join(",")}}`);
    fc.assert(
      fc.property(around(object), (text) => {
        const slices = [...memberSources(text)].map(([key, slice]) => [key, JSON.parse(slice)] as const);
        const whole: object = JSON.parse(text);
        expect(new Map(slices)).toEqual(new Map(Object.entries(whole)));
      }),
      { numRuns: 500 },
    );
  });

  test("a slice is the text itself: digits, escapes and blanks inside it are kept", () => {
    const text = ' { "cost" : 0.0052101000000000005 , "input" : {"a": [ 1.0, "\\u00e9\\"" ] } , "cost":1.10 } ';
    expect(Object.fromEntries(memberSources(text))).toEqual({ cost: "1.10", input: '{"a": [ 1.0, "\\u00e9\\"" ] }' });
    expect(elementSources('[1.10,\n-0 , "]", [ ]]')).toEqual(["1.10", "-0", '"]"', "[ ]"]);
  });

  test("deep and wide texts are cut in time that grows with their length", () => {
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)},"b":${JSON.stringify("\\".repeat(500_000))}}`;
    const slices = memberSources(deep);
    expect([slices.get("a")?.length, slices.get("b")?.length]).toEqual([400_000, 1_000_002]);
  });
});
