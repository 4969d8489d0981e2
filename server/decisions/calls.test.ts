import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import { callFacets, listCalls } from "./calls.ts";
import { callPage, countDecisionsInput, callFacets as facetsView, listDecisions } from "./schema.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);
const DAY = { from: at(-3_600_000), to: at(3_600_000) };
const gate = (ms: number, call: string, verdict: "allow" | "ask" | "deny", more: object = {}): Happened => ({
  at: at(ms),
  verdict,
  reason: "",
  input: { session_id: "s1", tool_name: "shell", tool_use_id: call, tool_input: { cmd: call }, ...more },
});
const final = (ms: number, call: string, approval_decision: string, approval_source: string): Happened => ({
  ...gate(ms, call, "allow", { approval_decision, approval_source }),
  event: "on_tool_approval_decision",
  verdict: "none",
});
const ran = (ms: number, call: string, tool_error: boolean): Happened => ({
  ...gate(ms, call, "allow", { tool_error, tool_response: "" }),
  event: "post_tool_use",
  verdict: "none",
});

let db: TestDatabase;
let one: RecordedWorkspace;
let other: RecordedWorkspace;
beforeAll(async () => {
  db = await testDatabase();
  [one, other] = [await recordedWorkspace(db, "one"), await recordedWorkspace(db, "other")];
  await one.record(
    gate(10, "denied", "deny"),
    final(11, "denied", "deny", "pre_tool_use_hook_deny"),
    gate(20, "asked", "ask"),
    final(60, "asked", "allow", "user_approved"),
    ran(61, "asked", false),
    final(30, "alone", "allow", "readonly_hint"),
    ran(31, "alone", true),
    gate(40, "another session", "deny", { tool_use_id: "denied", session_id: "s2" }),
    ...[1, 2].map((ms) => gate(ms, `unnamed ${ms}`, "deny", { tool_use_id: undefined })),
  );
  await other.record(gate(50, "denied", "allow"));
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await db.drop();
});

async function calls(input: object = {}, of = one) {
  const page = await listCalls(db.database, of.workspaceId, listDecisions.parse({ range: DAY, ...input }));
  const { rows, nextCursor } = callPage.parse(page);
  const lines = rows.map(({ excerpt, chain, ran: end }) => {
    const words = chain.map(({ kind, verdict }) => `${kind} ${verdict}`).join(", ");
    return `${excerpt}: ${words}${end === null ? "" : `, ${end}`}`;
  });
  return { lines, nextCursor };
}
const [UNNAMED_2, UNNAMED_1] = ["unnamed 2: gate deny", "unnamed 1: gate deny"];
const DENIED = "denied: gate deny, final deny";
const ASKED = "asked: gate ask, final allow, succeeded";
const ALONE = "alone: final allow, failed";
const SECOND = "another session: gate deny";

it("shows each call once, where it began, with its decisions and its end", async () => {
  expect((await calls()).lines).toEqual([SECOND, ALONE, ASKED, DENIED, UNNAMED_2, UNNAMED_1]);
  expect((await calls({ order: "oldest" })).lines).toEqual([UNNAMED_1, UNNAMED_2, DENIED, ASKED, ALONE, SECOND]);
  expect((await calls({}, other)).lines).toEqual(["denied: gate allow"]);
});

it.each(["newest", "oldest"])("shows none twice on its pages, %s first", async (order) => {
  const seen: string[] = [];
  let cursor: object | null = null;
  do {
    const page = await calls({ order, limit: 2, cursor });
    seen.push(...page.lines);
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual((await calls({ order })).lines);
});

it.each([
  [{ verdict: ["allow"] }, [ASKED, ALONE]],
  [{ by: ["final"] }, [ASKED, ALONE, DENIED]],
  [{ verdict: ["deny"], session: ["s1"] }, [DENIED, UNNAMED_2, UNNAMED_1]],
  [{ source: ["user_approved"] }, [ASKED]],
  [{ text: "denied" }, [DENIED]],
])("finds a call by any of its decisions: %j", async (filters, expected) => {
  expect((await calls({ filters })).lines).toEqual(expected);
});

it("shows a call whose beginning is before the range at what is in it", async () => {
  expect((await calls({ range: { from: at(55), to: at(70) } })).lines).toEqual([ASKED]);
});

it("counts calls, not decisions, by the values that the other filters leave", async () => {
  const of = async (filters: object) =>
    facetsView.parse(
      await callFacets(db.database, one.workspaceId, countDecisionsInput.parse({ range: DAY, filters })),
    );
  const all = await of({});
  expect([all.calls, all.isWhole]).toEqual([6, true]);
  expect(all.values.verdict).toEqual([
    { value: "deny", count: 4 },
    { value: "allow", count: 2 },
    { value: "ask", count: 1 },
  ]);
  expect(all.values.agent).toEqual([{ value: "ci bot", count: 6 }]);
  const denied = await of({ verdict: ["deny"], session: ["s2"] });
  expect([denied.calls, denied.values.session]).toEqual([
    1,
    [
      { value: "s1", count: 3 },
      { value: "s2", count: 1 },
    ],
  ]);
  expect((await of({ text: "asked" })).values.source).toContainEqual({ value: "user_approved", count: 1 });
});

it("finds and counts the policy and the rule of a decision, and the groups of its agent", async () => {
  const own = await recordedWorkspace(db, "ruled");
  const reason = 'Denied by "no (force)" (safe shell (v2) revision 3, hooks.pre_tool_use[0].hooks[0]): revision 9, no.';
  await own.record({ ...gate(1, "a", "deny"), reason }, gate(2, "b", "deny"));
  const { pool } = db.database;
  await pool.query("INSERT INTO agent_group VALUES ($1, $2, 'builders', 0)", [own.workspaceId, own.agentId]);
  await pool.query("INSERT INTO agent_group_member VALUES ($1, $2, $2)", [own.workspaceId, own.agentId]);
  const input = countDecisionsInput.parse({
    range: DAY,
    filters: { policy: ["safe shell (v2)"], group: ["builders"] },
  });
  const { calls: count, values } = await callFacets(db.database, own.workspaceId, input);
  expect([count, values.policy, values.rule, values.group]).toEqual([
    1,
    [{ value: "safe shell (v2)", count: 1 }],
    [{ value: "no (force)", count: 1 }],
    [{ value: "builders", count: 1 }],
  ]);
  expect((await calls({ filters: { rule: ["no (force)"] } }, own)).lines).toEqual(["a: gate deny"]);
  expect((await calls({ filters: { group: ["none"] } }, own)).lines).toEqual([]);
  await own.close();
});
