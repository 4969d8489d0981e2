/** The recent calls of a workspace with a million records: none may cost a read of them all. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type RecordedWorkspace, recordedWorkspace } from "../../../e2e/fixtures/recorded.ts";
import type { Pool } from "../../platform/db.ts";
import { inWorkspace } from "../../platform/scope.ts";
import { listCalledTools, listRecentCalls } from "./recent-calls.ts";

const RECORDS = 60_000;
const READ_MAX = 10_000;
const UNTIL = new Date("2026-11-20T12:00:00Z");
const FROM = new Date("2026-11-19T12:00:00Z");

let db: TestDatabase;
let workspace: RecordedWorkspace;

/** Records a second apart, the newest at `UNTIL`. */
const insert = (event: string, origin: string, { count, beforeS = 0 }: { count: number; beforeS?: number }) =>
  db.owner.query(
    `INSERT INTO dispatch (workspace_id, id, occurred_at, received_at, agent_id, agent_name, session_id, event, lane, origin,
       tool_name, verdict, revision, duration_us, input, answer, hooks)
     SELECT $1, gen_random_uuid(), $2::timestamptz - ($6::float8 + one) * interval '1 second', $2, $3, 'a', 's', $4, 'default', $5,
       'shell', 'none', 'none', 1, '{}', '{}', '[]' FROM generate_series(0, $7::int - 1) AS one`,
    [workspace.workspaceId, UNTIL, workspace.agentId, event, origin, beforeS, count],
  );

beforeAll(async () => {
  db = await testDatabase();
  workspace = await recordedWorkspace(db, "reports");
  await db.owner.query("SELECT quarterdeck_add_month($1::date)", [UNTIL]);
  await insert("post_tool_use", "report", { count: RECORDS });
  await db.owner.query("ANALYZE dispatch");
});
afterAll(async () => {
  await workspace?.close();
  await db?.drop();
});

interface Plan {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

const readBy = (plan: Plan): number =>
  (plan["Node Type"].includes("Scan") && plan["Node Type"] !== "CTE Scan" && plan["Node Type"] !== "Subquery Scan"
    ? plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)
    : 0) + (plan.Plans ?? []).reduce((sum, part) => sum + readBy(part), 0);

/** A pool that notes the rows that each statement reads, and answers it. */
function countingPool(read: number[]): Pool {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const { pool } = db.database;
    const { rows } = await inWorkspace(workspace.workspaceId, () =>
      pool.query<{ "QUERY PLAN": readonly { Plan: Plan }[] }>({
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      }),
    );
    read.push(...rows.flatMap((row) => row["QUERY PLAN"].map((one) => readBy(one.Plan))));
    return inWorkspace(workspace.workspaceId, () => pool.query({ text, values }));
  };
  return { query } as unknown as Pool; // holds: these functions only query
}

it("reads as much where no record is a call as where each is one", async () => {
  const read: number[] = [];
  const pool = countingPool(read);
  const calls = await listRecentCalls(pool, workspace.workspaceId, null, UNTIL.getTime());
  await listRecentCalls(pool, workspace.workspaceId, [workspace.agentId], UNTIL.getTime());
  await listCalledTools(pool, workspace.workspaceId, FROM);
  expect(read).toHaveLength(5);
  expect(Math.max(...read)).toBeLessThanOrEqual(READ_MAX + 1);
  expect(calls.get(workspace.agentId)).toMatchObject({
    tools: [],
    heard: { lastAskedMs: null, lastResultMs: UNTIL.getTime(), isCut: true },
  });
});

it("finds a call among the newest records", async () => {
  await insert("pre_tool_use", "dispatch", { count: 1, beforeS: 9_000.5 });
  const calls = await inWorkspace(workspace.workspaceId, () =>
    listRecentCalls(db.database.pool, workspace.workspaceId, null, UNTIL.getTime()),
  );
  const askedMs = UNTIL.getTime() - 9_000_500;
  expect(calls.get(workspace.agentId)).toMatchObject({ tools: ["shell"], lastMsByLane: { default: askedMs } });
});
