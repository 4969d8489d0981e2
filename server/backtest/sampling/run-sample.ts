/** The last part of a backtest: its sampled calls run, a few at once, and their results take the place of unknown ends. */
import { setMaxListeners } from "node:events";
import type { DispatchReport } from "@quarterdeck/hooks";
import type { Pool } from "../../platform/db.ts";
import type { ReplayRow } from "../replay-row.ts";
import { type ReplayedRow, replayRow } from "../replay-run.ts";
import type { Flip } from "../row-end.ts";
import { listCallsByKey } from "../run-calls.ts";
import type { RunSetup } from "../run-setup.ts";
import { createTally } from "../tally.ts";
import { EMPTY_TALLY, type Tally, type UnknownReason } from "../tally-schema.ts";
import { createAnswerStore } from "./answers.ts";
import * as samples from "./sample-repository.ts";
import { createLane, type Lane, type SampledRun, type SampleTools } from "./sampled-hooks.ts";
import { SAMPLED_KINDS, type SampledKind } from "./sampled-kind-schema.ts";

/** Calls that run at once: few, because agents' hooks need the same machine. */
const AT_ONCE = 4;
const BEAT_MS = 15_000;

export interface SampleWorld {
  readonly pool: Pool;
  readonly run: SampledRun;
  readonly ready: RunSetup;
  readonly earlyAgents: ReadonlySet<string>;
  readonly tools: SampleTools;
  /** Aborted when the process ends: calls under way have no result then. */
  readonly signal: AbortSignal;
  readonly pace: () => Promise<void>;
  /** True when the turn is over. */
  readonly isOver: () => boolean;
  /** Keeps the lease. */
  readonly beat: () => Promise<void>;
  /** Stores results with their changes of the counts; false when the lease is lost. */
  readonly save: (part: SampledPart) => Promise<boolean>;
}

export interface SampledPart {
  readonly done: readonly samples.DoneCall[];
  readonly rows: readonly ReplayRow[];
  readonly flips: readonly Flip[];
  /** Added to the counts of the run. */
  readonly change: Tally;
}

/** True when every call of the sample has run; false when the turn is over or the lease is lost. */
export async function runSample(world: SampleWorld): Promise<boolean> {
  const { pool, run, tools, signal } = world;
  const { commands: commandsMax, judges } = run.sample;
  if (commandsMax === null && judges === null) return true;
  const commands = commandsMax === null ? null : await tools.commands();
  if (commandsMax !== null) await samples.chooseSample(pool, run, "command", commandsMax);
  if (judges !== null) await samples.chooseSample(pool, run, "judge", judges.calls);
  if (commands === null) await samples.skipWaiting(pool, run, "command");
  const store = createAnswerStore(pool, run);
  const lanes = Array.from({ length: AT_ONCE }, () =>
    createLane({ ...{ setup: world.ready.setup, tools, run, store, commands } }),
  );
  let isTight = false;
  while (!signal.aborted) {
    await world.pace();
    const waiting = await samples.listWaiting(pool, run, isTight ? 1 : AT_ONCE);
    if (waiting.length === 0) return true;
    const part = await withHeartbeat(world, () => runCalls(world, lanes, waiting));
    if (signal.aborted) return false;
    if (part.withoutRoom.length > 0 && isTight) await giveUp(world, part.withoutRoom);
    // Answers under way may release a part of their reservations, so the call is tried once more alone.
    isTight = part.withoutRoom.length > 0 && !isTight;
    if (!(await world.save(part)) || world.isOver()) return false;
  }
  return false;
}

/** The change of the counts once the sample has run: the other calls of its kinds are not sampled. */
export function unsampledChange(unknown: Tally["unknown"], kinds: readonly SampledKind[]): Tally | null {
  const tally = createTally();
  let count = 0;
  for (const kind of kinds) {
    count += unknown[kind] ?? 0;
    tally.add({ ...EMPTY_TALLY, unknown: { [kind]: -(unknown[kind] ?? 0) } });
  }
  if (count === 0) return null;
  tally.add({ ...EMPTY_TALLY, unknown: { not_sampled: count } });
  return tally.counts();
}

/** The kinds of the sample that could run. */
export async function listRunKinds({ run, tools }: Pick<SampleWorld, "run" | "tools">): Promise<SampledKind[]> {
  const { commands, judges } = run.sample;
  const canRun = {
    command: commands !== null && (await tools.commands()) !== null,
    judge: judges !== null,
  };
  return SAMPLED_KINDS.filter((kind) => canRun[kind]);
}

