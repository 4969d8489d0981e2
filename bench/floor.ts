/**
 * The processor time of one event at a given rate, by process: calls in native words, through a client's adapter, and with
 * viewers, compared with a bare node:http server that commits one INSERT for each request into the same PostgreSQL. In turns in one
 * run, because only ratios travel.
 *
 *     npm run bench floor [-- seconds of a round [rounds [only the cases that begin so]]]
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { NATIVE, PAYLOADS } from "./fixtures/dialect-payloads.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type GatedServer, gatedServer } from "./fixtures/gated-server.ts";
import { type InsertServer, startInsertServer } from "./fixtures/insert-server.ts";
import { ownerUrlOf } from "./fixtures/owner-pool.ts";
import { atPace, newLedger } from "./fixtures/paced-sender.ts";
import { percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText, total } from "./fixtures/process-tree.ts";
import { untilCaughtUp } from "./fixtures/projector-lag.ts";
import type { Traffic } from "./fixtures/traffic.ts";
import { openViewers } from "./fixtures/viewers.ts";

const SECONDS = 8;
const ROUNDS = 5;
const RATES = [200, 400] as const;
const CONNECTIONS = 64;
const SESSIONS = 200;
const WARM_UP_S = 10;
/** After a round, for what PostgreSQL still writes. */
const QUIET_MS = 1_000;
const VIEWERS = 5;
const VIEWED_MS = 15 * 60_000;
const OF_FLOOR_MAX = 2.5;

const FLOOR = "floor";
const DIALECT = "claude-code/PreToolUse";
const WATCHED = "native, with viewers";

/** Milliseconds of processor time of one event, by process. */
type Cost = ReadonlyMap<string, number>;

interface World {
  readonly gated: GatedServer;
  readonly floor: InsertServer;
  readonly seconds: number;
}

/** True when an event costs at most 2.5 times the floor at each rate. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [seconds, rounds, named] = [Number(args[0] ?? SECONDS), Number(args[1] ?? ROUNDS), args[2] ?? ""];
  const gated = await gatedServer();
  try {
    const floor = await startInsertServer(await ownerUrlOf(gated.server));
    try {
      const cases = [FLOOR, ...[NATIVE, DIALECT, WATCHED].filter((name) => name.startsWith(named))];
      return await inTurns({ gated, floor, seconds }, cases, rounds);
    } finally {
      await floor.stop();
    }
  } finally {
    await gated.close();
  }
}

async function inTurns(world: World, cases: readonly string[], rounds: number): Promise<boolean> {
  for (const name of cases.filter((one) => one !== WATCHED))
    await costOf({ ...world, seconds: WARM_UP_S }, name, RATES[1]);
  const measured = RATES.map((rate) => ({ rate, costs: new Map<string, Cost[]>(cases.map((name) => [name, []])) }));
  observed("processors at rest", processorsText(await atRest(world)));
  for (let round = 0; round < rounds; round += 1)
    for (const { rate, costs } of measured)
      for (const name of cases) {
        const cost = await costOf(world, name, rate);
        costs.get(name)?.push(cost);
        console.log(`round ${round}, ${rate}/s, ${name}: ${costText(cost)}`);
      }
  return measured.map(({ rate, costs }) => report(rate, costs)).every(Boolean);
}

/** The processors that the node takes while nothing is sent. */
async function atRest({ gated: { server }, seconds }: World): Promise<Cost> {
  const before = processorOf(server.pid ?? 0);
  await delay(seconds * 1_000);
  return processorsTaken(before, processorOf(server.pid ?? 0), seconds);
}

/** Until all that was sent is in the figures. */
async function costOf(world: World, name: string, perSecond: number): Promise<Cost> {
  const { gated, floor, seconds } = world;
  const { server, owner, token } = gated;
  const viewed = { url: server.url, token, count: VIEWERS, rangeMs: VIEWED_MS };
  const viewers = name === WATCHED ? await openViewers(viewed) : null;
  const reading = async () =>
    name === FLOOR ? new Map(Object.entries(await floor.processor(owner))) : processorOf(server.pid ?? 0);
  const before = await reading();
  const pace = { perSecond, connections: CONNECTIONS };
  const sent = await atPace(trafficOf(world, name), newLedger(), pace, delay(seconds * 1_000));
  await untilCaughtUp(owner);
  const cost = processorsTaken(before, await reading(), sent.latenciesMs.length / 1_000);
  await viewers?.close();
  await delay(QUIET_MS);
  const refused = sent.failures + sent.skipped;
  if (refused > 0)
    console.log(`${name}, ${perSecond}/s: ${refused} of ${sent.latenciesMs.length} were refused at first`);
  return cost;
}

function trafficOf({ gated: { server, keys }, floor }: World, name: string): Traffic {
  const hook = PAYLOADS[name] === undefined ? NATIVE : name;
  const payload = PAYLOADS[hook];
  const url = name === FLOOR ? floor.url : `${server.url}/api/v1/hooks/${hook}`;
  let sent = 0;
  return {
    about: `${hook} in ${SESSIONS} sessions of ${keys.length} agents`,
    next() {
      const session = sent++ % SESSIONS;
      const body = JSON.stringify(payload?.(randomUUID(), `${hook}-${session}`));
      return { url, key: keys[session % keys.length] ?? "", body, isGate: true };
    },
  };
}

/** Ratios first, round by round: the machine is not the same all the time. */
function report(rate: number, costs: ReadonlyMap<string, readonly Cost[]>): boolean {
  const floor = costs.get(FLOOR) ?? [];
  observed(`${FLOOR}, ${rate}/s`, costText(medianOf(floor)));
  const kept = [...costs].flatMap(([name, of]) => {
    if (name === FLOOR) return [];
    const ratios = of.map((cost, round) => total(cost) / total(floor[round] ?? new Map()));
    const ratio = percentile(ratios, 0.5);
    const text = `${ratio.toFixed(2)}x of the floor (${costText(medianOf(of))})`;
    if (name !== WATCHED)
      return [promised(`${name}, ${rate}/s`, `at most ${OF_FLOOR_MAX}x`, text, ratio <= OF_FLOOR_MAX)];
    observed(`${name} (${VIEWERS}), ${rate}/s`, text);
    return [];
  });
  return kept.every(Boolean);
}

function medianOf(costs: readonly Cost[]): Cost {
  const duties = new Set(costs.flatMap((cost) => [...cost.keys()]));
  const median = (duty: string) =>
    percentile(
      costs.map((cost) => cost.get(duty) ?? 0),
      0.5,
    );
  return new Map([...duties].map((duty) => [duty, median(duty)]));
}

const costText = (cost: Cost): string =>
  `${total(cost).toFixed(2)} ms: ${[...cost]
    .sort(([, a], [, b]) => b - a)
    .filter(([, ms]) => Math.abs(ms) >= 0.005)
    .map(([duty, ms]) => `${duty} ${ms.toFixed(2)}`)
    .join(", ")}`;
