/**
 * Gates at a steady pace while others are busy: page reads that are stuck, people who read every page, a report that is sent
 * again and again, and all of it at once; each beside the same pace on an idle node, in the same run. The history is made
 * once (`npm run bench dashboards`).
 *
 *     npm run bench apart [-- seconds of each round [dispatches of the history]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { PAGES } from "./fixtures/console-pages.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { atFullSpeed, atPace, newLedger, type Target } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { reports } from "./fixtures/reports.ts";

const SECONDS = 20;
const HISTORY = 1_000_000;
const PER_SECOND = 200;
const CONNECTIONS = 64;
const ROUNDS = 3;
const WARM_UP_MS = 5_000;
const STUCK_READS = 100;
const READERS = 20;
const REPORT_EVENTS = 1_000;
const RATIO_MAX = 2;

/** Starts to disturb; answers how to stop, which settles when the node is quiet again. */
type Disturb = (filled: FilledServer, target: Target) => Promise<() => Promise<void>>;

const DISTURBANCES: Readonly<Record<string, Disturb>> = {
  idle: async () => async () => undefined,
  "100 page reads that are stuck": stuckReads,
  "20 people who read every page": pageReaders,
  "a report of 1,000 sent again": sameReport,
  "all of it": async (filled, target) => {
    const stops = await Promise.all([stuckReads, pageReaders, sameReport].map((start) => start(filled, target)));
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  },
};

interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
}

/** True when nothing refuses a gate and the slowest hundredth takes at most twice as long as on an idle node. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [seconds, history] = [Number(args[0] ?? SECONDS), Number(args[1] ?? HISTORY)];
  const filled = await filledServer(history);
  try {
    const target = {
      url: `${filled.server.url}/api/v1/hooks/pre_tool_use`,
      key: await filled.script.key("gated"),
      // The history's policies run commands for `shell`; here only the gate itself is looked at.
      tool: "read_file",
    };
    await atFullSpeed(target, newLedger(), CONNECTIONS, WARM_UP_MS);
    let idle: Measured | null = null;
    let isKept = true;
    for (const [name, disturb] of Object.entries(DISTURBANCES)) {
      const measured = await median(filled, target, disturb, seconds);
      idle ??= measured;
      const ratio = measured.p99 / idle.p99;
      const isOver = ratio > RATIO_MAX || measured.refused > 0;
      isKept &&= !isOver;
      console.log(
        `${name.padEnd(32)} p50 ${ms(measured.p50).padStart(8)}  p99 ${ms(measured.p99).padStart(8)}  ${ratio.toFixed(2)}x  ${measured.refused} refused${isOver ? "  NOT KEPT" : ""}`,
      );
    }
    console.log(`${PER_SECOND}/s, ${ROUNDS} rounds of ${seconds} s each, medians; to hold: ${RATIO_MAX}x, 0 refused`);
    return isKept;
  } finally {
    await filled.close();
  }
}

async function median(filled: FilledServer, target: Target, disturb: Disturb, seconds: number): Promise<Measured> {
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const stop = await disturb(filled, target);
    const pace = { perSecond: PER_SECOND, connections: CONNECTIONS };
    const { latenciesMs, failures, skipped } = await atPace(target, newLedger(), pace, delay(seconds * 1_000));
    await stop();
    rounds.push({
      p50: percentile(latenciesMs, 0.5),
      p99: percentile(latenciesMs, 0.99),
      refused: failures + skipped,
    });
  }
  const middle = (of: (one: Measured) => number) => percentile(rounds.map(of), 0.5);
  return {
    p50: middle((one) => one.p50),
    p99: middle((one) => one.p99),
    refused: rounds.reduce((sum, one) => sum + one.refused, 0),
  };
}

/** Reads behind a lock: each waits until PostgreSQL or the console gives it up, and another one takes its place. */
async function stuckReads({ owner, script }: FilledServer) {
  const holder = await owner.connect();
  await holder.query("BEGIN; LOCK TABLE saved_view IN ACCESS EXCLUSIVE MODE");
  const stop = repeat(STUCK_READS, () => script.query("views.list", { page: "decisions" }));
  return async () => {
    await holder.query("ROLLBACK");
    holder.release();
    await stop();
  };
}

async function pageReaders({ script, until }: FilledServer) {
  const range = { from: new Date(until.getTime() - 86_400_000), to: until };
  const asked = Object.values(PAGES).flatMap((page) => page(range));
  let next = 0;
  return repeat(READERS, () => {
    const [path, input] = asked[next++ % asked.length] ?? ["overview.start"];
    return script.query(path, input);
  });
}

async function sameReport({ server }: FilledServer, { key }: Target) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = reports(REPORT_EVENTS);
  return repeat(1, () => fetch(`${server.url}/api/v1/events`, { method: "POST", headers, body }));
}

/** Does `work` again and again, so many at once, until it is stopped; a failure is tried again a little later. */
function repeat(atOnce: number, work: () => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const loop = async () => {
    while (!isOver) await work().catch(() => delay(50));
  };
  const loops = Array.from({ length: atOnce }, loop);
  return async () => {
    isOver = true;
    await Promise.all(loops);
  };
}
