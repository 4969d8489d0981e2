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
