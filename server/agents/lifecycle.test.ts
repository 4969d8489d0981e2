import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { create as createBudget } from "../budgets/index.ts";
import type { AppError } from "../errors/app-error.ts";
import { assign } from "../policies/index.ts";
import { rotateKey } from "./keys.ts";
import * as lifecycle from "./lifecycle.ts";
import * as agents from "./service.ts";

let db: TestDatabase;
let server: TestGateway;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const create = (name: string) => agents.create(server.database, server.running.app.bus, server.admin, { name });
type Act = typeof lifecycle.retire | typeof lifecycle.restore | typeof lifecycle.remove;
const act = (how: Act, agentId: string) => how(server.database, server.running.app.bus, server.admin, { agentId });
const rename = (agentId: string, name: string) =>
  lifecycle.rename(server.database, server.running.app.bus, server.admin, { agentId, name });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => `${error.code}: ${error.message}`,
  );

async function gate(key: string, session: string) {
  const answer = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: session, tool_name: "shell", tool_input: { cmd: "ls" } }),
  });
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string; message: string } } };
}
const rowsOf = async (sql: string, agentId: string) => (await db.database.pool.query(sql, [agentId])).rows;
const namesOf = async (agentId: string) =>
  (await rowsOf("SELECT session_id, agent_name FROM dispatch WHERE agent_id = $1 ORDER BY session_id", agentId)).map(
    ({ session_id, agent_name }) => `${session_id} by ${agent_name}`,
  );
const entriesOf = async (agentId: string) =>
  (
    await rowsOf(
      "SELECT body::jsonb ->> 'kind' AS kind FROM audit_entry WHERE body::jsonb ->> 'agent' = $1 ORDER BY seq",
      agentId,
    )
  ).map(({ kind }) => kind);

it("an agent that is renamed keeps its key; what it did keeps the name that was valid then", async () => {
  const { agentId, key } = await create("first name");
  expect((await gate(key, "1")).status).toBe(200);
  await rename(agentId, "second name");
  expect((await gate(key, "2")).status).toBe(200);
  expect(await namesOf(agentId)).toEqual(["1 by first name", "2 by second name"]);
  expect(await entriesOf(agentId)).toEqual(["agent_created", "agent_key_created", "agent_renamed"]);
  await create("taken");
  expect(await refusal(rename(agentId, "taken"))).toBe('name_taken: There is already an agent named "taken".');
});

it("a retired agent's keys are refused in words, it gets no other, and open again when it is brought back", async () => {
  const { agentId, keyId, key } = await create("resting");
  expect((await gate(key, "1")).status).toBe(200);
  await act(lifecycle.retire, agentId);
  const refused = await gate(key, "2");
  expect([refused.status, refused.body.error?.code]).toEqual([403, "agent_retired"]);
  expect(refused.body.error?.message).toContain("This agent is retired");
  const { bus } = server.running.app;
  const byName = agents.createKeyByName(server.database, bus, server.admin, { name: "resting" });
  expect(await refusal(byName)).toBe("agent_retired: resting is retired. Restore the agent before you add a key.");
  const rotated = rotateKey(server.database, bus, server.admin, { agentId, keyId, overlapHours: 1 });
  expect(await refusal(rotated)).toBe("agent_retired: resting is retired. Restore the agent before you add a key.");
  await act(lifecycle.restore, agentId);
  expect((await gate(key, "3")).status).toBe(200);
  expect(await namesOf(agentId)).toEqual(["1 by resting", "3 by resting"]);
  expect((await entriesOf(agentId)).slice(2)).toEqual(["agent_retired", "agent_restored"]);
});

it("an agent is removed when it is retired and nothing names it; decisions, costs and entries stay", async () => {
  const { agentId, key } = await create("leaving");
  expect((await gate(key, "1")).status).toBe(200);
  expect(await refusal(act(lifecycle.remove, agentId))).toBe(
    "agent_in_use: Retire leaving first. Its keys are still valid.",
  );
  const sums = "SELECT agent_name, dispatches::int AS count FROM rollup_hour WHERE agent_id = $1";
  const counted = await rowsOf(sums, agentId);
  expect(counted).toEqual([{ agent_name: "leaving", count: 1 }]);
  await act(lifecycle.retire, agentId);
  await createBudget({ db: server.database, bus: server.running.app.bus }, server.admin, {
    name: "its money",
    about: { scope: "agent", agentId },
    period: "day",
    amountNano: 1_000_000_000n,
    reserveNano: null,
    thresholds: [],
    isHard: false,
    unpriced: "pass",
  });
  expect(await refusal(act(lifecycle.remove, agentId))).toBe(
    'agent_in_use: leaving is used by the budget "its money". Remove it there first.',
  );
  await db.database.pool.query("DELETE FROM budget WHERE name = 'its money'");
  await act(lifecycle.remove, agentId);
  expect((await gate(key, "2")).body.error?.code).toBe("unauthenticated");
  expect(await namesOf(agentId)).toEqual(["1 by leaving"]);
  expect(await rowsOf(sums, agentId)).toEqual(counted);
  expect((await entriesOf(agentId)).at(-1)).toBe("agent_removed");
  expect(await rowsOf("SELECT id FROM agent_key WHERE agent_id = $1", agentId)).toEqual([]);
  expect((await create("leaving")).agentId).not.toBe(agentId);
});

it("an agent that a policy is applied to is not removed, and one that is gone gets no policy", async () => {
  const { agentId } = await create("bound");
  const { bus } = server.running.app;
  await server.publish("hooks: {}", "on it alone");
  const [policy] = await rowsOf("SELECT id FROM policy WHERE name = $1", "on it alone");
  const policyId: string = policy?.id ?? "";
  const to = (agentIds: string[]) =>
    assign(server.database, bus, server.admin, { policyId, scope: "chosen", groupIds: [], agentIds });
  await to([agentId]);
  await act(lifecycle.retire, agentId);
  expect(await refusal(act(lifecycle.remove, agentId))).toContain('the policy "on it alone"');
  await to([]);
  await act(lifecycle.remove, agentId);
  expect(await refusal(to([agentId]))).toContain("agent_not_found");
});
