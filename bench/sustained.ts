/**
 * Ten minutes at 60 % of the peak: 200 sessions of many agents, 20 viewers that ask what pages ask; then PostgreSQL killed under
 * the same load: whatever was acknowledged is there, once, and nothing else is.
 *
 *     npm run bench sustained [-- seconds [the peak; that of the last `npm run bench peak` when absent]]
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lastRun, observed, promised } from "./fixtures/figures.ts";
import { type GatedServer, gatedServer } from "./fixtures/gated-server.ts";
import { checkLedger } from "./fixtures/ledger-check.ts";
import { atFullSpeed, atPace, type Ledger, newLedger, type Sent } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { watchLag } from "./fixtures/projector-lag.ts";
import { sessionTraffic, type Traffic } from "./fixtures/traffic.ts";
import { openViewers, type Viewers } from "./fixtures/viewers.ts";

const SECONDS = 600;
const CONNECTIONS = 64;
const SESSIONS = 200;
const VIEWERS = 20;
const VIEWED_MS = 3_600_000;
const SHARE_OF_PEAK = 0.6;
const WARM_UP_MS = 5_000;
const GATE_MS_MAX = { p50: 15, p95: 60, p99: 150 } as const;
const LAG_P95_MS_MAX = 500;
/** Load before and after PostgreSQL is killed. */
const AROUND_KILL_MS = 10_000;
const PROGRESS_MS = 60_000;

interface Load {
  readonly gated: GatedServer;
  readonly traffic: Traffic;
  readonly ledger: Ledger;
  readonly perSecond: number;
}

/** True when gates and projectors keep their times, and nothing that was acknowledged is lost or doubled. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const seconds = Number(args[0] ?? SECONDS);
  if (!Number.isFinite(seconds) || seconds < 1 || seconds > 7_200)
    throw new Error("The first argument is how many seconds to keep it up, from 1 to 7,200.");
  const peak = Number(args[1] ?? lastRun("peak")?.values.perSecond ?? Number.NaN);
  if (!(peak >= 2)) throw new Error("Run `npm run bench peak` first, or name the peak behind the seconds.");
  const gated = await gatedServer();
  try {
    const traffic = sessionTraffic(gated.server.url, gated.keys, SESSIONS);
    const load = { gated, traffic, ledger: newLedger(), perSecond: Math.floor(peak * SHARE_OF_PEAK) };
    console.log(`${traffic.about}; peak ${peak}/s, kept up: ${load.perSecond}/s`);
    await atFullSpeed(traffic, load.ledger, CONNECTIONS, WARM_UP_MS);
    const { token, server } = gated;
    const viewers = await openViewers({ url: server.url, token, count: VIEWERS, rangeMs: VIEWED_MS });
    const isKeptUp = await keepUp(load, viewers, seconds);
    const isKeptOver = await overCrash(load);
    await viewers.close();
    return isKeptUp && isKeptOver;
  } finally {
    await gated.close();
  }
}

async function keepUp(load: Load, viewers: Viewers, seconds: number): Promise<boolean> {
  const { gated, traffic, ledger, perSecond } = load;
  const progress = setInterval(() => console.log(`  ${ledger.acknowledged.size} acknowledged`), PROGRESS_MS);
  const [before, seenBefore] = [processorOf(gated.server.pid ?? 0), await viewers.report()];
  const lag = watchLag(gated.owner);
  const sent = await atPace(traffic, ledger, { perSecond, connections: CONNECTIONS }, delay(seconds * 1_000));
  clearInterval(progress);
  await lag.stop();
  const seen = await viewers.report();
  const taken = processorsTaken(before, processorOf(gated.server.pid ?? 0), sent.seconds);
  const viewing = (seen.processorSeconds - seenBefore.processorSeconds) / sent.seconds;
  observed("load", `${seconds} s at ${perSecond}/s, ${traffic.about}: ${sentText(sent)}`);
  observed(
    `${VIEWERS} viewers`,
    `${((seen.queries - seenBefore.queries) / sent.seconds).toFixed(0)} queries/s, p50 ${ms(seen.p50)}, p95 ${ms(seen.p95)}, ${seen.failures} failed; each heard ${seen.fewestChanges} changes or more, ${seen.reconnects} reconnects`,
  );
  observed(
    "processors",
    `${processorsText(taken)}; the sender ${(sent.processorSeconds / sent.seconds).toFixed(2)}, the viewers ${viewing.toFixed(2)}`,
  );
  const gates = ([0.5, 0.95, 0.99] as const).map((share) => percentile(sent.gatesMs, share));
  const kept = (["p50", "p95", "p99"] as const).map((name, at) => {
    const [took, max] = [gates[at] ?? Number.NaN, GATE_MS_MAX[name]];
    return promised(`gates, ${name}`, `under ${max} ms`, ms(took), took < max);
  });
  const lagP95 = percentile(lag.seenMs, 0.95);
  kept.push(promised("projector lag, p95", `under ${LAG_P95_MS_MAX} ms`, ms(lagP95), lagP95 < LAG_P95_MS_MAX));
  kept.push(promised("refused", "0", `${sent.failures + sent.skipped}`, sent.failures + sent.skipped === 0));
  kept.push(await checkLedger(gated.server, ledger, "ledger after the load"));
  return kept.every(Boolean);
}

async function overCrash({ gated, traffic, ledger, perSecond }: Load): Promise<boolean> {
  const crash = (async () => {
    await delay(AROUND_KILL_MS);
    const [pid] = (await readFile(join(gated.server.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
    await delay(AROUND_KILL_MS);
  })();
  const sent = await atPace(traffic, ledger, { perSecond, connections: CONNECTIONS }, crash);
  observed("PostgreSQL killed under load", `${sentText(sent)}; nothing acknowledged for ${ms(sent.silenceMs)} at most`);
  return checkLedger(gated.server, ledger, "ledger after PostgreSQL was killed");
}

function sentText({ latenciesMs, failures, skipped, seconds, lateP99Ms }: Sent): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => ms(percentile(latenciesMs, share)));
  const rate = (latenciesMs.length / seconds).toFixed(0);
  return `${latenciesMs.length} acknowledged (${rate}/s), p50 ${p50}, p95 ${p95}, p99 ${p99}; ${failures} tries failed, ${skipped} not sent; sent late by ${ms(lateP99Ms)} (p99)`;
}
