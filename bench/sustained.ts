/**
 * Ten minutes (or `-- seconds`) at 80 % of the peak with 20 viewers, then PostgreSQL killed under the same load: whatever was
 * acknowledged is there, once, and nothing else is.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { gatedAgent } from "./fixtures/gated-agent.ts";
import { checkLedger } from "./fixtures/ledger-check.ts";
import { atFullSpeed, atPace, type Ledger, newLedger, type Sent, type Target } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { openViewers } from "./fixtures/viewers.ts";

const SECONDS = 600;
const CONNECTIONS = 64;
const VIEWERS = 20;
const SHARE_OF_PEAK = 0.8;
const WARM_UP_MS = 5_000;
const PEAK_MS = 5_000;
/** Load before and after PostgreSQL is killed. */
const AROUND_KILL_MS = 10_000;
const PROGRESS_MS = 60_000;

/** Whether nothing that was acknowledged is lost or doubled, with and without a crash of the database. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const seconds = Number(args[0] ?? SECONDS);
  if (!Number.isFinite(seconds) || seconds < 1 || seconds > 7_200)
    throw new Error("The argument is how many seconds to keep it up, from 1 to 7,200.");
  const server = await ownServer();
  try {
    await server.start();
    const target = { url: `${server.url}/api/v1/hooks/pre_tool_use`, key: await gatedAgent(server) };
    const ledger = newLedger();

    await atFullSpeed(target, ledger, CONNECTIONS, WARM_UP_MS);
    const peak = await atFullSpeed(target, ledger, CONNECTIONS, PEAK_MS);
    const peakPerSecond = peak.latenciesMs.length / peak.seconds;
    const perSecond = Math.max(1, Math.floor(peakPerSecond * SHARE_OF_PEAK));
    console.log(`peak: ${peakPerSecond.toFixed(0)}/s over ${CONNECTIONS} connections; kept up: ${perSecond}/s`);

    const token = (await readFile(join(server.dataDir, "admin-token"), "utf8")).trim();
    const viewers = openViewers(server.url, token, VIEWERS);
    const isKeptUp = await keepUp(server, target, ledger, perSecond, seconds);
    console.log(
      `${VIEWERS} viewers: each heard ${viewers.fewest()} changes or more, ${viewers.reconnects()} reconnects`,
    );
    const isKeptOver = await overCrash(server, target, ledger, perSecond);
    console.log(`viewers after it: ${viewers.reconnects()} reconnects`);
    await viewers.close();
    return isKeptUp && isKeptOver;
  } finally {
    await server.close();
  }
}

async function keepUp(server: OwnServer, target: Target, ledger: Ledger, perSecond: number, seconds: number) {
  const progress = setInterval(() => console.log(`  ${ledger.acknowledged.size} acknowledged`), PROGRESS_MS);
  const sent = await atPace(target, ledger, { perSecond, connections: CONNECTIONS }, delay(seconds * 1_000));
  clearInterval(progress);
  console.log(`${seconds} s at ${perSecond}/s: ${told(sent)}`);
  return checkLedger(server, ledger);
}

async function overCrash(server: OwnServer, target: Target, ledger: Ledger, perSecond: number): Promise<boolean> {
  const crash = (async () => {
    await delay(AROUND_KILL_MS);
    const [pid] = (await readFile(join(server.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
    await delay(AROUND_KILL_MS);
  })();
  const sent = await atPace(target, ledger, { perSecond, connections: CONNECTIONS }, crash);
  console.log(`PostgreSQL killed under load: ${told(sent)}; nothing acknowledged for ${ms(sent.silenceMs)} at most`);
  return checkLedger(server, ledger);
}

function told({ latenciesMs, failures, skipped, seconds }: Sent): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(latenciesMs, share));
  const rate = (latenciesMs.length / seconds).toFixed(0);
  const times = `p50 ${ms(p50 ?? 0)}, p95 ${ms(p95 ?? 0)}, p99 ${ms(p99 ?? 0)}`;
  return `${latenciesMs.length} acknowledged (${rate}/s), ${times}; ${failures} tries failed, ${skipped} not sent`;
}
