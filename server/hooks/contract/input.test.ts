import { expect, it } from "vitest";
import { type HookInput, hookInput, serializeInput, wireInput } from "./input.ts";

it("always says session, directory and event, and leaves out what is empty", () => {
  const input = { tool_name: "", tool_input: {}, tool_error: false, messages: [], iteration: 0, prompt: null };
  expect(serializeInput(input)).toBe('{"session_id":"","cwd":"","hook_event_name":""}');
});

it("says a free call, an empty answer and counted nothings", () => {
  const sent = wireInput({ cost: 0, tool_response: "", usage: {}, input_tokens: 0 });
  expect(sent).toMatchObject({
    cost: 0,
    tool_response: "",
    usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cached_write_tokens: 0 },
  });
  expect(sent).not.toHaveProperty("input_tokens");
  expect(sent.usage).not.toHaveProperty("reasoning_tokens");
  expect(wireInput({})).not.toHaveProperty("cost");
  expect(wireInput({ usage: { reasoning_tokens: 3 } }).usage).toMatchObject({ reasoning_tokens: 3 });
});

it("keeps fields it does not know, as they are, after those it knows", () => {
  const input: HookInput = { brand_new: { a: 0 }, zero: 0, tool_name: "shell", session_id: "s" };
  expect(serializeInput(input)).toBe(
    '{"session_id":"s","cwd":"","hook_event_name":"","tool_name":"shell","brand_new":{"a":0},"zero":0}',
  );
  expect(hookInput.parse(input)).toEqual(input);
});

it("refuses a known field of the wrong type, at its place", () => {
  const parsed = hookInput.safeParse({ usage: { input_tokens: "many" } });
  expect(parsed.error?.issues[0]?.path).toEqual(["usage", "input_tokens"]);
  expect(hookInput.safeParse({ tool_input: [] }).success).toBe(false);
});

it("drops what is empty in the models an agent switches from", () => {
  expect(
    wireInput({ from_agent_models: [{ provider: "p", model: "m", base_url: "", unload_api: null }] }),
  ).toMatchObject({
    from_agent_models: [{ provider: "p", model: "m" }],
  });
});
