/** Copilot's answers go by the spelling of the payload, and VS Code's own harness is read as Copilot's. */
import { describe, expect, it } from "vitest";
import { dialectOf } from "../registry.ts";

const copilot = dialectOf("copilot");
const camel = { sessionId: "s", timestamp: 1_795_293_793_454, cwd: "/workspace" };
const denial = {
  decision: "block",
  hook_specific_output: { permission_decision: "deny", permission_decision_reason: "Not this." },
};

describe("a payload in camelCase at the address of the other spelling", () => {
  const call = { ...camel, toolName: "bash", toolArgs: { command: "git push", description: "d" } };

  it("is denied at the top, where alone a denial is read", () => {
    const answer = copilot.render(denial, { event: "PreToolUse", payload: call });
    expect(answer).toEqual({ permissionDecision: "deny", permissionDecisionReason: "Not this." });
  });

  it("is rewritten in its own words", () => {
    const output = { hook_specific_output: { updated_input: { command: "git status" } } };
    const answer = copilot.render(output, { event: "PreToolUse", payload: call });
    expect(answer).toEqual({ modifiedArgs: { command: "git status", description: "d" } });
  });

  it("has its prompt handled", () => {
    const answer = copilot.render(
      { decision: "block", reason: "Not this." },
      { event: "UserPromptSubmit", payload: { ...camel, prompt: "p" } },
    );
    expect(answer).toEqual({ handled: true, responseContent: "Not this." });
  });
});

describe("a payload of VS Code's own harness", () => {
  const common = { timestamp: "2026-11-21T20:43:04.204Z", cwd: "/workspace", sessionId: "s", transcript_path: "/t" };
  const call = { ...common, tool_name: "editFiles", tool_input: { files: ["src/a.ts"] }, tool_use_id: "call-1" };

  it("names its event and its call", () => {
    const { native, ext } = copilot.read({ ...call, hookEventName: "PreToolUse" }, "elsewhere");
    expect(native).toMatchObject({ session_id: "s", hook_event_name: "pre_tool_use", tool_use_id: "call-1" });
    expect(ext).toMatchObject({ client_event: "PreToolUse", tool: { kind: "other", paths: ["src/a.ts"] } });
  });

  it("is denied in the nested words of that event", () => {
    const answer = copilot.render(denial, { event: "PreToolUse", payload: call });
    const said = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "Not this." };
    expect(answer).toEqual({ hookSpecificOutput: said });
  });

  it("carries a result under Claude Code's name", () => {
    const payload = { ...call, hookEventName: "PostToolUse", tool_response: "edited" };
    expect(copilot.read(payload, "PostToolUse").native).toMatchObject({ tool_response: "edited" });
  });
});
