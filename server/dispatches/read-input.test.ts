import type { HookInput } from "@quarterdeck/hooks";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asAppError } from "../errors/app-error.ts";
import { readComposedInput, readInput } from "./read-input.ts";

/** The reading, or the code and pointer of the refusal. */
async function outcomeOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (error) {
    const { code, options } = asAppError(error);
    return { code, pointer: options.pointer, says: options.says };
  }
}

/** Composed inputs are read as their print is. */
async function expectSame(input: HookInput): Promise<void> {
  const printed = readInput("agent", { body: printExactJson(input), isEnveloped: false });
  expect(await outcomeOf(readComposedInput("agent", input))).toStrictEqual(await outcomeOf(printed));
}

const oddNumber = fc.constantFrom(
  ...[-0, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e16, 12345678901234567000, 2 ** 53 + 2, Number.MIN_VALUE],
);
const oddText = fc.constantFrom("", "\ud800", "\u2028", "1e999", "__proto__");
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.jsonValue({ maxDepth: 2 }),
    oddNumber,
    oddText,
    fc.constant(undefined),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }).map((big) => parseExactJson(String(big))),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.string(), oddText), tie("any"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

describe("an input that is composed of parsed values", () => {
  test("is read as its text would be", async () => {
    const fields = ["session_id", "tool_name", "tool_input", "tool_use_id", "ext", "cwd", "usage", "cost", "__proto__"];
    const input = fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), value, {
      maxKeys: 5,
      noNullPrototype: true,
    });
    await fc.assert(fc.asyncProperty(input, (composed) => expectSame(composed as HookInput)));
  });

  test("keeps its value where that is so, and is parsed again where it is not", async () => {
    const plain: HookInput = { session_id: "s", tool_input: { n: 1, of: [true, null, "text"] } };
    expect((await readComposedInput("agent", plain)).input).toBe(plain);
    const odd: HookInput = { session_id: "s", tool_input: { n: -0, of: [undefined, Number.POSITIVE_INFINITY] } };
    expect((await readComposedInput("agent", odd)).input).toStrictEqual({
      session_id: "s",
      tool_input: { n: 0, of: [null, null] },
    });
  });

  test.each<[string, unknown]>([
    ["too deep", JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`)],
    ["an object with too many keys", Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`k${at}`, at]))],
    ["large", "x".repeat(100_000)],
  ])("is refused or read as its text is when it is %s", async (_, odd) => {
    await expectSame({ session_id: "s", tool_name: "shell", tool_input: { odd } });
  });
});
