/** Two hundred calls race for the last money, on one node and on two: a hard budget is never passed by a nano-dollar. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { race } from "../../e2e/fixtures/budget-race.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as budgets from "./service.ts";
import { budgetStatuses } from "./status.ts";

const CALLS = 200;
const ROUNDS = 2;
const POLICY = "hooks:\n  before_llm_call:\n    - { type: builtin, command: budget_guard }\n";
const RESERVE = 200_000_000n;
/** Sixty-two calls and a little that is no call. */
const AMOUNT = 12_500_000_007n;

let db: TestDatabase;
let nodes: readonly TestGateway[];
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  const node = await testGateway(db.url);
  nodes = [node, await testGateway(db.url)];
  key = await node.agent("racer");
  await node.publish(POLICY);
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.stop();
  await db?.drop();
});

function first() {
  const [node] = nodes;
  if (!node) throw new Error("no node was started");
  return { world: { db: node.database, bus: node.running.app.bus }, admin: node.admin };
}

async function freshBudget(name: string): Promise<string> {
  const { world, admin } = first();
  const settings = { amountNano: AMOUNT, reserveNano: RESERVE, thresholds: [50, 80, 100], isHard: true };
  const about = { scope: "agent" as const, agentId: await racerId() };
  const input = { name, about, period: "day" as const, unpriced: "count" as const, ...settings };
  return (await budgets.create(world, admin, input)).budgetId;
}

async function racerId(): Promise<string> {
  const found = await db.database.pool.query<{ id: string }>("SELECT id FROM agent WHERE name = 'racer'");
  return found.rows[0]?.id ?? "";
}

async function standing(id: string) {
  const { world, admin } = first();
  const found = (await budgetStatuses(world.db, admin.workspaceId)).find((one) => one.id === id);
  if (!found) throw new Error("the budget is gone");
  return found;
}

async function ended(id: string): Promise<void> {
  const { world, admin } = first();
  await budgets.remove(world, admin, { budgetId: id, version: 1 });
  for (const node of nodes) await node.projected();
  // The next round's budget begins without what this one spent.
  await db.owner.query("DELETE FROM rollup_day");
}

it.each([1, 2])("on %i node(s), calls that cost their reservation: as many as fit, and no more", async (count) => {
  const urls = nodes.slice(0, count).map(({ url }) => url);
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await freshBudget(`exact ${count} ${round}`);
    const outcome = await race({ urls, key }, { calls: CALLS, round: `exact ${count} ${round}`, costOf: () => "0.2" });
    expect(outcome).toEqual({ allowed: 62, refused: CALLS - 62, failed: 0, errors: [] });
    const { account, state } = await standing(id);
    expect(account).toMatchObject({ spentNano: 62n * RESERVE, heldNano: 0n, assumedNano: 0n, priced: 62, beyond: 0 });
    expect(state).toBe("closed");
    await ended(id);
  }
});

it.each([1, 2])("on %i node(s), cheaper calls that settle meanwhile: never a nano-dollar above", async (count) => {
  const urls = nodes.slice(0, count).map(({ url }) => url);
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await freshBudget(`cheap ${count} ${round}`);
    const costs = ["0.061", "0.2", "0.000000001", "0", null];
    const costOf = (call: number) => costs[call % costs.length] ?? null;
    const outcome = await race({ urls, key }, { calls: CALLS, round: `cheap ${count} ${round}`, costOf });
    expect(outcome.errors).toEqual([]);
    expect(outcome.allowed).toBeGreaterThanOrEqual(62);
    const { account } = await standing(id);
    expect(account.spentNano + account.assumedNano + account.heldNano).toBeLessThanOrEqual(AMOUNT);
    expect(account.priced + account.free + Number(account.heldNano / RESERVE)).toBe(outcome.allowed);
    await ended(id);
  }
});
