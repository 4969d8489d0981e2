/** The one answer to the question of whether scans may go on: no gate waits, derived rows keep up, and writes are quick. */
import { z } from "zod";
import type { Pool } from "../../platform/db.ts";
import { inInstallation } from "../../platform/scope.ts";
import type { WorkerRpc } from "../../platform/worker-rpc.ts";
import { type Pressure, YIELDS_AT } from "../../pressure/index.ts";
import { findLongestLag } from "../../projectors/index.ts";

const LAG_MS_MAX = 1_000;
/** Limit for the transactions that gates wait for, on the gateways of this node. */
const WRITE_P95_MS_MAX = 50;
const RECENT_MS = 5_000;
const SAMPLES_MAX = 1_000;
/** Fewer samples are not representative. */
const SAMPLES_MIN = 5;
const QUESTION = "recent writes";

/** Errors: those of PostgreSQL. */
export async function isCalm({
  pool,
  workerRpc,
  pressure,
}: {
  readonly pool: Pool;
  readonly workerRpc: WorkerRpc;
  readonly pressure: Pick<Pressure, "level">;
}): Promise<boolean> {
  if (pressure.level >= YIELDS_AT.scans) return false;
  const [lagMs, writeMs] = await Promise.all([inInstallation(() => findLongestLag(pool)), findWriteLatency(workerRpc)]);
  return lagMs <= LAG_MS_MAX && writeMs <= WRITE_P95_MS_MAX;
}

/** The highest latency among this node's gateways; 0 while they write next to nothing. */
async function findWriteLatency(workerRpc: WorkerRpc): Promise<number> {
  const said = z.array(z.number()).parse((await workerRpc.ask(QUESTION)).filter((value) => typeof value === "number"));
  return Math.max(0, ...said);
}

/** Records the durations of recent transactions for scans. Returns a function to call with each, in milliseconds. */
export function rememberWrites(
  workerRpc: WorkerRpc,
  nowMs: () => number = () => performance.now(),
): (durationMs: number) => void {
  let recent: { readonly atMs: number; readonly tookMs: number }[] = [];
  workerRpc.answer(QUESTION, () => {
    recent = recent.filter(({ atMs }) => nowMs() - atMs <= RECENT_MS);
    if (recent.length < SAMPLES_MIN) return undefined;
    const sorted = recent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.95)];
  });
  return (tookMs) => {
    recent.push({ atMs: nowMs(), tookMs });
    if (recent.length > SAMPLES_MAX) recent = recent.slice(-SAMPLES_MAX / 2);
  };
}
