/**
 * Gates at a steady pace while others are busy, each beside the same pace on the quiet node, round by round in the same run. The
 * history is made once and kept outside of the project.
 *
 *     npm run bench apart [-- seconds of each round [dispatches of the history [the beginning of a disturbance's name]]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { DISTURBANCES } from "./fixtures/disturbances.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { atFullSpeed, atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { startDisturbance } from "./fixtures/start-disturbance.ts";
import { type Traffic, toolCalls } from "./fixtures/traffic.ts";

const IDLE = "idle";
const SECONDS = 60;
const HISTORY = 1_000_000;
const PER_SECOND = 200;
const CONNECTIONS = 64;
const SESSIONS = 200;
const KEYS = 8;
const ROUNDS = 3;
const WARM_UP_MS = 10_000;
/** Between two rounds, for what the last one left behind. */
const QUIET_MS = 3_000;
const RATIO_MAX = 2;

interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly refused: number;
  readonly processors: string;
  /** The work of the others meanwhile. */
  readonly done: string;
}

/** True when nothing refuses a gate and the slowest hundredth takes at most twice as long as on the quiet node. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [seconds, history, named] = [Number(args[0] ?? SECONDS), Number(args[1] ?? HISTORY), args[2] ?? ""];
  const filled = await filledServer(history);
  try {
    const keys: string[] = [];
    for (let index = 0; index < KEYS; index += 1) keys.push(await filled.script.key(`gated-${index}`));
    // The history's policies run commands for `shell`; here only the gate itself is looked at.
    const traffic = toolCalls(filled.server.url, keys, SESSIONS, "read_file");
    await atFullSpeed(traffic, newLedger(), CONNECTIONS, WARM_UP_MS);
    const cases = [IDLE, ...Object.keys(DISTURBANCES).filter((name) => name.startsWith(named))];
    const rounds = new Map<string, Measured[]>(cases.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of cases) {
        const measured = await measure(filled, traffic, { name, seconds, key: keys[0] ?? "" });
        rounds.get(name)?.push(measured);
        const { p50, p95, p99, refused, done, processors } = measured;
        console.log(
          `${name.padEnd(36)} p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, ${refused} refused${done === "" ? "" : `; ${done}`}`,
        );
        console.log(`${" ".repeat(36)} processors: ${processors}`);
      }
    return reportRatios(rounds);
  } finally {
    await filled.close();
  }
}

async function measure(
  filled: FilledServer,
  traffic: Traffic,
  { name, seconds, key }: { readonly name: string; readonly seconds: number; readonly key: string },
): Promise<Measured> {
  const { url, dataDir } = filled.server;
  const asked = { name, url, dataDir, until: filled.until.toISOString(), key, seconds };
  const stop = name === IDLE ? async () => "" : await startDisturbance(asked);
  const before = processorOf(filled.server.pid ?? 0);
  const pace = { perSecond: PER_SECOND, connections: CONNECTIONS };
  const sent = await atPace(traffic, newLedger(), pace, delay(seconds * 1_000));
  const taken = processorsTaken(before, processorOf(filled.server.pid ?? 0), sent.seconds);
  const done = await stop();
  await delay(QUIET_MS);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(sent.latenciesMs, share));
  const sender = (sent.processorSeconds / sent.seconds).toFixed(2);
  return {
    ...{ p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0, refused: sent.failures + sent.skipped, done },
    processors: `${processorsText(taken)}; the sender ${sender}, late by ${ms(sent.lateP99Ms)} itself (p99)`,
  };
}

function reportRatios(rounds: ReadonlyMap<string, readonly Measured[]>): boolean {
  const median = (of: readonly Measured[], pick: (one: Measured) => number) => percentile(of.map(pick), 0.5);
  const idle = rounds.get(IDLE) ?? [];
  const idleP99 = median(idle, ({ p99 }) => p99);
  const times = (of: readonly Measured[]) =>
    `p50 ${ms(median(of, ({ p50 }) => p50))}, p95 ${ms(median(of, ({ p95 }) => p95))}, p99 ${ms(median(of, ({ p99 }) => p99))}`;
  observed(`idle, ${PER_SECOND}/s`, times(idle));
  let isKept = true;
  for (const [name, of] of rounds) {
    if (name === IDLE) continue;
    const ratio = median(of, ({ p99 }) => p99) / idleP99;
    const refused = of.reduce((sum, one) => sum + one.refused, 0);
    const measured = `${ratio.toFixed(2)}x (${times(of)}), ${refused} refused; ${of[0]?.done}; processors ${of[0]?.processors}`;
    const asked = `gate p99 at most ${RATIO_MAX}x of idle, 0 refused`;
    isKept = promised(name, asked, measured, ratio <= RATIO_MAX && refused === 0) && isKept;
  }
  return isKept;
}
