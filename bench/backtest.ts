/**
 * A backtest of a changed rule over stored calls, with three packs in force: its time on a quiet node, and the gates' latencies with
 * and without it, in alternation.
 *
 *     npm run bench backtest [-- calls [seconds of a round]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { type Script, script } from "../e2e/fixtures/console.ts";
import { ownServer } from "../e2e/fixtures/own-server.ts";
import { backtestRun } from "../server/backtest/run-schema.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { ownerPool } from "./fixtures/owner-pool.ts";
import { atFullSpeed, atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { storeCalls } from "./fixtures/recorded-calls.ts";
import { type Traffic, toolCalls } from "./fixtures/traffic.ts";

const CALLS = 100_000;
const SECONDS_MAX = 10;
/** A longer run is stopped, and its speed is reported. */
const GIVE_UP_S = 7_200;
const DAYS = 30;
const ROUND_S = 20;
const ROUNDS = 3;
const AGENTS = 8;
const PER_SECOND = 100;
const CONNECTIONS = 32;
const SESSIONS = 64;
const RATIO_MAX = 2;
const LOOK_EVERY_MS = 250;
const PACKS = ["git-safety", "protected-paths", "network-egress"];
/** The rule about skipped checks: the draft denies what is asked about now. */
const IN_FORCE = `- ask: "This skips the repository's own checks: a person decides."`;
const CHANGED = `- deny: "The repository's own checks are not skipped."`;

const packs = z.array(z.looseObject({ id: z.string(), title: z.string(), source: z.string() }));
const found = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const edited = z.looseObject({ latestRevision: z.number(), draftVersion: z.number() });

interface Prepared {
  readonly asked: Script;
  readonly policyId: string;
  readonly draftVersion: number;
}

/** True when the run ends in time, and the slowest hundredth of the gates takes at most twice as long with it. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [calls, seconds] = [Number(args[0] ?? CALLS), Number(args[1] ?? ROUND_S)];
  const server = await ownServer();
  try {
    await server.start();
    const asked = await script(server);
    const keys: string[] = [];
    for (let index = 0; index < AGENTS; index += 1) keys.push(await asked.key(`gated-${index}`));
    const prepared = await prepare(asked);
    await fillCalls(server, calls);
    const isFast = await quietRun(prepared, server.pid ?? 0, calls);
    const traffic = toolCalls(server.url, keys, SESSIONS, "read_file");
    await atFullSpeed(traffic, newLedger(), CONNECTIONS, 5_000);
    return (await besideGates(prepared, traffic, seconds)) && isFast;
  } finally {
    await server.close();
  }
}

async function prepare(asked: Script): Promise<Prepared> {
  const known = packs.parse(await asked.query("packs.list"));
  for (const id of PACKS) {
    const pack = known.find((one) => one.id === id);
    if (!pack) throw new Error(`there is no pack ${id}`);
    await asked.mutate("policies.publishByName", { name: pack.title, source: pack.source, note: "" });
  }
  const [first] = known.filter(({ id }) => id === PACKS[0]);
  const policyId = found.parse(await asked.query("policies.list")).find(({ name }) => name === first?.title)?.id ?? "";
  const { latestRevision, draftVersion } = edited.parse(await asked.query("policies.get", { policyId }));
  const source = first?.source.replace(IN_FORCE, CHANGED) ?? "";
  if (source === first?.source) throw new Error("the draft is the text in force");
  const saved = { policyId, source, baseVersion: draftVersion, baseRevision: latestRevision };
  const { version } = z.looseObject({ version: z.number() }).parse(await asked.mutate("policies.saveDraft", saved));
  return { asked, policyId, draftVersion: version };
}

async function fillCalls(server: Parameters<typeof ownerPool>[0], count: number): Promise<void> {
  const owner = await ownerPool(server);
  try {
    const { rows } = await owner.query<{ id: string }>("SELECT id FROM workspace");
    const workspaceId = rows[0]?.id ?? "";
    await storeCalls(owner, { workspaceId, count, everyMs: Math.min(2_000, (DAYS - 1) * (86_400_000 / count)) });
  } finally {
    await owner.end();
  }
}

async function quietRun(prepared: Prepared, pid: number, calls: number): Promise<boolean> {
  const before = processorOf(pid);
  const scansBefore = before.get("scans") ?? 0;
  const run = await runOnce(prepared, delay(GIVE_UP_S * 1_000));
  const seconds = secondsOf(run);
  const after = processorOf(pid);
  observed("processors", processorsText(processorsTaken(before, after, seconds)));
  const worked = (after.get("scans") ?? 0) - scansBefore;
  observed(
    "processor time of the scans process",
    `${worked.toFixed(1)} s, ${((worked * 1_000) / run.looked).toFixed(3)} ms a call`,
  );
  const { looser, stricter, otherwise, unchanged, unknown } = run.tally;
  const unknowns = Object.values(unknown).reduce((sum, count) => sum + (count ?? 0), 0);
  observed(
    "result",
    `${stricter} stricter, ${looser} looser, ${otherwise} otherwise, ${unchanged} unchanged, ${unknowns} unknown`,
  );
  const rate = run.looked / seconds;
  const isWhole = run.looked >= calls;
  const took = `${seconds.toFixed(1)} s for ${run.looked} calls (${rate.toFixed(0)}/s)`;
  if (calls !== CALLS) {
    observed(`${calls} calls`, isWhole ? took : `${took}; at this speed ${(calls / rate).toFixed(0)} s in all`);
    return isWhole;
  }
  return promised(`${calls} calls`, `at most ${SECONDS_MAX} s`, took, isWhole && seconds <= SECONDS_MAX);
}

type Run = z.infer<typeof backtestRun>;

/** One run to its end; canceled once `until` settles. */
async function runOnce({ asked, policyId, draftVersion }: Prepared, until: Promise<unknown>): Promise<Run> {
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  const started = await asked.mutate("backtest.start", { policyId, draftVersion, days: DAYS });
  const runId = z.looseObject({ id: z.string() }).parse(started).id;
  for (;;) {
    const run = backtestRun.parse(await asked.query("backtest.get", { policyId, runId }));
    if (run.state === "failed") throw new Error(`the backtest failed: ${run.says}`);
    if (run.state === "finished" || run.state === "canceled") return run;
    if (isOver) await asked.mutate("backtest.cancel", { policyId, runId });
    await delay(LOOK_EVERY_MS);
  }
}

