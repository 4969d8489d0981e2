/**
 * Gates at a steady pace while streams send every event to an HTTP and a syslog receiver, in turns with no stream: the lag of
 * the streams, and what they cost gates.
 *
 *     npm run bench streams [-- seconds of each round [rounds]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Script, script } from "../e2e/fixtures/script.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type GatedServer, gatedServer } from "./fixtures/gated-server.ts";
import { atFullSpeed, atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { openStreamReceivers, type StreamReceivers } from "./fixtures/stream-receivers.ts";
import { type Traffic, toolCalls } from "./fixtures/traffic.ts";

const SECONDS = 20;
const ROUNDS = 3;
const PER_SECOND = 200;
const CONNECTIONS = 64;
const SESSIONS = 200;
const WARM_UP_MS = 5_000;
/** Between two rounds, for what the last one left behind. */
const QUIET_MS = 2_000;
const CAUGHT_UP_MS_MAX = 60_000;
const RATIO_MAX = 2;
const LAG_P95_MS_MAX = 5_000;
const KINDS = ["http", "syslog"] as const;
type Kind = (typeof KINDS)[number];

interface Load {
  readonly gated: GatedServer;
  readonly asked: Script;
  readonly receivers: StreamReceivers;
  readonly traffic: Traffic;
  readonly seconds: number;
}

interface Gates {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly refused: number;
  readonly processors: string;
}

/** The events of one receiver in a round. */
interface Arrived {
  readonly kind: Kind;
  readonly lagsMs: readonly number[];
  /** Events that the stream counted and the receiver does not have. */
  readonly lost: number;
  /** Events that arrived more than once, beyond those that the stream named. */
  readonly unnamed: number;
  /** Ranges in which the stream and the record differ. */
  readonly differing: number;
}

/** True when streams are soon behind gates, slow no gate beyond the bound, and lose nothing. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [seconds, rounds] = [Number(args[0] ?? SECONDS), Number(args[1] ?? ROUNDS)];
  if (!(seconds >= 1 && seconds <= 600 && rounds >= 1 && rounds <= 20))
    throw new Error("A round takes 1 to 600 seconds, and there are 1 to 20 rounds.");
  const gated = await gatedServer();
  const receivers = await openStreamReceivers();
  try {
    const traffic = toolCalls(gated.server.url, gated.keys, SESSIONS, "read_file");
    await atFullSpeed(traffic, newLedger(), CONNECTIONS, WARM_UP_MS);
    const load = { gated, asked: await script(gated.server), receivers, traffic, seconds };
    const without: Gates[] = [];
    const during: Gates[] = [];
    const arrived: Arrived[] = [];
    for (let round = 0; round < rounds; round += 1) {
      without.push(await offer(load, "no stream"));
      const found = await withStreams(load);
      during.push(found.gates);
      arrived.push(...found.arrived);
    }
    return report(without, during, arrived);
  } finally {
    await receivers.close();
    await gated.close();
  }
}

async function offer({ gated, traffic, seconds }: Load, title: string): Promise<Gates> {
  const before = processorOf(gated.server.pid ?? 0);
  const pace = { perSecond: PER_SECOND, connections: CONNECTIONS };
  const sent = await atPace(traffic, newLedger(), pace, delay(seconds * 1_000));
  const processors = processorsText(processorsTaken(before, processorOf(gated.server.pid ?? 0), sent.seconds));
  const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => percentile(sent.latenciesMs, share));
  const gates = { p50, p95, p99, refused: sent.failures + sent.skipped, processors };
  console.log(`${title.padEnd(12)} ${timesText(gates)}, ${gates.refused} refused; ${processors}`);
  await delay(QUIET_MS);
  return gates;
}

/** The same pace with a stream to each receiver, from the next event on; each stream is removed once it has sent everything. */
async function withStreams(load: Load) {
  const { asked, receivers } = load;
  for (const kind of KINDS) {
    const address =
      kind === "http" ? { address: receivers.url } : { address: receivers.syslog, ca: receivers.certificate };
    const settings = { name: kind, kind, format: "ocsf", isEnabled: true, kinds: ["decision"], secret: null } as const;
    await asked.mutate("streams.save", { ...settings, kinds: [...settings.kinds], ...address });
  }
  const gates = await offer(load, "2 streams");
  const streams = await untilSent(asked);
  const received = await receivers.report();
  const arrived: Arrived[] = [];
  for (const kind of KINDS) {
    const stream = streams.find((one) => one.kind === kind);
    if (stream === undefined) throw new Error(`the stream to ${kind} is gone`);
    const { id, events, resent } = stream;
    const { lagsMs, distinct } = received[kind];
    const { differing, next } = await asked.query("streams.check", { id, after: null });
    if (next !== null) throw new Error("the round is longer than one page of a comparison");
    const unnamed = Math.max(0, lagsMs.length - distinct - resent);
    arrived.push({ kind, lagsMs, lost: events - distinct, unnamed, differing: differing.length });
    console.log(`${" ".repeat(12)} ${kind}: ${events} events, lag ${lagText(lagsMs)}`);
    await asked.mutate("streams.remove", { id });
  }
  return { gates, arrived };
}

