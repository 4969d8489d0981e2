/**
 * The guard of the builtin `repeat_guard`: counts calls in PostgreSQL, where row locks order the calls of a session
 * across nodes, and halts runaway sessions and agents.
 */
import {
  type GuardedToolCall,
  type HookInput,
  hasBuiltin,
  type Plan,
  type RepeatGuard,
  type RepeatRule,
  type RepeatVerdict,
} from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import { createGather } from "../platform/gather.ts";
import { inWorkspace } from "../platform/scope.ts";
import { countedCall, toolNameOf, toolOutcome } from "./counted-call.ts";
import { haltRunaway } from "./halt-runaway.ts";
import { createKnownTools } from "./known-tools.ts";
import { createObservedCalls, createObservedOutcomes } from "./observed-counts.ts";
import { createRecentSpend } from "./recent-spend.ts";
import * as counters from "./repository.ts";
import { type Findings, gravestRule, ruleSentence } from "./rule-findings.ts";

export interface RepeatGuards {
  guardOf(workspaceId: string): RepeatGuard;
  /** The guard of a policy in shadow mode: it counts separately, in memory, and never halts. */
  observedGuardOf(workspaceId: string): RepeatGuard;
  /** Notes how a tool ended, where a `repeat_guard` counts in its session. Errors: those of the database. */
  noteOutcome(actor: AgentActor, plan: GuardedPlan, input: HookInput, request: string): Promise<void>;
}

interface Planned {
  readonly executor: { readonly plan: Plan };
}
/** The policies in force for an agent, and those that are only observed. */
type GuardedPlan = Planned & { readonly observed: readonly Planned[] };

interface RepeatGuardsWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Clock;
}

/** More than the hooks of one workspace that may be under way. */
const TOGETHER_MAX = 256;

export function createRepeatGuards({ db, bus, clock }: RepeatGuardsWorld): RepeatGuards {
  const { pool } = db;
  const tools = createKnownTools(pool, () => clock.now());
  const spend = createRecentSpend(pool);
  const count = createGather(TOGETHER_MAX, (workspaceId, calls: readonly counters.CountedCall[]) =>
    counters.countEachCall(pool, workspaceId, calls),
  );
  const note = createGather(TOGETHER_MAX, async (workspaceId, outcomes: readonly counters.ToolOutcome[]) => {
    await counters.noteOutcomes(pool, workspaceId, outcomes);
    return outcomes.map(() => undefined);
  });
  const monotonic = () => clock.monotonic();
  const observedOutcomes = createObservedOutcomes(monotonic);
  const isGuarded = createPlanMemo();

  async function findingsOf(workspaceId: string, call: GuardedToolCall, counter: Counter): Promise<Findings> {
    const { agent, request, event, lane, input, rules } = call;
    const stage = `${event} ${lane}`;
    const counts = rules.some(isCounting)
      ? await counter(countedCall({ agent, request, stage, input }), request !== null)
      : NO_COUNTS;
    const nanoBySeconds = new Map<number, bigint>();
    for (const rule of rules)
      if (rule.kind === "spend") nanoBySeconds.set(rule.seconds, await spend.of(workspaceId, agent, rule.seconds));
    const isNewTool =
      rules.some(({ kind }) => kind === "new tool") &&
      (await tools.isNew(workspaceId, toolNameOf(input), request !== null));
    return { ...counts, nanoBySeconds, isNewTool };
  }

  /** A call that is only tried is one more, and is not kept. */
  const storedCounter =
    (workspaceId: string): Counter =>
    async (counted, isKept) => {
      if (isKept) return countsIn(await count(workspaceId, counted));
      const [known] = await inWorkspace(workspaceId, () => counters.countCalls(pool, workspaceId, [counted], false));
      return { callAges: [0, ...(known?.callAges ?? [])], failureAges: known?.failureAges ?? [] };
    };

  function observedCounter(): Counter {
    const calls = createObservedCalls(monotonic);
    return async (counted) => ({
      callAges: calls.count(counted),
      failureAges: observedOutcomes.failureAges(counted),
    });
  }

  async function check(workspaceId: string, call: GuardedToolCall, counter: Counter): Promise<RepeatVerdict | null> {
    const findings = await findingsOf(workspaceId, call, counter);
    const rule = gravestRule(call.rules, findings);
    if (rule === null || rule.action === "alarm") return null;
    const reason = ruleSentence(rule, findings, call.input);
    if (rule.action === "ask" || rule.action === "deny") return { decision: rule.action, reason };
    if (call.request === null) return { decision: "deny", reason: `${reason} It would be halted.` };
    const problem = await haltRunaway({ db, bus }, workspaceId, call, {
      isWhole: rule.action === "halt agent",
      reason,
    });
    return { decision: "deny", reason: problem === null ? reason : `${reason} ${problem}` };
  }

  return {
    guardOf(workspaceId) {
      const counter = storedCounter(workspaceId);
      return { check: (call) => check(workspaceId, call, counter) };
    },
    observedGuardOf(workspaceId) {
      const counter = observedCounter();
      return { check: (call) => check(workspaceId, { ...call, request: null }, counter) };
    },
    async noteOutcome({ workspaceId, id: agent }, { executor, observed }, input, request) {
      const isObserved = observed.some((one) => isGuarded(one.executor.plan));
      if (isObserved) observedOutcomes.note(toolOutcome(agent, request, input));
      if (isGuarded(executor.plan)) await note(workspaceId, toolOutcome(agent, request, input));
    },
  };
}

/** Counts a call, or returns its counts without storing it. */
type Counter = (call: counters.CountedCall, isKept: boolean) => Promise<counters.CallCounts>;

/** Errors: that of the one call. The gate denies a call that cannot be counted. */
function countsIn(result: PromiseSettledResult<counters.CallCounts>): counters.CallCounts {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

function createPlanMemo(): (plan: Plan) => boolean {
  const known = new WeakMap<Plan, boolean>();
  return (plan) => {
    const found = known.get(plan) ?? hasBuiltin(plan, "repeat_guard");
    known.set(plan, found);
    return found;
  };
}

const NO_COUNTS: counters.CallCounts = { callAges: [], failureAges: [] };
const isCounting = ({ kind }: RepeatRule): boolean => kind === "same call" || kind === "failures";
