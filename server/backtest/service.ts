/**
 * The effect of a text: recorded events of the agents that its policy binds, run against the text and the policy in
 * force.
 */

import { setMaxListeners } from "node:events";
import { type Confinement, isContained } from "@quarterdeck/hooks";
import { timeLimit } from "@quarterdeck/hooks/contract/time-limit";
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import { packOf } from "../packs/index.ts";
import type { Database } from "../platform/db.ts";
import {
  boundAgents,
  type PlaygroundExecutor,
  permitPlayground,
  get as policyOf,
  readText,
} from "../policies/index.ts";
import { get as reviewOf } from "../reviews/index.ts";
import { countSampledCalls } from "./count-calls.ts";
import { reachOf } from "./reach.ts";
import * as events from "./repository.ts";
import { measured } from "./run-comparison.ts";
import { type BacktestTarget, IMPACT_LIMITS, type ImpactProgress, type MeasurePack } from "./schema.ts";
import { gatesOf, NOTHING, sideOf, type TextSide, whyNotRun } from "./side.ts";
import type { Contender } from "./try-call.ts";

export interface ImpactWorld {
  readonly db: Database;
  readonly trials: PlaygroundExecutor;
  /** The containment of hook commands: without a sandbox none is run for a comparison. */
  readonly confinement: Pick<Confinement, "sandbox">;
}

const TELL_EVERY_MS = 250;
/** The limit of concurrent measurements on this server: each may start hundreds of processes. */
const LOOKS_MAX = 3;
const DAY_MS = 24 * 3_600_000;
let underWay = 0;

/** Two texts, and the recorded events that they are compared over. */
interface Comparison {
  /** The policy that hooks are named for. */
  readonly name: string;
  readonly live: TextSide;
  readonly next: TextSide;
  /** Null: of every agent. */
  readonly agentIds: readonly string[] | null;
  readonly days: number;
}

/**
 * Yields the progress while it counts, and then the counts. Ends at the time limit with partial counts, and immediately
 * when `signal` is aborted.
 *
 * Errors: `policy_moved_on` if the draft has changed, `policy_invalid`, `busy` with too many measurements at once.
 */
export function measure(
  world: ImpactWorld,
  actor: Administrator,
  asked: BacktestTarget,
  signal: AbortSignal,
  budgetMs: number = IMPACT_LIMITS.budgetMs,
): AsyncGenerator<ImpactProgress> {
  return counted(world, actor, () => comparisonOf(world.db, actor, asked), signal, budgetMs);
}

/** The effect that a pack would have had on every agent in the last 24 hours. Errors: `pack_not_found`, `busy`. */
export function measurePack(
  world: ImpactWorld,
  actor: Administrator,
  { packId }: MeasurePack,
  signal: AbortSignal,
): AsyncGenerator<ImpactProgress> {
  const prepare = async (): Promise<Comparison> => {
    const { title, source } = packOf(packId);
    return { name: title, live: NOTHING, next: await read(actor.id, source), agentIds: null, days: 1 };
  };
  return counted(world, actor, prepare, signal, IMPACT_LIMITS.budgetMs);
}

async function* counted(
  world: ImpactWorld,
  actor: Administrator,
  prepare: () => Promise<Comparison>,
  signal: AbortSignal,
  budgetMs: number,
): AsyncGenerator<ImpactProgress> {
  if (underWay >= LOOKS_MAX)
    throw new AppError("busy", "impact", { says: "Others look at the impact of their drafts. Try again in a moment." });
  underWay += 1;
  try {
    yield* look(world, actor, await prepare(), signal, budgetMs);
  } finally {
    underWay -= 1;
  }
}

async function comparisonOf(db: Database, actor: Administrator, asked: BacktestTarget): Promise<Comparison> {
  const { policy, source } = await textOf(db, actor, asked);
  const live = policy.publishedSource === "" ? NOTHING : await read(actor.id, policy.publishedSource);
  // The first revision of an unassigned policy binds every agent.
  const bindsAll = policy.scope === "workspace" || (policy.scope === "nobody" && policy.latestRevision === 0);
  const agentIds = bindsAll ? null : await boundAgents(db, actor.workspaceId, policy);
  return { name: policy.name, live, next: await read(actor.id, source), agentIds, days: IMPACT_LIMITS.days };
}

async function* look(
  world: ImpactWorld,
  actor: Administrator,
  { name, live, next, agentIds, days }: Comparison,
  signal: AbortSignal,
  budgetMs: number,
): AsyncGenerator<ImpactProgress> {
  const startedMs = performance.now();
  const { db, trials } = world;
  const { workspaceId } = actor;
  const isSandboxed = isContained(world.confinement);
  const since = new Date(Date.now() - days * DAY_MS);
  const gates = gatesOf([live, next]);
  const of = { events: gates, agentIds, from: since };
  const sample = gates.length === 0 ? [] : await events.listSample(db.pool, workspaceId, of, IMPACT_LIMITS.eventsMax);
  yield { kind: "progress", done: 0, of: sample.length };

  // A separate signal, so that the end of this measurement ends its running hooks.
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal, timeLimit(budgetMs)]);
  // Every running hook adds a listener, and one text may have many hooks.
  setMaxListeners(0, until);
  const contender = (side: TextSide): Contender => {
    const sources = [{ origin: { policy: name }, hooks: side.hooks }];
    const isLeftOut = (hook: Parameters<typeof whyNotRun>[0]) => whyNotRun(hook, isSandboxed) !== null;
    const hooks = permitPlayground(actor, { sources, profile: side.profile, isLeftOut }, isSandboxed);
    return { ...side, executor: trials.executorOf(hooks) };
  };
  let done = 0;
  let isOver = false;
  const work = measured({
    ...{ live: contender(live), next: contender(next), isContained: isSandboxed, sample, signal: until },
    inputOf: (row) => events.findInput(db.pool, workspaceId, row),
    onDone: (count) => {
      done = count;
    },
  }).finally(() => {
    isOver = true;
  });
  // Its failure is handled below; until then it must not be an unhandled rejection.
  work.catch(() => undefined);
  try {
    while (!isOver && !signal.aborted) {
      await Promise.race([work, pause(TELL_EVERY_MS)]);
      if (!isOver) yield { kind: "progress", done, of: sample.length };
    }
    const { calls, ...rest } = await work;
    const counts = {
      ...{ ...reachOf(next, gates, sample), ...rest },
      calls: { ...countSampledCalls(next, sample), ...calls },
    };
    const durationMs = Math.round(performance.now() - startedMs);
    if (!signal.aborted) yield { kind: "measured", view: { since, sampled: sample.length, ...counts, durationMs } };
  } finally {
    ended.abort();
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function textOf(db: Database, actor: Administrator, { policyId, of }: BacktestTarget) {
  const policy = await policyOf(db, actor.workspaceId, policyId);
  if (of.kind === "draft") {
    if (policy.draftVersion !== of.version) throw new AppError("policy_moved_on", policyId);
    return { policy, source: policy.source };
  }
  const review = await reviewOf(db, actor, of.reviewId);
  if (review.policyId !== policyId) throw new AppError("review_not_found", of.reviewId);
  return { policy, source: review.source };
}

async function read(asker: string, source: string): Promise<TextSide> {
  const { hooks, profile, problems } = await readText(asker, source);
  if (hooks) return sideOf(hooks, profile);
  throw new AppError("policy_invalid", undefined, {
    says: "What the text would change can be told once it has no problems.",
    problems,
  });
}
