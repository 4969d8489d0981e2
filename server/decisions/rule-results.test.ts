/** The calls behind each figure of Home's chart: the list finds exactly as many as the rollups counted. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import { series } from "../overview/service.ts";
import type { StoredHook } from "../recording/schema.ts";
import { listCalls } from "./calls.ts";
import { listDecisions } from "./schema.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);
const DAY = { from: at(-3_600_000), to: at(3_600_000) };
const HOOK: StoredHook = {
  ...{ name: "a rule", policy: "p", revision: 1, path: "hooks.pre_tool_use[0].hooks[0]", type: "command" },
  ...{ outcome: "completed", said: "nothing", startedMs: 0, durationMs: 1, stdout: "", stderr: "" },
} as StoredHook; // holds: a stored hook without its optional fields
const RULE = 'by "a rule" (p revision 1, hooks.pre_tool_use[0].hooks[0])';
const FINAL = "on_tool_approval_decision";

type Step = Omit<Happened, "at" | "input"> & { readonly final?: readonly [string, string] };
const gate = (verdict: "none" | "allow" | "ask" | "deny", reason = "", more: Step = {}): Step => ({
  ...{ verdict, reason, hooks: [HOOK] },
  ...more,
});
const asked = (verdict: "allow" | "deny", reason: string) => gate(verdict, reason, { isAsked: true });
const final = (verdict: string, source: string): Step => ({
  ...{ event: FINAL, origin: "report", final: [verdict, source] },
});

/** The agent decided by itself, and asked no gate of the default lane. */
const byAgent = (verdict: string, source: string, more: Step = {}): Step => ({
  ...{ event: FINAL, origin: "dispatch", final: [verdict, source], hooks: [] },
  ...more,
});

/** Calls by the result of their rules. */
const CALLS: Readonly<Record<string, readonly (readonly Step[])[]>> = {
  denied: [
    [gate("deny", `Denied ${RULE}: see QD-5 first.`)],
    [gate("deny", `Denied ${RULE}: no.`), final("allow", "yolo")],
    [gate("deny", `Denied ${RULE}: no.`, { event: "tool_guard" })],
    [gate("ask", `A person is asked ${RULE}`, { lane: "preempt_yolo" }), gate("deny", `Denied ${RULE}: no.`)],
  ],
  asked: [
    [gate("ask", `A person is asked ${RULE}`)],
    [gate("ask", `A person is asked ${RULE}`), final("allow", "user_approved")],
    [gate("ask", `A person is asked ${RULE}`), final("deny", "user_rejected")],
    [asked("deny", "Approval required: QD-7. After a person has allowed it in Quarterdeck, make it again.")],
    [asked("allow", "Allowed by Ada (QD-7).")],
    [asked("allow", "Allowed with an edited input by Ada and Bo (QD-8): fine")],
    [asked("deny", "Denied by Ada (QD-9): no.")],
    [asked("deny", "QD-10 was not answered within 30 s, so this call is denied.")],
    [asked("deny", "The policy now requires more approvers, or the call has a higher risk, so it is denied.")],
    [gate("ask", "", { lane: "preempt_yolo" }), gate("none", "", { earlierRules: "asked" })],
  ],
  allowed: [
    [gate("allow", `Allowed ${RULE}`)],
    [gate("allow", "", { event: "tool_guard" }), gate("none", "", { earlierRules: "decided" })],
    [gate("allow", `Allowed ${RULE}`), final("deny", "user_rejected")],
  ],
  silent: [
    [gate("none")],
    [gate("none"), final("deny", "user_rejected")],
    [gate("none"), final("canceled", "canceled")],
    [byAgent("allow", "yolo", { hooks: [HOOK] })],
    [
      gate("none", "", { lane: "preempt_yolo" }),
      byAgent("allow", "session_permissions_allow", { earlierRules: "ran" }),
    ],
  ],
  no_rule: [
    [gate("none", "", { hooks: [] })],
    [gate("none", "", { hooks: [] }), final("deny", "user_rejected")],
    [byAgent("allow", "yolo")],
    [byAgent("deny", "team_permissions_deny")],
  ],
};
const FILTERS: Readonly<Record<string, object>> = {
  denied: { outcome: ["denied_by_rule"] },
  asked: { outcome: ["sent_to_person"] },
  allowed: { outcome: ["allowed_by_rule"] },
  silent: { outcome: ["no_rule_objected"] },
  no_rule: { outcome: ["no_rule_ran"] },
};

const happened = Object.entries(CALLS).flatMap(([result, calls], group) =>
  calls.flatMap((steps, place) =>
    steps.map(({ final: decided, ...step }, index): Happened => {
      const id = `${result} ${place}`;
      const input = { session_id: "s1", tool_name: "shell", tool_use_id: id, tool_input: { cmd: id } };
      const [approval_decision, approval_source] = decided ?? [];
      return {
        at: at(group * 60_000 + place * 1_000 + index),
        ...step,
        input: decided === undefined ? input : { ...input, approval_decision, approval_source },
      };
    }),
  ),
);

let db: TestDatabase;
let one: RecordedWorkspace;
beforeAll(async () => {
  db = await testDatabase();
  one = await recordedWorkspace(db, "rule results");
  await one.record(...happened);
});
afterAll(async () => {
  await one.close();
  await db.drop();
});

it.each(Object.keys(CALLS))("finds the calls that are %s by the rules, and no others", async (result) => {
  const input = listDecisions.parse({ range: DAY, filters: FILTERS[result], order: "oldest" });
  const { rows } = await listCalls(db.database, one.workspaceId, input);
  expect(rows.map(({ excerpt }) => excerpt)).toEqual(CALLS[result]?.map((_, place) => `${result} ${place}`));
});

it("counts them in the rollups as the list finds them", async () => {
  const { points } = await series(db.database, one.workspaceId, DAY);
  const sum = (of: (point: (typeof points)[number]) => number) => points.reduce((all, point) => all + of(point), 0);
  const counts = {
    denied: sum(({ gatesDenied }) => gatesDenied),
    asked: sum(({ gatesAsked }) => gatesAsked),
    allowed: sum(
      ({ gates, gatesDenied, gatesAsked, gatesWithoutOpinion }) =>
        gates - gatesDenied - gatesAsked - gatesWithoutOpinion,
    ),
    silent: sum(({ gatesWithoutOpinion, gatesWithoutRule }) => gatesWithoutOpinion - gatesWithoutRule),
    no_rule: sum(({ gatesWithoutRule }) => gatesWithoutRule),
  };
  expect(counts).toEqual(Object.fromEntries(Object.entries(CALLS).map(([result, calls]) => [result, calls.length])));
});
