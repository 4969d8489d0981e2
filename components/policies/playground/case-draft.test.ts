import { describe, expect, it } from "vitest";
import { draftOfRun } from "@/components/policies/playground/case-draft";
import { type PlaygroundReport, policyCase } from "@/server/playground/schema";

const step: PlaygroundReport["result"] = {
  allowed: false,
  decision: "deny",
  approved: false,
  reason: "no",
  message: "no\nmore",
  systemMessage: "",
  context: "",
  summary: "",
  metadata: null,
  route: null,
  instructions: [],
  exitCode: 0,
  rewritten: null,
};
const hook = (name: string, said: string, isUnasked = false): PlaygroundReport["hooks"][number] => ({
  policy: "p",
  isSubject: true,
  path: `hooks.pre_tool_use[0].hooks[${name}]`,
  name,
  type: "model",
  runsOn: "server",
  choice: "ran",
  why: "",
  ran: {
    ...{ stdin: 0, stdout: 0, stderr: 0, exitCode: null, startedMs: 0, durationMs: 1, outcome: "completed" },
    ...{ said, blocked: false, error: null, isUnasked, step },
    judge: { model: "m", prompt: "p", reply: isUnasked ? null : "yes", cause: null, costNano: null },
  },
});
const report = (verdict: PlaygroundReport["verdict"], hooks: PlaygroundReport["hooks"]): PlaygroundReport => ({
  ...{ profile: "2026-07", event: "pre_tool_use", lane: "default", verdict, says: "", missing: [], hooks },
  ...{
    hooksLeftOut: 0,
    result: step,
    answer: { text: "{}", bytes: 2, isCut: false },
    durationMs: 1,
    texts: [],
    notes: [],
  },
});
const side = (of: PlaygroundReport) => ({
  label: "Your text",
  asked: {
    ...{ subject: { kind: "live" as const }, event: "pre_tool_use" as const, lane: "default" as const, input: "{}" },
    ...{ askJudges: false, runAgentHooks: false },
  },
  report: of,
  failure: null,
});

describe("a case made of a run", () => {
  it("expects what the run gave, and remembers what judges said", () => {
    const draft = draftOfRun(side(report("deny", [hook("judge", "deny"), hook("quiet", "nothing")])));
    expect(draft?.one.expect).toEqual({ verdict: "deny", message: "no", hooks: { judge: "deny" } });
    expect(draft?.one.judgeReplies).toEqual([
      { hook: "judge", reply: "yes" },
      { hook: "quiet", reply: "yes" },
    ]);
    expect(policyCase.safeParse({ ...draft?.one, name: "named" }).success).toBe(true);
  });

  it("expects no verdict where the run knew none", () => {
    const draft = draftOfRun(side(report("unknown", [hook("judge", "failed", true)])));
    expect(draft?.one.expect).toEqual({ allowed: false });
  });
});
