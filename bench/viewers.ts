/**
 * The work of PostgreSQL for many viewers of the same pages, while fifty events a second arrive. With `own`, each has a
 * filter that no other has.
 *
 *     npm run bench viewers [-- seconds [few [many [own]]]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { observed, promised } from "./fixtures/figures.ts";
import { type GatedServer, gatedServer } from "./fixtures/gated-server.ts";
import { atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { sessionTraffic } from "./fixtures/traffic.ts";
import { openViewers } from "./fixtures/viewers.ts";

const [SECONDS, FEW, MANY] = [30, 2, 200];
const PAGES = ["overview", "decisions"];
const VIEWED_MS = 3_600_000;
const PER_SECOND = 50;
const CONNECTIONS = 16;
const SESSIONS = 200;
/** Until the viewers ask at their pace. */
const WARM_UP_MS = 5_000;
const RATIO_MAX = 1.5;

/** True when PostgreSQL's processor time grows by no more than the ratio. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [seconds, few, many] = [SECONDS, FEW, MANY].map((value, at) => Number(args[at] ?? value)) as [
    number,
    number,
    number,
  ]; // three of three
  if (![seconds, few, many].every((one) => Number.isInteger(one) && one > 0))
    throw new Error("The arguments are the seconds, the few and the many viewers: positive numbers.");
  const gated = await gatedServer();
  try {
    const haveOwnFilters = args[3] === "own";
    const taken = (count: number) => measure(gated, { count, seconds, haveOwnFilters });
    const [small, large] = [await taken(few), await taken(many)];
    const ratio = large / small;
    return promised(
      `PostgreSQL's processor with ${many} viewers`,
      `at most ${RATIO_MAX} times that with ${few}`,
      `${ratio.toFixed(2)} times`,
      ratio <= RATIO_MAX,
    );
  } finally {
    await gated.close();
  }
}

/** The processors that PostgreSQL takes. */
async function measure(
  { server, token, keys, owner }: GatedServer,
  { count, seconds, haveOwnFilters }: { count: number; seconds: number; haveOwnFilters: boolean },
): Promise<number> {
  const viewers = await openViewers({
    ...{ url: server.url, token, count, rangeMs: VIEWED_MS, pages: PAGES, haveOwnFilters },
  });
  const transactions = async () => {
    const { rows } = await owner.query<{ count: string }>(
      "SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0]?.count);
  };
  const traffic = sessionTraffic(server.url, keys, SESSIONS);
  let taken: ReadonlyMap<string, number> = new Map();
  const measuring = (async () => {
    await delay(WARM_UP_MS);
    const [before, committed, seen] = [processorOf(server.pid ?? 0), await transactions(), await viewers.report()];
    const startedMs = performance.now();
    await delay(seconds * 1_000);
    const ran = (performance.now() - startedMs) / 1_000;
    taken = processorsTaken(before, processorOf(server.pid ?? 0), ran);
    const report = await viewers.report();
    observed(
      `${count} viewers`,
      `${((report.queries - seen.queries) / ran).toFixed(0)} queries/s, ${(((await transactions()) - committed) / ran).toFixed(0)} transactions/s, p50 ${ms(report.p50)}, p95 ${ms(report.p95)}, ${report.failures} failed, ${report.reconnects} reconnects; ${processorsText(taken)}`,
    );
  })();
  await atPace(traffic, newLedger(), { perSecond: PER_SECOND, connections: CONNECTIONS }, measuring);
  await viewers.close();
  return taken.get("PostgreSQL") ?? Number.NaN;
}
