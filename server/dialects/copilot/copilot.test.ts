/** Copilot's answers go by the spelling of the payload. */
import { describe, expect, it } from "vitest";
import { dialectOf } from "../service.ts";

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
