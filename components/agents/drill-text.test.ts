import { expect, test } from "vitest";
import type { DrillResult } from "@/server/drills/schema";
import { blockedText, failureText, openPolicyText } from "./drill-text";

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
  expect(openPolicyText({ mode: "liveness", results })).toBe("The policy would have allowed 1 of 2.");
  expect(openPolicyText({ mode: "liveness", results: [result({})] })).toBeNull();
  expect(openPolicyText({ mode: "outage", results: [result({ policy: null })] })).toBeNull();
});
