import { expect, it } from "vitest";
import { countedCall } from "./counted-call.ts";

const counted = (tool_input: unknown, made: { readonly request?: string; readonly stage?: string } = {}) =>
  countedCall({
    ...{ agent: "a", request: "r", stage: "pre_tool_use default", ...made },
    input: { session_id: "s", tool_name: "shell", tool_input: JSON.parse(JSON.stringify(tool_input)) },
  });

it("is the same call whatever comments on it and in whatever order its keys stand", () => {
  expect(counted({ cmd: "ls", n: 1, description: "x" })).toEqual(counted({ n: 1, cmd: "ls" }));
  expect(counted({ cmd: "ls" }).call).not.toBe(counted({ cmd: "pwd" }).call);
  expect(counted({}).call).not.toBe(counted({}, { stage: "tool_guard default" }).call);
});

it("is one of its own for an input that a person edited, and the same once more for a delivery that comes again", () => {
  expect(counted({ cmd: "ls" }).request).toBe(counted({ cmd: "ls" }).request);
  expect(counted({ cmd: "ls" }).request).not.toBe(counted({ cmd: "pwd" }).request);
  expect(counted({ cmd: "ls" }).request).not.toBe(counted({ cmd: "ls" }, { request: "other" }).request);
});

it("has a digest for numbers that no canonical text has", () => {
  const input = JSON.parse('{ "session_id": "s", "tool_name": "shell", "tool_input": { "n": 1e999 } }');
  const made = { agent: "a", request: "r", stage: "pre_tool_use default", input };
  expect(countedCall(made)).toEqual(countedCall(made));
});
