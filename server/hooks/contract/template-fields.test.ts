import { expect, it } from "vitest";
import { hookInput } from "./input.ts";
import { fieldsOn, INPUT_FIELDS } from "./template-fields.ts";

it("a template can name every field of the input's schema, each once", () => {
  const keys = INPUT_FIELDS.map(({ key }) => key);
  expect([...keys].sort()).toEqual(Object.keys(hookInput.shape).sort());
  expect(new Set(INPUT_FIELDS.map(({ name }) => name)).size).toBe(keys.length);
});

it("an event offers what it carries and nothing else", () => {
  const names = (event: Parameters<typeof fieldsOn>[0]) => fieldsOn(event).map(({ name }) => name);
  expect(names("pre_tool_use")).toEqual(expect.arrayContaining(["ToolName", "ToolInput", "HookEventName", "Cwd"]));
  expect(names("pre_tool_use")).not.toContain("ToolResponse");
  expect(names("after_llm_call")).toEqual(expect.arrayContaining(["Usage", "Cost", "StopResponse"]));
});
