/** Clients that are said to speak Claude Code's dialect: heard and answered as it is, under names of their own. */
import { expect, it } from "vitest";
import { failureBody } from "../failure.ts";
import { detectDialect, dialectOf } from "../registry.ts";
import { LOOKALIKES } from "./lookalikes.ts";

const payload = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "Not this." };

it.each(LOOKALIKES)("%s is read as Claude Code is, under its own name", (name) => {
  const { native, ext } = dialectOf(detectDialect(name, payload)).read(payload, "PreToolUse");
  expect(native).toEqual(dialectOf("claude-code").read(payload, "PreToolUse").native);
  expect(ext).toEqual({ dialect: name, client_event: "PreToolUse", tool: { kind: "shell", command: "ls" } });
});

it.each(LOOKALIKES)("%s is denied as Claude Code is, also when we fail", (name) => {
  const output = { hook_specific_output: { permission_decision: "deny", permission_decision_reason: "Not this." } };
  expect(dialectOf(name).render(output, { event: "PreToolUse", payload })).toEqual({ hookSpecificOutput: denial });
  const asked = { declared: name, urlEvent: "PreToolUse", payload, isInteractive: false };
  expect(failureBody(asked, "Not this.")).toEqual({ dialect: name, body: { hookSpecificOutput: denial } });
});
