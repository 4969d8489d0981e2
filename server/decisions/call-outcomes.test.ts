/** The outcome of each call: in a list, as a filter, and over time, by one rule. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import type { StoredHook } from "../recording/schema.ts";
import { CALL_OUTCOMES, type CallOutcome, callOutcomeOf } from "./call-outcome-schema.ts";
import { listCalls } from "./calls.ts";
import { callSeries } from "./calls-series.ts";
import { callPage, countDecisionsInput, listDecisions, callSeries as seriesView } from "./schema.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);
const DAY = { from: at(-3_600_000), to: at(3_600_000) };
const HOOK: StoredHook = {
  ...{ name: "a rule", policy: "p", revision: 1, path: "hooks.pre_tool_use[0].hooks[0]", type: "command" },
  ...{ outcome: "completed", said: "nothing", startedMs: 0, durationMs: 1, stdout: "", stderr: "" },
} as StoredHook;

type RecordedWords = readonly ["gate" | "final", string, string?];
/** Each call by its decisions: gates with their reason, final decisions with their source. */
const CALLS: Readonly<Record<string, { readonly of: readonly RecordedWords[]; readonly outcome: CallOutcome }>> = {
  "no rule": { of: [["gate", "none"]], outcome: "no_rule" },
  "no rule, allowed by the agent": {
    of: [
      ["gate", "none"],
      ["final", "allow", "yolo"],
    ],
    outcome: "no_rule",
  },
  "no rule, rejected at the agent": {
    of: [
      ["gate", "none"],
      ["final", "deny", "user_rejected"],
    ],
    outcome: "denied",
  },
  "silent rules": { of: [["gate", "none", "rules"]], outcome: "silent" },
  "silent rules, allowed": {
    of: [
      ["gate", "none", "rules"],
      ["final", "allow", "user_approved"],
    ],
    outcome: "silent",
  },
  denied: { of: [["gate", "deny", 'Denied by "x" (p revision 1, a): no.']], outcome: "denied" },
  "a ticket": { of: [["gate", "deny", "Approval required: QD-77. Once allowed, try again."]], outcome: "asked" },
  "a ticket that the agent reports": {
    of: [
      ["gate", "deny", "Approval required: QD-77. Try again."],
      ["final", "deny", "pre_tool_use_hook_deny"],
    ],
    outcome: "asked",
  },
  "an ask": { of: [["gate", "ask"]], outcome: "asked" },
  "an ask that was allowed": {
    of: [
      ["gate", "ask"],
      ["final", "allow", "user_approved"],
    ],
    outcome: "allowed",
  },
  "an ask that was rejected": {
    of: [
      ["gate", "ask"],
      ["final", "deny", "user_rejected"],
    ],
    outcome: "denied",
  },
  allowed: { of: [["gate", "allow", "Allowed by Ada (QD-12)."]], outcome: "allowed" },
  "only the agent": { of: [["final", "allow", "readonly_hint"]], outcome: "allowed" },
  canceled: {
    of: [
      ["gate", "none"],
      ["final", "canceled", "context_canceled"],
    ],
    outcome: "canceled",
  },
};

function happened(name: string, place: number): Happened[] {
  return (
    CALLS[name]?.of.map(([kind, verdict, words = ""], step): Happened => {
      const input = { session_id: "s1", tool_name: "shell", tool_use_id: name, tool_input: { cmd: name } };
      const when = at(place * 1_000 + step);
      if (kind === "final")
        return {
          at: when,
          event: "on_tool_approval_decision",
          input: { ...input, approval_decision: verdict, approval_source: words },
        };
      const hooks = words === "rules" ? [HOOK] : [];
      return { at: when, verdict: verdict as "none", reason: words, input, hooks };
    }) ?? []
  );
}

let db: TestDatabase;
let one: RecordedWorkspace;
beforeAll(async () => {
  db = await testDatabase();
  one = await recordedWorkspace(db, "outcomes");
  await one.record(...Object.keys(CALLS).flatMap(happened));
  await one.record({
    at: at(500_000),
    verdict: "deny",
    input: { session_id: "s2", tool_name: "edit", tool_use_id: "x", tool_input: { path: "/a" } },
  });
});
afterAll(async () => {
  await one.close();
  await db.drop();
});

const list = async (filters: object) => {
  const asked = listDecisions.parse({ range: DAY, filters, order: "oldest" });
  return callPage.parse(await listCalls(db.database, one.workspaceId, asked)).rows;
};

it("is one for each call, whatever was decided about it, also when nothing was", async () => {
  const rows = await list({ session: ["s1"] });
  expect(Object.fromEntries(rows.map(({ excerpt, chain }) => [excerpt, callOutcomeOf(chain)]))).toEqual(
    Object.fromEntries(Object.entries(CALLS).map(([name, { outcome }]) => [name, outcome])),
  );
});

it.each(CALL_OUTCOMES)("finds the calls that are %s, and no others", async (outcome) => {
  const expected = Object.keys(CALLS).filter((name) => CALLS[name]?.outcome === outcome);
  expect((await list({ session: ["s1"], outcome: [outcome] })).map(({ excerpt }) => excerpt)).toEqual(expected);
});

it("counts over time what the list finds, in the outcomes of the list", async () => {
  const series = async (filters: object) => {
    const input = countDecisionsInput.parse({ range: DAY, filters });
    const { points, since } = seriesView.parse(await callSeries(db.database, one.workspaceId, input));
    expect(since).toBeNull();
    const sums = new Map<string, number>();
    for (const { outcome, count } of points) sums.set(outcome, (sums.get(outcome) ?? 0) + count);
    return Object.fromEntries(sums);
  };
  const all = Object.values(CALLS).map(({ outcome }) => outcome);
  const countOf = (outcome: CallOutcome) => all.filter((each) => each === outcome).length;
  const expected = Object.fromEntries(CALL_OUTCOMES.map((outcome) => [outcome, countOf(outcome)]));
  expect(await series({ session: ["s1"] })).toEqual(expected);
  expect(await series({})).toEqual({ ...expected, denied: countOf("denied") + 1 });
  expect(await series({ outcome: ["no_rule", "silent"] })).toEqual({ no_rule: 2, silent: 2 });
  expect(await series({ tool: ["edit"] })).toEqual({ denied: 1 });
  expect(await series({ text: "nothing like this" })).toEqual({});
  expect(await series({ source: ["user_approved"] })).toEqual({ silent: 1, allowed: 1 });
});
