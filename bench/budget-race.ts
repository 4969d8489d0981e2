/**
 * Two hundred calls race for a hard budget, round after round, over real HTTP: on one node, and on two over one PostgreSQL.
 * No round may pass its budget by a nano-dollar, nor leave out a call that would have fitted.
 *
 *     npm run bench budget-race [-- 50]
 */
import { race } from "../e2e/fixtures/budget-race.ts";
import { type TestGateway, testGateway } from "../e2e/fixtures/gateway.ts";
import * as budgets from "../server/budgets/index.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { temporaryDatabase } from "./fixtures/temporary-database.ts";

const ROUNDS = 50;
const CALLS = 200;
const RESERVE = 200_000_000n;
/** Sixty-two calls and a little that is no call. */
const AMOUNT = 12_500_000_007n;
const FITS = Number(AMOUNT / RESERVE);
const POLICY = "hooks:\n  before_llm_call:\n    - { type: builtin, command: budget_guard }\n";

const KINDS = {
  /** Each costs what was reserved for it: exactly so many fit. */
  exact: { costOf: () => "0.2", isRight: (allowed: number) => allowed === FITS },
  /** Cheaper ones settle while others ask, and some never report: more may fit, never too many. */
  cheaper: {
    costOf: (call: number) => ["0.061", "0.2", "0.000000001", "0", null][call % 5] ?? null,
    isRight: (allowed: number) => allowed >= FITS,
  },
} as const;

/** True if no round passed its budget, left out a call that fitted or answered with an error. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const rounds = Number(args[0] ?? ROUNDS);
  const database = await temporaryDatabase();
  const first = await testGateway(database.url);
  const nodes = [first, await testGateway(database.url)];
  try {
    const key = await first.agent("racer");
    await first.publish(POLICY);
    let isKept = true;
    console.log(`${CALLS} calls of up to $0.20 race for $12.500000007, ${rounds} rounds`);
    for (const count of [1, 2])
      for (const [name, kind] of Object.entries(KINDS)) {
        const urls = nodes.slice(0, count).map(({ url }) => url);
        const allowed: number[] = [];
        const tookMs: number[] = [];
        let [overshoot, wrong, failed] = [0n, 0, 0];
        for (let round = 0; round < rounds; round += 1) {
          const budgetId = await budget(first, `${name} ${count} ${round}`);
          const startedMs = performance.now();
          const outcome = await race({ urls, key }, { calls: CALLS, round: `${name} ${count} ${round}`, ...kind });
          tookMs.push(performance.now() - startedMs);
          const used = await usedIn(first, budgetId);
          if (used > AMOUNT && used - AMOUNT > overshoot) overshoot = used - AMOUNT;
          allowed.push(outcome.allowed);
          failed += outcome.failed;
          if (outcome.failed > 0)
            console.error(`round ${round}: ${outcome.failed} answered "${outcome.errors.join('", "')}"`);
          if (!kind.isRight(outcome.allowed)) wrong += 1;
          await budgets.remove(worldOf(first), first.admin, { budgetId, version: 1 });
          await database.owner.query("DELETE FROM rollup_day");
        }
        isKept &&= overshoot === 0n && wrong === 0 && failed === 0;
        const range = `${Math.min(...allowed)} to ${Math.max(...allowed)}`;
        console.log(
          `${count} node${count === 1 ? " " : "s"}  ${name.padEnd(8)} rounds ${rounds}  allowed ${range.padEnd(9)} ` +
            `overshoot ${overshoot} nano-dollars  errors ${failed}  p50 of a round ${ms(percentile(tookMs, 0.5))}`,
        );
      }
    return isKept;
  } finally {
    for (const node of nodes) await node.stop();
    await database.stop();
  }
}

const worldOf = ({ database, running }: TestGateway) => ({ db: database, bus: running.app.bus });

async function budget(node: TestGateway, name: string): Promise<string> {
  const settings = { amountNano: AMOUNT, reserveNano: RESERVE, thresholds: [80, 100], isHard: true };
  const about = { scope: "workspace" as const };
  const input = { name, about, period: "day" as const, unpriced: "count" as const, ...settings };
  return (await budgets.create(worldOf(node), node.admin, input)).budgetId;
}

/** Spent and held together; nothing of it may be beyond the budget. */
async function usedIn({ database, admin }: TestGateway, budgetId: string): Promise<bigint> {
  const standing = (await budgets.budgetStatuses(database, admin.workspaceId)).find(({ id }) => id === budgetId);
  if (!standing) throw new Error("the budget is gone");
  const { spentNano, assumedNano, heldNano } = standing.account;
  return spentNano + assumedNano + heldNano;
}
