/** A halt holds under load, also at a gateway that hears of nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestDatabase } from "../../e2e/fixtures/database.ts";
import type { TestGateway } from "../../e2e/fixtures/gateway.ts";
import { callGate, type HaltedAgent, type HaltsRig, haltsRig, isDenied } from "../../e2e/fixtures/halts-rig.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";

let rig: HaltsRig;
let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
/** The listening backend of the second gateway. */
let secondListener: number;

async function listeners(): Promise<number[]> {
  const { rows } = await db.owner.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'quarterdeck listener' AND datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
}

beforeAll(async () => {
  rig = await haltsRig();
  ({ db, first } = rig);
  const before = await listeners();
  second = await rig.addGateway();
  secondListener = (await listeners()).find((pid) => !before.includes(pid)) ?? 0;
});
afterAll(() => rig?.close());
afterEach(() => rig.resumeAll());

/** The verdicts of the workspace that stand above a number of the chain, each counted. */
async function verdictsAbove(workspaceId: string, number: number): Promise<Record<string, number>> {
  const { rows } = await db.database.pool.query<{ verdict: string; count: number }>(
    `SELECT dispatch.verdict, count(*)::int AS count FROM chain_batch JOIN dispatch
       ON dispatch.workspace_id = chain_batch.workspace_id AND dispatch.batch = chain_batch.batch
     WHERE chain_batch.workspace_id = $1 AND chain_batch.seq > $2 GROUP BY 1`,
    [workspaceId, number],
  );
  return Object.fromEntries(rows.map(({ verdict, count }) => [verdict, count]));
}

describe("a workspace that is halted under load over two gateways, one of which hears nothing", () => {
  it("allows nothing with a chain number above the halt's, and denies at once", async () => {
    const { workspaceId } = first.admin;
    const workers = await Promise.all(Array.from({ length: 16 }, () => rig.newAgent()));
    await Promise.all(workers.flatMap((agent) => [callGate(first, agent), callGate(second, agent)]));
    const listener = secondListener;
    process.kill(listener, "SIGSTOP");
    try {
      for (let round = 0; round < repetitions(4, 10); round += 1) {
        let isOver = false;
        let denied = 0;
        let passed = 0;
        const under = workers.map(async (agent, index) => {
          while (!isOver) {
            const { status, answer } = await callGate(index % 2 === 0 ? first : second, agent);
            expect(status, JSON.stringify(answer)).toBe(200);
            if (answer.continue === false) denied += 1;
            else passed += 1;
          }
        });
        await vi.waitUntil(() => passed > 30, { timeout: 20_000 });
        const { id } = await rig.halt({ scope: "workspace" });
        const head = await rig.headOf(workspaceId);
        // The very first call that begins after the halt is denied, at the gateway that hears nothing too.
        const [firstAnswer, secondAnswer] = await Promise.all([
          isDenied(first, workers[0] as HaltedAgent),
          isDenied(second, workers[1] as HaltedAgent),
        ]);
        expect([firstAnswer, secondAnswer]).toEqual([true, true]);
        await vi.waitUntil(() => denied > 30, { timeout: 20_000 });
        isOver = true;
        await Promise.all(under);
        const above = await verdictsAbove(workspaceId, head?.number ?? 0);
        expect(Object.keys(above)).toEqual(["deny"]);
        await rig.resume(id);
        expect(await isDenied(second, workers[1] as HaltedAgent)).toBe(false);
      }
    } finally {
      process.kill(listener, "SIGCONT");
    }
  }, 120_000);
});
