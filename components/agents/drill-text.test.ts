import { expect, test } from "vitest";
import { DRILLED_WITHIN_DAYS } from "@/server/agents/schema";
import type { DrillResult } from "@/server/drills/schema";
import { blockedText, failureText, isDrillOverdue, openPolicyText } from "./drill-text";

const result = (more: Partial<DrillResult>): DrillResult => ({
  ...{ call: 1, event: "PreToolUse", outcome: "blocked", policy: "deny", ...more },
});

test("a drill's sentence counts what was blocked and names what was not", () => {
  const results = [result({}), result({ event: "UserPromptSubmit", outcome: "unconfigured", policy: null })];
  expect(blockedText(results)).toBe("1 of 2 blocked");
  expect(failureText(results)).toBe("UserPromptSubmit: passed: no hook configured");
  expect(failureText([result({})])).toBeNull();
});

test("an open policy is shown apart from a closed one, and says nothing while the console is away", () => {
  const results = [result({ policy: "allow" }), result({})];
  expect(openPolicyText({ mode: "liveness", results })).toBe(
    "The agent's policies would have allowed 1 of the 2 drill calls.",
  );
  expect(openPolicyText({ mode: "liveness", results: [result({})] })).toBeNull();
  expect(openPolicyText({ mode: "outage", results: [result({ policy: null })] })).toBeNull();
});

test("a drill counts up to the last millisecond of the posture's days", () => {
  const at = new Date("2026-10-01T08:00:00Z");
  const lastMs = at.getTime() + DRILLED_WITHIN_DAYS * 86_400_000;
  expect(isDrillOverdue(at, lastMs - 1)).toBe(false);
  expect(isDrillOverdue(at, lastMs)).toBe(true);
});
