import { describe, expect, it } from "vitest";
import { caseFormOf, readCase } from "@/components/policies/playground/case-form";
import type { PolicyCase } from "@/server/playground/schema";

const CASE: PolicyCase = {
  name: "deletes are denied",
  event: "pre_tool_use",
  lane: "default",
  input: '{"tool_name":"shell"}',
  expect: { verdict: "deny", allowed: false, message: "no", rewritten: { cmd: "ls" }, hooks: { guard: "deny" } },
  judgeReplies: [
    { hook: "judge", reply: "{}" },
    { hook: "slow", fails: "timeout" },
  ],
  keepsSecrets: true,
  runsAgentHooks: false,
};

const wrongsOf = (part: Partial<ReturnType<typeof caseFormOf>>) => {
  const read = readCase(CASE, { ...caseFormOf(CASE), ...part });
  return "wrongs" in read ? read.wrongs : null;
};

describe("a case in a form", () => {
  it.each([
    CASE,
    { ...CASE, expect: { rewritten: null } },
    { ...CASE, expect: { allowed: true, context: "why" }, judgeReplies: [] },
  ])("comes back as it was", (one) => {
    expect(readCase(one, caseFormOf(one))).toEqual({ input: one });
  });

  it("says which field is wrong", () => {
    expect(wrongsOf({ name: " " })).toEqual({ name: "Give the case a name." });
    expect(wrongsOf({ input: "{" })?.input).toMatch(/^Invalid JSON/);
    expect(wrongsOf({ rewrittenTo: "{" })).toEqual({ rewrittenTo: "Invalid JSON. Enter the payload as JSON." });
    expect(Object.keys(wrongsOf({ hooks: [{ name: "", said: "deny" }] }) ?? {})).toEqual(["hooks.0.name"]);
    expect(Object.keys(wrongsOf({ judgeReplies: [{ hook: "", reply: "" }] }) ?? {})).toEqual(["judgeReplies.0.hook"]);
  });

  it("a case that expects nothing is refused as a whole", () => {
    const nothing = { verdict: "any", allowed: "any", message: "", context: "", rewritten: "any", hooks: [] } as const;
    expect(wrongsOf({ ...nothing, hooks: [] })).toEqual({ expect: "A case expects at least one thing." });
  });
});