/** From its first turn to its end. */
const secondsOf = ({ startedAt, endedAt }: Run): number =>
  ((endedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000;

/** Gates at a steady pace, alone and next to backtests, in alternation. */
async function besideGates(prepared: Prepared, traffic: Traffic, seconds: number): Promise<boolean> {
  const [alone, beside]: [number[], number[]] = [[], []];
  let [refused, looked] = [0, 0];
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const isBusy of [false, true]) {
      const until = delay(seconds * 1_000);
      const work = isBusy ? backToBack(prepared, until) : Promise.resolve(0);
      const pace = { perSecond: PER_SECOND, connections: CONNECTIONS };
      const sent = await atPace(traffic, newLedger(), pace, until);
      looked += await work;
      refused += sent.failures + sent.skipped;
      const p99 = percentile(sent.latenciesMs, 0.99);
      (isBusy ? beside : alone).push(p99);
      console.log(
        `round ${round}, ${isBusy ? "with" : "without"}: p50 ${ms(percentile(sent.latenciesMs, 0.5))}, p99 ${ms(p99)}`,
      );
    }
  const [without, withRuns] = [percentile(alone, 0.5), percentile(beside, 0.5)];
  const ratio = withRuns / without;
  const read = Math.round(looked / (ROUNDS * seconds));
  const measured = `${ratio.toFixed(2)}x (p99 ${ms(without)}, with backtests ${ms(withRuns)}), ${refused} refused; ${read} calls replayed a second`;
  const asked = `gate p99 at most ${RATIO_MAX}x of without, 0 refused`;
  return promised(`${PER_SECOND} gates a second`, asked, measured, ratio <= RATIO_MAX && refused === 0);
}

/** The calls that were read until then, in one run after the other. */
async function backToBack(prepared: Prepared, until: Promise<unknown>): Promise<number> {
  let looked = 0;
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  while (!isOver) looked += (await runOnce(prepared, until)).looked;
  return looked;
}
