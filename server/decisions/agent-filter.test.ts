/** The filter by an agent on a large workspace: as cheap as without inner agents. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import type { Pool } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as decisions from "./repository.ts";
import { listDecisions } from "./schema.ts";

const FROM = new Date("2026-11-20T00:00:00Z");
const TO = new Date("2026-11-21T00:00:00Z");

let db: TestDatabase;
let workspace: RecordedWorkspace;
beforeAll(async () => {
  db = await testDatabase();
  workspace = await recordedWorkspace(db, "large");
  const insert = (agentId: string, name: string, rows: number) =>
    db.owner.query(
      `INSERT INTO tool_decision (workspace_id, occurred_at, dispatch_id, kind, agent_id, agent_name, session_id, event,
         tool_name, verdict, source, reason, excerpt)
       SELECT $1, $2::timestamptz + one * interval '1 second', gen_random_uuid(), 'gate', $3, $4, 's', 'pre_tool_use',
         'shell', 'allow', '', '', '' FROM generate_series(1, $5::int) AS one`,
      [workspace.workspaceId, FROM, agentId, name, rows],
    );
  await insert("0193a5f0-0000-7000-8000-000000000001", "another", 40_000);
  await insert(workspace.agentId, "ci bot / root", 300);
  await insert(workspace.agentId, "ci bot", 300);
  await db.owner.query("ANALYZE tool_decision");
});
afterAll(async () => {
  await workspace.close();
  await db.drop();
});

const asked = listDecisions.parse({ range: { from: FROM, to: TO }, filters: { agent: ["ci bot"] } });

it("finds the newest decisions under both names, in the order of time", async () => {
  const { rows } = await decisions.list(db.database.pool, workspace.workspaceId, asked, 100);
  expect(rows).toHaveLength(100);
  expect(new Set(rows.map((row) => row.agent_name))).toEqual(new Set(["ci bot", "ci bot / root"]));
  const times = rows.map((row) => row.occurred_at.getTime());
  expect(times).toEqual([...times].sort((a, b) => b - a));
});

it("reads them by two indexes", async () => {
  const { pool } = db.database;
  const explaining = {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      inWorkspace(workspace.workspaceId, () => pool.query({ text: `EXPLAIN ${text}`, values })),
  } as unknown as Pool; // holds: list() only queries
  const { rows } = await decisions.list(explaining, workspace.workspaceId, asked, 100);
  const plan = JSON.stringify(rows);
  expect(plan).toContain("tool_decision_by_agent");
  expect(plan).toContain("tool_decision_of_agent");
  expect(plan).not.toContain("Seq Scan on tool_decision");
});
