/** Integers keep their digits between a text and the next one; all else is as JSON.parse and JSON.stringify have it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson, printExactJson } from "./exact-json.ts";

describe("what is read and printed again", () => {
  it.each([
    '{"id":9007199254740993}',
    '{"id":-9007199254740993,"ids":[18446744073709551615,340282366920938463463374607431768211456]}',
    '{"text":"9007199254740993","quoted":"\\"9007199254740993","after":9007199254740995}',
    '{"__proto__":9007199254740993,"9007199254740993":1}',
    '[1,2.5,-3,true,null,"x",{}]',
    "9007199254740993",
  ])("is the same text: %s", (text) => {
    expect(printExactJson(parseExactJson(text))).toBe(text);
  });

  it("is the same value for any JSON of JavaScript's own", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(parseExactJson(text)).toEqual(value);
        expect(printExactJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe("a number", () => {
  it.each([
    ["2.50000000000000000001", 2.5],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["1e20", 1e20],
    [`1${"0".repeat(1_200)}`, Number.POSITIVE_INFINITY],
  ])("that is no long integer is read as before: %s", (text, value) => {
    expect(parseExactJson(text)).toBe(value);
  });

  it("beyond 2^53 is a bigint, unless a number has the same digits", () => {
    expect(parseExactJson('{"a":[9007199254740993,9007199254740992]}')).toEqual({
      a: [9007199254740993n, 9007199254740992],
    });
  });

  it("that JSON does not know is refused as before", () => {
    expect(() => parseExactJson('{"a":09007199254740993}')).toThrow(SyntaxError);
  });
});

it("a text that looks like a long integer stays a text", () => {
  const value = { a: "9007199254740993", b: 9007199254740993n };
  expect(printExactJson(value)).toBe('{"a":"9007199254740993","b":9007199254740993}');
});

it("JSON.stringify prints a bigint as the nearest number, for excerpts and digests", () => {
  expect(JSON.stringify({ a: 9007199254740993n })).toBe('{"a":9007199254740992}');
});
