/** The list that approvers answer from, while one agent asks more than anybody can answer. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { INPUT_CHARS_MAX, LIST_MAX } from "./schema.ts";
import * as approvals from "./service.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

interface Crowd {
  readonly agentId: string;
  readonly count: number;
  readonly endsInSeconds: number;
  readonly inputChars?: number;
  readonly isClosed?: boolean;
}

let number = 0;
async function ask(workspaceId: string, { agentId, count, endsInSeconds, inputChars = 10, isClosed = false }: Crowd) {
  await db.owner.query(
    `INSERT INTO approval_request (workspace_id, id, number, is_waiting, agent_id, agent_name, session_id, tool_name, call_id,
       input_sha256, input, is_whole, reason, asked_by, expires_at, state, closed_at)
     SELECT $1, gen_random_uuid(), $3 + n, false, $2, 'a', 's', 'shell', n::text, sha256(n::text::bytea),
       '{"cmd":"' || repeat('x', $6) || '"}', true, 'why', '[]',
       clock_timestamp() + $5 * interval '1 second', CASE WHEN $7 THEN 'lapsed' ELSE 'pending' END, CASE WHEN $7 THEN clock_timestamp() END
     FROM generate_series(1, $4::int) AS n`,
    [workspaceId, agentId, number, count, endsInSeconds, inputChars, isClosed],
  );
  number += count;
}

const listOf = (workspaceId: string) => approvals.list(db.database, { workspaceId, id: "x", kind: "script" });

it("shows the calls of every agent, whatever one of them asks", async () => {
  const workspaceId = await newWorkspace(db.database, `crowd ${randomUUID()}`);
  const [loud, quiet] = [randomUUID(), randomUUID()];
  await ask(workspaceId, { agentId: loud, count: 1_000, endsInSeconds: 60 });
  await ask(workspaceId, { agentId: quiet, count: 3, endsInSeconds: 3_600 });
  const { open } = await listOf(workspaceId);
  expect(open).toHaveLength(LIST_MAX);
  expect(open.filter(({ agentId }) => agentId === quiet)).toHaveLength(3);
  const ends = open.map(({ expiresAt }) => expiresAt.getTime());
  expect(ends).toEqual(ends.toSorted((one, other) => one - other));
});

it("stays of a size that a browser reads, whatever stands in the calls", async () => {
  const workspaceId = await newWorkspace(db.database, `large ${randomUUID()}`);
  const [loud, quiet] = [randomUUID(), randomUUID()];
  const large = { endsInSeconds: 60, inputChars: INPUT_CHARS_MAX - 10 };
  await ask(workspaceId, { ...large, agentId: loud, count: 200 });
  await ask(workspaceId, { ...large, agentId: loud, count: 200, isClosed: true });
  await ask(workspaceId, { agentId: quiet, count: 1, endsInSeconds: 3_600 });
  const listed = await listOf(workspaceId);
  expect(JSON.stringify(listed).length).toBeLessThan(6 * 1_048_576);
  expect(listed.open.filter(({ agentId }) => agentId === loud).length).toBeGreaterThan(50);
  expect(listed.open.some(({ agentId }) => agentId === quiet)).toBe(true);
  expect(listed.closed).toHaveLength(LIST_MAX);
});

it("counts the earlier calls of a card among the like alone, and no more than a thousand", async () => {
  const workspaceId = await newWorkspace(db.database, `precedents ${randomUUID()}`);
  const [loud, quiet] = [randomUUID(), randomUUID()];
  await ask(workspaceId, { agentId: loud, count: 20_000, endsInSeconds: 60, isClosed: true });
  await ask(workspaceId, { agentId: quiet, count: 1, endsInSeconds: 60 });
  await ask(workspaceId, { agentId: loud, count: 1, endsInSeconds: 60 });
  await db.owner.query("ANALYZE approval_request");
  const { open } = await listOf(workspaceId);
  const idOf = (agentId: string) => open.find((one) => one.agentId === agentId)?.id ?? "";
  expect((await approvals.precedent(db.database, workspaceId, idOf(loud))).tool.lapsed).toBe(1_000);
  expect((await approvals.precedent(db.database, workspaceId, idOf(quiet))).tool.lapsed).toBe(0);
  for (const agentId of [loud, quiet]) expect(await rowsRead(workspaceId, idOf(agentId))).toBeLessThan(1_100);
});

it("counts the earlier calls that ended, however many of the agent wait", async () => {
  const workspaceId = await newWorkspace(db.database, `waiting ${randomUUID()}`);
  const loud = randomUUID();
  await ask(workspaceId, { agentId: loud, count: 5, endsInSeconds: 60, isClosed: true });
  await ask(workspaceId, { agentId: loud, count: 1_500, endsInSeconds: 60 });
  const { open } = await listOf(workspaceId);
  expect((await approvals.precedent(db.database, workspaceId, open[0]?.id ?? "")).tool.lapsed).toBe(5);
});

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The most rows that one step of the statement read. */
async function rowsRead(workspaceId: string, id: string): Promise<number> {
  const asked: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const none = { allowed: 0, denied: 0, lapsed: 0 };
  const pool = {
    query: async (statement: (typeof asked)[number]) => {
      asked.push(statement);
      return { rows: [{ same: none, tool: none }] };
    },
  };
  await approvals.precedent({ pool: pool as never }, workspaceId, id); // holds: no more of a pool is asked
  const [statement] = asked;
  const { rows } = await db.owner.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement?.text}`,
    [...(statement?.values ?? [])],
  );
  const readBy = (node: PlanNode): number =>
    Math.max(node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0), ...(node.Plans ?? []).map(readBy));
  return rows[0] ? readBy(rows[0]["QUERY PLAN"][0].Plan) : Number.POSITIVE_INFINITY;
}
