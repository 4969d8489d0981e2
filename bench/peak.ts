/**
 * The highest rate that a node holds: so many dispatches a second, whatever the answers take, with what is derived from them
 * close behind. Steps upward find about where it is, and a whole minute at each rate downward from there says which is held.
 *
 *     npm run bench peak [-- seconds of the last look [seconds of a step]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { keepValue, observed, promised } from "./fixtures/figures.ts";
import { type GatedServer, gatedServer } from "./fixtures/gated-server.ts";
import { atFullSpeed, atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { untilCaughtUp, watchLag } from "./fixtures/projector-lag.ts";
import { sessionTraffic, type Traffic } from "./fixtures/traffic.ts";

const HELD_S = 60;
const STEP_S = 12;
const SESSIONS = 200;
const CONNECTIONS = 64;
const WARM_UP_MS = 10_000;
const FIRST_SHARE = 0.4;
const STEP_SHARE = 0.1;
/** Each look that is not held is followed by one at so much of its rate. */
const DOWN = 0.95;
const LOOKS_MAX = 8;
const LAG_MS_MAX = 2_000;
/** More seconds' worth of calls than that unanswered at the end: answers fall behind the calls. */
const BEHIND_S_MAX = 0.5;

/** True when some rate is held. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [heldSeconds, stepSeconds] = [Number(args[0] ?? HELD_S), Number(args[1] ?? STEP_S)];
  const gated = await gatedServer();
  try {
    const traffic = sessionTraffic(gated.server.url, gated.keys, SESSIONS);
    console.log(traffic.about);
    await atFullSpeed(traffic, newLedger(), CONNECTIONS, WARM_UP_MS);
    await untilCaughtUp(gated.owner);
    const closed = await atFullSpeed(traffic, newLedger(), CONNECTIONS, stepSeconds * 1_000);
    const closedPerSecond = closed.latenciesMs.length / closed.seconds;
    observed("as fast as 64 connections are answered", `${closedPerSecond.toFixed(0)}/s`);
    await untilCaughtUp(gated.owner);

    let share = FIRST_SHARE;
    while ((await hold(gated, traffic, Math.floor(closedPerSecond * share), stepSeconds)).isHeld) share += STEP_SHARE;
    let perSecond = Math.floor(closedPerSecond * share * DOWN);
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const look = await hold(gated, traffic, perSecond, heldSeconds);
      if (look.isHeld) return reportPeak(look, heldSeconds);
      perSecond = Math.floor(perSecond * DOWN);
    }
    return promised("peak", "some rate is held", `none of ${LOOKS_MAX} looks down to ${perSecond}/s`, false);
  } finally {
    await gated.close();
  }
}

interface Look {
  readonly perSecond: number;
  readonly isHeld: boolean;
  readonly lagMs: number;
  readonly text: string;
  readonly processors: string;
}

async function hold(
  { server, owner }: GatedServer,
  traffic: Traffic,
  perSecond: number,
  seconds: number,
): Promise<Look> {
  const before = processorOf(server.pid ?? 0);
  const lag = watchLag(owner);
  const pace = { perSecond, connections: CONNECTIONS };
  const sent = await atPace(traffic, newLedger(), pace, delay(seconds * 1_000));
  await lag.stop();
  const taken = processorsTaken(before, processorOf(server.pid ?? 0), sent.seconds);
  const lagMs = Math.max(0, ...lag.seenMs);
  const isAnswered = sent.failures === 0 && sent.skipped === 0 && sent.leftOver <= perSecond * BEHIND_S_MAX;
  const isHeld = isAnswered && lagMs < LAG_MS_MAX;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(sent.latenciesMs, share));
  const sender = (sent.processorSeconds / sent.seconds).toFixed(2);
  const text = `p50 ${ms(p50 ?? 0)}, p95 ${ms(p95 ?? 0)}, p99 ${ms(p99 ?? 0)}, lag ${ms(lagMs)} at most, ${sent.leftOver} unanswered at the end, ${sent.failures} refused, ${sent.skipped} not sent`;
  const processors = `${processorsText(taken)}; the sender ${sender}, late by ${ms(sent.lateP99Ms)} itself (p99)`;
  console.log(`${perSecond}/s for ${seconds} s: ${isHeld ? "held" : "NOT held"}; ${text}`);
  console.log(`  processors: ${processors}`);
  await untilCaughtUp(owner);
  return { perSecond, isHeld, lagMs, text, processors };
}

function reportPeak({ perSecond, lagMs, text, processors }: Look, seconds: number): boolean {
  keepValue("perSecond", perSecond);
  const asked = `the highest rate held for ${seconds} s, projector lag under ${LAG_MS_MAX / 1_000} s`;
  observed("at the peak", text);
  observed("processors at the peak", processors);
  return promised("peak", asked, `${perSecond}/s, lag ${ms(lagMs)} at most`, true);
}
