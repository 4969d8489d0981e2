import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HookInput } from "../../contract/input.ts";
import { topLevelFields } from "./json-text.ts";
import { transformJson } from "./transform-json.ts";

const signal = new AbortController().signal;
const base = { lane: "default", profile: "2026-11", env: {}, signal } as const;
async function kept(tool_response: unknown, args: readonly string[], more: HookInput = {}) {
  const call = { ...base, event: "tool_response_transform", input: { tool_response, ...more }, args } as const;
  return (await transformJson.run(call))?.hook_specific_output?.updated_tool_response;
}

describe("the fields that are kept", () => {
  it.each([
    ['{"b":1,"a":{"x":[1,{"y":null}]},"c":0}', ["c", "a"], '{"a":{"x":[1,{"y":null}]},"c":0}'],
    [
      ' {\n "n" : 1e400 , "m":-0.0,"k":00e }'.replace("00e", "1.50E+2"),
      ["n", "m", "k"],
      '{"k":1.50E+2,"m":-0.0,"n":1e400}',
    ],
    ['{"id":123456789012345678901234567890}', ["id"], '{"id":123456789012345678901234567890}'],
    ['{"t":"a \\u00e9 \\" , } : b  c"}', ["t"], '{"t":"a \\u00e9 \\" , } : b  c"}'],
    ['{"t":"<a href=\\"x\\">&</a>"}', ["t"], '{"t":"\\u003ca href=\\"x\\"\\u003e\\u0026\\u003c/a\\u003e"}'],
    ['{"a":1,"a":2,"a":3}', ["a"], '{"a":3}'],
    ['{"a.b":1,"a":{"b":2}}', ["a.b"], '{"a.b":1}'],
    ['{"__proto__":1,"constructor":2}', ["__proto__", "toString"], '{"__proto__":1}'],
    ['{"\\u0061":1}', ["a"], '{"a":1}'],
    ['{"\uff5e":1,"\u{10000}":2}', ["\u{10000}", "\uff5e"], '{"\uff5e":1,"\u{10000}":2}'],
    ["{}", ["a"], "{}"],
  ])("%s with %j", async (text, args, expected) => expect(await kept(text, args)).toBe(expected));

  it("are the same values as before, for any object", async () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(object, fc.nat(2), async (value, indent) => {
        const names = Object.keys(value);
        const text = (await kept(JSON.stringify(value, null, indent), [...names, "zz"])) ?? "";
        if (names.length > 0) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

it.each([
  undefined,
  null,
  7,
  {},
  [],
  "",
  "x",
  "null",
  "[1]",
  '"a"',
  "{} {}",
  '{"a":1}}',
  '{"a":1,}',
  "{'a':1}",
  "\ufeff{}",
])("%j is no object", async (answer) => {
  await expect(kept(answer, ["a"])).rejects.toThrow(/^transform_json: /);
});

it("says nothing elsewhere, about a tool that failed, and without names", async () => {
  expect(await kept("x", [])).toBeUndefined();
  expect(await kept("x", ["a"], { tool_error: true })).toBeUndefined();
  expect(transformJson.run({ ...base, event: "post_tool_use", input: { tool_response: "x" }, args: ["a"] })).toBeNull();
});

it("takes an answer of 4 MiB, and refuses one nested deeper than Go reads", async () => {
  const many = `{"list":[${"1,".repeat(2_000_000)}1],"x":"${'\\\\\\"'.repeat(200_000)}"}`;
  expect(await kept(many, ["list"])).toHaveLength(4_000_001 + '{"list":[]}'.length);
  const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(topLevelFields(nested(9_999)).get("a")).toHaveLength(19_998);
  await expect(kept(nested(10_000), ["a"])).rejects.toThrow("exceeded max depth");
});