async function untilSent(asked: Script) {
  const endMs = performance.now() + CAUGHT_UP_MS_MAX;
  for (;;) {
    const streams = await asked.query("streams.list");
    if (streams.every(({ lagMs }) => lagMs === 0)) return streams;
    if (performance.now() > endMs) throw new Error("the streams did not catch up within a minute");
    await delay(50);
  }
}

function report(without: readonly Gates[], during: readonly Gates[], arrived: readonly Arrived[]): boolean {
  const median = (of: readonly Gates[], pick: (gates: Gates) => number) => percentile(of.map(pick), 0.5);
  const p99 = (of: readonly Gates[]) => median(of, (gates) => gates.p99);
  observed(`no stream, ${PER_SECOND}/s`, `${timesText(medians(without))}; ${without[0]?.processors}`);
  const ratio = p99(during) / p99(without);
  const refused = during.reduce((sum, gates) => sum + gates.refused, 0);
  const times = `${ratio.toFixed(2)}x (${timesText(medians(during))}), ${refused} refused; ${during[0]?.processors}`;
  const asked = `gate p99 at most ${RATIO_MAX}x of no stream, 0 refused`;
  const kept = [promised("streams to HTTP and syslog", asked, times, ratio <= RATIO_MAX && refused === 0)];
  for (const kind of KINDS) {
    const own = arrived.filter((one) => one.kind === kind);
    const lagsMs = own.flatMap((one) => one.lagsMs);
    const p95 = percentile(lagsMs, 0.95);
    const under = `p95 under ${LAG_P95_MS_MAX / 1_000} s`;
    kept.push(promised(`${kind}, from the record to the receiver`, under, lagText(lagsMs), p95 < LAG_P95_MS_MAX));
    const sum = (pick: (one: Arrived) => number) => own.reduce((all, one) => all + pick(one), 0);
    const [lost, unnamed, differing] = [sum((one) => one.lost), sum((one) => one.unnamed), sum((one) => one.differing)];
    const found = `${lagsMs.length} arrived, ${lost} lost, ${unnamed} doubles not named, ${differing} ranges differ from the record`;
    kept.push(promised(`${kind}, events`, "0 lost, equal to the record", found, lost + unnamed + differing === 0));
  }
  return kept.every(Boolean);
}

const medians = (of: readonly Gates[]) => ({
  p50: percentile(
    of.map(({ p50 }) => p50),
    0.5,
  ),
  p95: percentile(
    of.map(({ p95 }) => p95),
    0.5,
  ),
  p99: percentile(
    of.map(({ p99 }) => p99),
    0.5,
  ),
});
const timesText = ({ p50, p95, p99 }: Pick<Gates, "p50" | "p95" | "p99">): string =>
  `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`;
const lagText = (lagsMs: readonly number[]): string => {
  const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => percentile(lagsMs, share));
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`;
};
