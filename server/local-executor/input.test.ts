import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readInput } from "./input.ts";

const read = (text: string) => readInput(Readable.from([Buffer.from(text)]));

it.each([
  ['{"tool_name":"shell "}', /begins or ends in a blank/],
  ['{"tool_name":"sh\\u200bell"}', /does not show/],
  ['{"tool_name":"shell","tool_name":"read"}', /"tool_name" is there twice/],
  ['{"tool_input":{"cmd":"rm","c\\u006dd":"ls"}}', /"cmd" is there twice/],
  ["[]", /not a JSON object/],
])("%s is refused", async (text, says) => {
  await expect(read(text)).rejects.toThrow(says);
});

it("a call that can be read in one way is read", async () => {
  const text = '{"tool_name":"mcp__a__b","tool_input":{"a":{"x":1},"b":{"x":1}}}';
  expect(await read(text)).toEqual({ text, value: JSON.parse(text) });
});
