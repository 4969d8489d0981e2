import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Node, sharedSecrets, startNode } from "../../e2e/fixtures/nodes.ts";
import { ensureFirstRun } from "../people/index.ts";

const READS = 100;
const GATES = 40;

const secrets = sharedSecrets();
let db: TestDatabase;
let node: Node;

beforeAll(async () => {
  db = await testDatabase();
  await ensureFirstRun(db.database);
  node = await startNode(db.url, secrets);
}, 300_000);
afterAll(async () => {
  await node?.stop();
  await db?.drop();
}, 60_000);

const asAdmin = { authorization: `Bearer ${secrets.QUARTERDECK_TOKEN}`, "content-type": "application/json" };

async function newKey(): Promise<string> {
  const body = JSON.stringify({ json: { name: "gated" } });
  const made = await fetch(`${node.url}/api/trpc/agents.create`, { method: "POST", headers: asAdmin, body });
  const { result } = (await made.json()) as { result: { data: { json: { key: string } } } }; // tRPC's own shape
  return result.data.json.key;
}

const gate = async (key: string, call: number): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const input = { session_id: "gated", tool_name: "shell", tool_use_id: String(call), tool_input: {} };
  return fetch(`${node.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers,
    body: JSON.stringify(input),
  }).then(({ status }) => status);
};

async function stuck(): Promise<number> {
  const { rows } = await db.owner.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rows[0]?.count ?? 0;
}

it("a hundred page reads that are stuck refuse no gate, and those that would only wait are told so at once", async () => {
  const key = await newKey();
  expect(await gate(key, 0)).toBe(200);
  const holder = await db.owner.connect();
  await holder.query("BEGIN; LOCK TABLE saved_view IN ACCESS EXCLUSIVE MODE");
  const answers: number[] = [];
  const reads = Array.from({ length: READS }, async () => {
    const response = await fetch(
      `${node.url}/api/trpc/views.list?input=%7B%22json%22%3A%7B%22page%22%3A%22decisions%22%7D%7D`,
      { headers: asAdmin },
    );
    answers.push(response.status);
  });
  await expect.poll(stuck, { timeout: 4_000 }).toBeGreaterThan(0);
  // Before PostgreSQL ends the first of those that are stuck.
  await expect.poll(() => answers.length, { timeout: 4_000 }).toBeGreaterThan(0);
  expect(new Set(answers)).toEqual(new Set([503]));

  const gates: number[] = [];
  for (let call = 1; call <= GATES; call += 1) gates.push(await gate(key, call));
  expect(gates).toEqual(Array.from({ length: GATES }, () => 200));
  expect(await stuck()).toBeGreaterThan(0);

  await holder.query("ROLLBACK");
  holder.release();
  await Promise.all(reads);
  expect(answers.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});
