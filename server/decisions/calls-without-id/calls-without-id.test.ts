/** Calls of clients that send no call id, over a real database: their results in the list and in the records of a call. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../../e2e/fixtures/recorded.ts";
import { listCalls } from "../calls.ts";
import { callPage, listDecisions } from "../schema.ts";
import { get } from "../service.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);
const DAY = { from: at(-3_600_000), to: at(3_600_000) };
const gate = (ms: number, args: object | string, more: Partial<Happened> = {}): Happened => ({
  ...{ at: at(ms), verdict: "allow", reason: "" },
  ...more,
  input: {
    ...{ session_id: "s1", tool_name: "shell" },
    ...{ tool_input: typeof args === "string" ? { cmd: args } : args },
    ...more.input,
  },
});
const ran = (ms: number, args: object | string, tool_error = false, input: object = {}): Happened =>
  gate(ms, args, { event: "post_tool_use", verdict: "none", input: { ...input, tool_error, tool_response: "" } });

let db: TestDatabase;
let workspace: RecordedWorkspace;
let workspaces = 0;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  workspaces += 1;
  workspace = await recordedWorkspace(db, `without ids ${workspaces}`);
  return () => workspace.close();
});
afterAll(() => db.drop());

async function calls(limit = 50) {
  const asked = listDecisions.parse({ range: DAY, order: "oldest", limit });
  return callPage.parse(await listCalls(db.database, workspace.workspaceId, asked)).rows;
}
const ends = async () =>
  (await calls()).map(({ ran: end, isRanByOrder, chain: [first] }) =>
    [first?.verdict, end, ...(isRanByOrder ? ["by order"] : [])].join(" "),
  );

it("results find their calls by tool and arguments, in any order", async () => {
  await workspace.record(
    gate(10, "first"),
    gate(11, "second"),
    ran(12, "second", true),
    ran(13, "first"),
    gate(20, "of another session", { verdict: "deny" }),
    ran(21, "of another session", false, { session_id: "s2" }),
    ran(30, "without a call"),
  );
  expect(await ends()).toEqual(["allow succeeded", "allow failed", "deny "]);
});

it("equal calls in a row take their results in order, and say that they were matched by order", async () => {
  await workspace.record(gate(10, "same"), ran(11, "same", true), gate(12, "same"), ran(13, "same"));
  await workspace.record(gate(20, "at once"), gate(21, "at once"), ran(22, "at once"), ran(23, "at once", true));
  expect(await ends()).toEqual(["allow failed", "allow succeeded", "allow succeeded by order", "allow failed"]);
});

it("a denied call leaves the result to its allowed retry", async () => {
  await workspace.record(gate(10, "retried", { verdict: "deny" }), gate(20, "retried"), ran(21, "retried"));
  expect(await ends()).toEqual(["deny ", "allow succeeded"]);
});

it("a page with the second of two equal calls knows the first", async () => {
  await workspace.record(gate(10, "same"), gate(11, "same"), ran(12, "same", true), ran(13, "same"));
  const asked = listDecisions.parse({ range: { from: at(11), to: DAY.to }, order: "oldest" });
  const { rows } = callPage.parse(await listCalls(db.database, workspace.workspaceId, asked));
  expect(rows.map(({ ran: end }) => end)).toEqual(["succeeded"]);
});

it("arguments are compared without regard to their order, and may hold any text", async () => {
  const half = "\ud800";
  await workspace.record(gate(10, { a: 1, b: [2, "x"] }), ran(11, { b: [2, "x"], a: 1 }));
  await workspace.record(gate(20, { text: `\u0000 ${half}` }), ran(21, { text: `\u0000 ${half}` }));
  await workspace.record(gate(30, {}), ran(31, {}, true));
  expect(await ends()).toEqual(["allow succeeded", "allow succeeded", "allow failed"]);
});

it("a result of rewritten arguments belongs to the call that a hook rewrote", async () => {
  const answer = { hook_specific_output: { hook_event_name: "pre_tool_use", updated_input: { cmd: "safe" } } };
  await workspace.record(gate(10, "unsafe", { answer }), ran(11, "safe"));
  expect(await ends()).toEqual(["allow succeeded"]);
});

it("the records of a call are its gates and its result", async () => {
  await workspace.record(
    gate(10, "one"),
    gate(11, "one", { event: "permission_request" }),
    gate(12, "other"),
    ran(13, "one", true),
  );
  const [one, permission, other] = await calls();
  const records = async (key: typeof one) =>
    key &&
    (await get(db.database, workspace.workspaceId, key)).callRecords.map(({ event, toolError }) => [event, toolError]);
  const ofOne = [
    ["pre_tool_use", null],
    ["permission_request", null],
    ["post_tool_use", true],
  ];
  expect(await records(one)).toEqual(ofOne);
  expect(await records(permission)).toEqual(ofOne);
  expect(await records(other)).toEqual([]);
});
