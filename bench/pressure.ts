/**
 * Gates at shares of the peak while others are busy, each in turns with the same pace on the quiet node; then more gates than the
 * node can answer. One run gives all, so that only the other work differs.
 *
 *     npm run bench pressure [-- seconds of each round [the peak; that of the last `npm run bench peak` when absent
 *         [dispatches of the history [rounds]]]]
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lastRun, observed, promised } from "./fixtures/figures.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { type Offered, offer } from "./fixtures/offered-calls.ts";
import { atFullSpeed, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { startDisturbance } from "./fixtures/start-disturbance.ts";
import { type Traffic, toolCalls } from "./fixtures/traffic.ts";
import { openViewers } from "./fixtures/viewers.ts";

const SECONDS = 30;
const HISTORY = 100_000;
const ROUNDS = 3;
const SHARES = [0.3, 0.6, 0.9];
const BEYOND = 1.5;
const VIEWERS = [20, 200];
const VIEWED_MS = 3_600_000;
const WORK = ["an export", "a whole verification", "4 exporters that send telemetry"];
const [CONNECTIONS, SESSIONS, KEYS] = [256, 200, 8];
const WARM_UP_MS = 5_000;
/** Between two rounds: pressure is gone after two seconds. */
const QUIET_MS = 3_000;
const RATIO_MAX = 2;
const BEYOND_P99_MS = 500;

interface Load {
  readonly filled: FilledServer;
  readonly traffic: Traffic;
  readonly token: string;
  readonly key: string;
  readonly seconds: number;
}

/** Starts other work; its end says what was done. */
type StartWork = (load: Load) => Promise<() => Promise<string>>;

const startViewers =
  (count: number): StartWork =>
  async ({ filled, token }) => {
    const viewers = await openViewers({ url: filled.server.url, token, count, rangeMs: VIEWED_MS });
    return async () => {
      const { queries, failures, failure, fewestChanges } = await viewers.report();
      await viewers.close();
      return `${queries} queries, ${failures} failed${failure === null ? "" : ` (${failure})`}; each heard ${fewestChanges} changes or more`;
    };
  };

const startWork =
  (name: string): StartWork =>
  ({ filled, key, seconds }) => {
    const { url, dataDir } = filled.server;
    return startDisturbance({ name, url, dataDir, until: filled.until.toISOString(), key, seconds });
  };

const ALONE = "alone";
const CASES: ReadonlyMap<string, StartWork> = new Map([
  [ALONE, async () => async () => ""],
  ...VIEWERS.map((count) => [`${count} viewers`, startViewers(count)] as const),
  ...WORK.map((name) => [name, startWork(name)] as const),
]);

/** True when other work slows no gate beyond the bound, and gates beyond the peak are answered in time or refused at once. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [seconds, history, rounds] = [
    Number(args[0] ?? SECONDS),
    Number(args[2] ?? HISTORY),
    Number(args[3] ?? ROUNDS),
  ];
  const peak = Number(args[1] ?? lastRun("peak")?.values.perSecond ?? Number.NaN);
  if (!(peak >= 2)) throw new Error("Run `npm run bench peak` first, or name the peak behind the seconds.");
  if (!(seconds >= 1 && seconds <= 600 && rounds >= 1 && rounds <= 20))
    throw new Error("A round takes 1 to 600 seconds, and there are 1 to 20 rounds.");
  const filled = await filledServer(history);
  try {
    const keys: string[] = [];
    for (let index = 0; index < KEYS; index += 1) keys.push(await filled.script.key(`pressed-${index}`));
    // The history's policies run commands for `shell`; here only the gate itself is looked at.
    const traffic = toolCalls(filled.server.url, keys, SESSIONS, "read_file");
    await atFullSpeed(traffic, newLedger(), 64, WARM_UP_MS);
    const token = (await readFile(join(filled.server.dataDir, "admin-token"), "utf8")).trim();
    const load = { filled, traffic, token, key: keys[0] ?? "", seconds };
    let isKept = true;
    for (const share of SHARES) isKept = (await compareCases(load, share, Math.floor(peak * share), rounds)) && isKept;
    return (await goBeyond(load, Math.ceil(peak * BEYOND))) && isKept;
  } finally {
    await filled.close();
  }
}

async function compareCases(load: Load, share: number, perSecond: number, rounds: number): Promise<boolean> {
  const measured = new Map<string, { readonly offered: Offered; readonly done: string }[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, start] of CASES) {
      const stop = await start(load);
      const offered = await offer(load.traffic, { perSecond, connections: CONNECTIONS, seconds: load.seconds });
      const done = await stop();
      measured.set(name, [...(measured.get(name) ?? []), { offered, done }]);
      console.log(`${share * 100} % ${name}: ${textOf(offered)}${done === "" ? "" : `; ${done}`}`);
      await delay(QUIET_MS);
    }
  const p99Of = (name: string) =>
    percentile(
      (measured.get(name) ?? []).map(({ offered }) => percentile(offered.answeredMs, 0.99) ?? Number.POSITIVE_INFINITY),
      0.5,
    ) ?? Number.POSITIVE_INFINITY;
  observed(`${share * 100} % of the peak (${perSecond}/s) ${ALONE}`, `p99 ${ms(p99Of(ALONE))}`);
  let isKept = true;
  for (const [name, runs] of measured) {
    if (name === ALONE) continue;
    const ratio = p99Of(name) / p99Of(ALONE);
    const refused = runs.reduce((sum, { offered }) => sum + offered.refusedMs.length + offered.broken, 0);
    const text = `${ratio.toFixed(2)}x (p99 ${ms(p99Of(name))}), ${refused} refused; ${runs[0]?.done}`;
    const asked = `gate p99 at most ${RATIO_MAX}x, 0 refused`;
    isKept = promised(`${share * 100} % with ${name}`, asked, text, ratio <= RATIO_MAX && refused === 0) && isKept;
  }
  return isKept;
}

async function goBeyond(load: Load, perSecond: number): Promise<boolean> {
  // The first seconds raise the level; they are not measured.
  await offer(load.traffic, { perSecond, connections: CONNECTIONS, seconds: WARM_UP_MS / 1_000 });
  const offered = await offer(load.traffic, { perSecond, connections: CONNECTIONS, seconds: load.seconds });
  const p99 = percentile(offered.answeredMs, 0.99) ?? Number.POSITIVE_INFINITY;
  const asked = `p99 of answered gates under ${BEYOND_P99_MS} ms, every other refused`;
  const isMet = p99 < BEYOND_P99_MS && offered.broken === 0;
  return promised(`${BEYOND}x the peak (${perSecond}/s)`, asked, textOf(offered), isMet);
}

function textOf({ answeredMs, refusedMs, broken }: Offered): string {
  const times = (of: readonly number[]) =>
    of.length === 0 ? "none" : `p50 ${ms(percentile(of, 0.5) ?? 0)}, p99 ${ms(percentile(of, 0.99) ?? 0)}`;
  return `${answeredMs.length} answered (${times(answeredMs)}), ${refusedMs.length} refused (${times(refusedMs)}), ${broken} broken`;
}
