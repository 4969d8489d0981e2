/** Fields that no policy can read: the edge refuses them where a call or a prompt waits, and a result does without them. */
import { describe, expect, it } from "vitest";
import { hookInput } from "../hooks/contract/input.ts";
import { type DialectName, dialectOf } from "./registry.ts";

const isTaken = (native: object): boolean => hookInput.safeParse(native).success;

describe.each<[DialectName, string, string, object]>([
  ["claude-code", "PreToolUse", "PostToolUse", { session_id: "s", tool_name: "Bash", tool_input: "{cut" }],
  ["codex", "PreToolUse", "PostToolUse", { session_id: "s", tool_name: "Bash", tool_input: ["ls"] }],
  ["qwen", "PreToolUse", "PostToolUse", { session_id: "s", tool_name: "edit", tool_input: 7 }],
  ["copilot", "preToolUse", "postToolUse", { sessionId: "s", toolName: "bash", toolArgs: "{cut" }],
  ["cursor", "preToolUse", "postToolUse", { session_id: "s", tool_name: "Shell", tool_input: "{cut" }],
])("arguments of %s that are no object", (dialect, before, after, payload) => {
  it("are refused before the call", () => {
    const { native } = dialectOf(dialect).read({ ...payload }, before);
    expect([native.hook_event_name, isTaken(native)]).toEqual(["pre_tool_use", false]);
  });

  it("are left out after it, so that its result can still be changed", () => {
    const { native } = dialectOf(dialect).read({ ...payload }, after);
    expect([native.hook_event_name, isTaken(native)]).toEqual(["post_tool_use", true]);
  });
});

describe.each<[DialectName, string]>([
  ["claude-code", "UserPromptSubmit"],
  ["codex", "UserPromptSubmit"],
  ["qwen", "UserPromptSubmit"],
  ["copilot", "userPromptSubmitted"],
  ["cursor", "beforeSubmitPrompt"],
  ["gemini", "BeforeAgent"],
  ["cline", "prompt_submit"],
])("a prompt of %s", (dialect, event) => {
  const promptIs = (prompt: unknown) => isTaken(dialectOf(dialect).read({ prompt }, event).native);

  it("is refused when it is no text", () => {
    expect([[{ type: "text", text: "hello" }], { text: "hello" }, 7].map(promptIs)).toEqual([false, false, false]);
  });

  it("is taken as text, also an empty one and none", () => {
    expect(["hello", "", null, undefined].map(promptIs)).toEqual([true, true, true, true]);
  });
});