async function withHeartbeat<T>({ beat }: SampleWorld, work: () => Promise<T>): Promise<T> {
  const pulse = setInterval(() => void beat().catch(() => undefined), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(pulse);
  }
}

/** The budget or a daily cap leaves no room: no further judge's call runs. Commands do not need the budget, so only this call is left out. */
async function giveUp({ pool, run }: SampleWorld, calls: readonly samples.WaitingCall[]): Promise<void> {
  for (const { kind, position } of calls)
    await samples.skipWaiting(pool, run, kind, kind === "judge" ? null : position);
}

interface RunPart extends SampledPart {
  /** Calls without a result, because a question of them had no room. */
  readonly withoutRoom: readonly samples.WaitingCall[];
}

async function runCalls(
  { pool, run, ready, earlyAgents, signal }: SampleWorld,
  lanes: readonly Lane[],
  waiting: readonly samples.WaitingCall[],
): Promise<RunPart> {
  const rows = await listCallsByKey(pool, run.workspaceId, waiting, { earlyAgents, marks: ready.marks });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ran = await Promise.all(
    waiting.map(async (call, at) => {
      const [lane, row] = [lanes[at], byId.get(call.id)];
      if (!lane) throw new Error("a sampled call has no lane");
      return row ? { call, row, ...(await runCall(lane, row, signal)) } : { call, row: null, ...GONE };
    }),
  );
  const tally = createTally();
  const ended = ran.filter(({ isSpent }) => !isSpent);
  for (const { call, end } of ended) {
    tally.add({ ...EMPTY_TALLY, unknown: { [call.kind]: -1 } });
    tally.add(end.part);
  }
  return {
    done: ended.map(({ call, end, counts, durationMs, commandsRun }) => ({
      ...{ ...call, ...resultOf(end), ...counts, durationMs, commandsRun },
    })),
    rows,
    flips: ended.flatMap(({ end }) => end.flip ?? []),
    change: tally.counts(),
    withoutRoom: ran.filter(({ isSpent }) => isSpent).map(({ call }) => call),
  };
}

type SampledEnd = Pick<ReplayedRow, "part" | "flip">;

const unknownEnd = (why: UnknownReason): SampledEnd => ({
  part: { ...EMPTY_TALLY, unknown: { [why]: 1 } },
  flip: null,
});
const NO_COUNTS = { durationMs: 0, commandsRun: 0, counts: { asked: 0, reused: 0 }, isSpent: false };
const GONE = { ...NO_COUNTS, end: unknownEnd("erased") };

async function runCall(lane: Lane, row: ReplayRow, signal: AbortSignal) {
  lane.begin(row);
  const startedMs = performance.now();
  // A signal of this call, which its hooks listen to.
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  const replayed = await replayRow(lane.run, row, own);
  const sides = replayed.tried?.sides ?? null;
  const reports = sides === null ? [] : [sides.was, sides.is];
  return {
    end: sampledEnd(replayed, reports),
    durationMs: performance.now() - startedMs,
    commandsRun: reports.flatMap(({ hooks }) => hooks).filter(isCommandRun).length,
    ...{ counts: lane.now.counts, isSpent: lane.now.isSpent },
  };
}

const isCommandRun = ({ type, exitCode }: DispatchReport["hooks"][number]): boolean =>
  type === "command" && exitCode !== undefined;

/** A hook without an answer says nothing about the text, and one answer of a judge does not show that it stays. */
function sampledEnd({ part, flip }: ReplayedRow, reports: readonly DispatchReport[]): SampledEnd {
  const hooks = reports.flatMap((report) => report.hooks);
  if (hooks.some(isUnanswered)) return unknownEnd("unanswered");
  if (part.unchanged > 0 && hooks.some(({ judge }) => judge !== undefined)) return unknownEnd("judge_once");
  const { unchanged, looser, stricter, otherwise, unknown, newRules } = part;
  return { part: { ...EMPTY_TALLY, unchanged, looser, stricter, otherwise, unknown, newRules }, flip };
}

const isUnanswered = ({ outcome, judge }: DispatchReport["hooks"][number]): boolean =>
  outcome.kind === "failed" && (judge !== undefined || outcome.failure.code === "timed_out");

function resultOf({ part, flip }: SampledEnd): Pick<samples.DoneCall, "result" | "why" | "from" | "to"> {
  const verdicts = { from: flip?.from ?? null, to: flip?.to ?? null };
  const result = (["looser", "stricter", "otherwise", "unchanged"] as const).find((one) => part[one] > 0);
  if (result) return { result, why: null, ...verdicts };
  return { result: "unknown", why: Object.keys(part.unknown)[0] ?? null, ...verdicts };
}
