import { expect, it } from "vitest";
import type { HookInput } from "../../contract/input.ts";
import type { EventName } from "../../index.ts";
import { redactSecrets } from "./redact-secrets.ts";
import { an } from "./secrets/samples.ts";

const TOKEN = ["gh", "p_", an(36)].join("");
const signal = new AbortController().signal;
const run = (event: EventName, input: HookInput) =>
  redactSecrets.run({ event, lane: "default", profile: "2026-08", input, env: {}, args: [], signal });

it("gives back the arguments that changed, whole, and leaves the input alone", async () => {
  const tool_input = { cmd: `echo ${TOKEN}`, cwd: "/x", env: { list: ["a", TOKEN, 1], same: true } };
  const before = structuredClone(tool_input);
  const output = await run("pre_tool_use", { tool_name: 'a "tool"', tool_input });
  expect(output?.hook_specific_output?.updated_input).toEqual({
    cmd: "echo [REDACTED]",
    env: { list: ["a", "[REDACTED]", 1], same: true },
  });
  expect(output?.system_message).toContain('arguments of tool "a \\"tool\\""');
  expect(tool_input).toEqual(before);
});

it("takes secrets out of arguments before the gates judge them, under that event's own name", async () => {
  const tool_input = { url: `https://api.example/?key=${TOKEN}`, method: "GET" };
  const output = await run("tool_input_transform", { tool_name: "fetch", tool_input });
  expect(output?.hook_specific_output).toEqual({
    hook_event_name: "tool_input_transform",
    updated_input: { url: "https://api.example/?key=[REDACTED]" },
  });
  expect(await run("tool_input_transform", { tool_name: "fetch", tool_input: { method: "GET" } })).toBeNull();
});

it("scans what a message says and calls with, and not its names, ids, images and signatures", async () => {
  const message = {
    role: "assistant",
    content: TOKEN,
    reasoning_content: TOKEN,
    multi_content: [
      { type: "text", text: TOKEN },
      { type: "image_url", image_url: { url: TOKEN } },
    ],
    function_call: { name: TOKEN, arguments: `{"a":"${TOKEN}"}` },
    tool_calls: [{ id: TOKEN, function: { name: "f", arguments: TOKEN } }],
    thinking_signature: TOKEN,
  };
  const clean = { role: "user", content: "hello" };
  const output = await run("before_llm_call", { messages: [message, clean] });
  expect(output?.hook_specific_output?.updated_messages).toEqual([
    {
      ...message,
      content: "[REDACTED]",
      reasoning_content: "[REDACTED]",
      multi_content: [{ type: "text", text: "[REDACTED]" }, message.multi_content[1]],
      function_call: { name: TOKEN, arguments: '{"a":"[REDACTED]"}' },
      tool_calls: [{ id: TOKEN, function: { name: "f", arguments: "[REDACTED]" } }],
    },
    clean,
  ]);
});

it("says nothing when there is nothing to take out, whatever the shape", async () => {
  expect(await run("pre_tool_use", { tool_input: { n: 1, deep: [null, { a: "b" }] } })).toBeNull();
  expect(await run("pre_tool_use", {})).toBeNull();
  expect(await run("before_llm_call", { messages: [{ role: "user", content: ["odd"], tool_calls: "x" }] })).toBeNull();
  expect(await run("tool_response_transform", { tool_response: { structured: TOKEN } })).toBeNull();
  expect(await run("post_tool_use", { tool_response: TOKEN })).toBeNull();
});

it("finds what an argument named like a prototype holds", async () => {
  const output = await run("pre_tool_use", { tool_input: JSON.parse(`{"__proto__":"${TOKEN}"}`) });
  expect(Object.entries(output?.hook_specific_output?.updated_input ?? {})).toEqual([["__proto__", "[REDACTED]"]]);
});
