/**
 * Runs observed policies and monitored rules after the agent has its answer: their verdicts are recorded and change nothing.
 * Every resource is limited and separate from policies in force; runs without capacity are dropped and counted.
 */
import {
  type EventName,
  explainDispatch,
  type HookInput,
  hasHooksFor,
  isEventName,
  type Lane,
  redactText,
  type Verdict,
  verdictOfReport,
} from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import { maskStoredHooks, toStoredHook } from "../dispatches/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { ObservedPlan } from "../policies/index.ts";
import { principalOfCall } from "../principals/index.ts";
import type { Observations, SeenBy } from "./service.ts";

/** A dispatch that was answered and recorded. */
export interface AnsweredDispatch {
  readonly workspaceId: string;
  readonly dispatchId: string;
  readonly occurredAt: Date;
  readonly agentId: string;
  /** As it is reported. */
  readonly agentName: string;
  readonly credential: Pick<AgentActor, "name" | "tags" | "worksFor">;
  readonly event: EventName;
  readonly lane: Lane;
  readonly input: HookInput;
  /** The approximate number of bytes that the input holds in memory. */
  readonly bytes: number;
  readonly decided: Verdict;
  readonly isGate: boolean;
  readonly observed: readonly ObservedPlan[];
}

export interface ShadowRunner {
  /** Takes the dispatch and returns at once; nothing of it runs in this turn. */
  observe(answered: AnsweredDispatch): void;
  /** Ends what runs and drops what waits, counted. */
  close(): Promise<void>;
}

export interface ShadowRunnerOptions {
  readonly observations: Observations;
  readonly clock: Clock;
  readonly log: Log;
  readonly masking: Pick<MaskingInForce, "latest">;
  readonly limits?: ShadowRunnerLimits;
}

export interface ShadowRunnerLimits {
  /** Dispatches whose observed hooks run at the same time. */
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Limit per workspace, so that each leaves room for the others. */
  readonly waitingOfOneMax: number;
  readonly waitingBytesMax: number;
}

export const SHADOW_RUNNER_LIMITS: ShadowRunnerLimits = {
  runningMax: 4,
  waitingMax: 512,
  waitingOfOneMax: 256,
  waitingBytesMax: 32 * 1024 * 1024,
};

interface Job {
  readonly answered: AnsweredDispatch;
  readonly plan: ObservedPlan;
  /** Its position among the observed policies of its dispatch. */
  readonly place: number;
}

export function createShadowRunner(options: ShadowRunnerOptions): ShadowRunner {
  const { observations, log, limits = SHADOW_RUNNER_LIMITS } = options;
  const waiting = createJobQueue(limits);
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  function start(): void {
    while (running.size < limits.runningMax) {
      const job = waiting.next();
      if (!job) return;
      const work = inWorkspace(job.answered.workspaceId, () => run(options, job, closing.signal))
        .catch((error: unknown) => {
          log.error({ err: error, policy: job.plan.policyId }, "an observed policy could not be run");
          observations.count(seenBy(job), "dropped");
        })
        .finally(() => {
          running.delete(work);
          start();
        });
      running.add(work);
    }
  }

  return {
    observe(answered) {
      for (const [place, plan] of answered.observed.entries()) {
        const { event, lane, isGate } = answered;
        if (plan.rule !== null && plan.rule.event !== event) continue;
        const isKnown = isEventName(event, plan.profile) && hasHooksFor(plan.executor.plan, event, lane);
        const job = { answered, plan, place };
        if (!isKnown) {
          if (isGate) observations.count(seenBy(job), "gates");
        } else if (closing.signal.aborted || !waiting.admit(job)) observations.count(seenBy(job), "dropped");
      }
      // The answer leaves in this turn; a hook that starts in it would be in its way.
      setImmediate(start);
    },
    async close() {
      closing.abort(new Error("the server is shutting down"));
      for (let job = waiting.next(); job; job = waiting.next()) observations.count(seenBy(job), "dropped");
      await Promise.allSettled(running);
    },
  };
}

/** The dispatches that wait, within the limits. */
function createJobQueue(limits: ShadowRunnerLimits) {
  const waiting: Job[] = [];
  const ofWorkspace = new Map<string, number>();
  let bytes = 0;

  return {
    /** False when there is no room for it. */
    admit(job: Job): boolean {
      const { workspaceId, bytes: own } = job.answered;
      const ofOne = ofWorkspace.get(workspaceId) ?? 0;
      if (waiting.length >= limits.waitingMax || ofOne >= limits.waitingOfOneMax) return false;
      if (waiting.length > 0 && bytes + own > limits.waitingBytesMax) return false;
      waiting.push(job);
      ofWorkspace.set(workspaceId, ofOne + 1);
      bytes += own;
      return true;
    },
    next(): Job | undefined {
      const job = waiting.shift();
      if (!job) return undefined;
      const { workspaceId, bytes: own } = job.answered;
      const left = (ofWorkspace.get(workspaceId) ?? 1) - 1;
      if (left > 0) ofWorkspace.set(workspaceId, left);
      else ofWorkspace.delete(workspaceId);
      bytes -= own;
      return job;
    },
  };
}

async function run(options: ShadowRunnerOptions, job: Job, signal: AbortSignal): Promise<void> {
  const { observations, clock } = options;
  const { answered, plan, place } = job;
  const { event, lane, input, decided, isGate } = answered;
  const masking = options.masking.latest(answered.workspaceId);
  const mask = (text: string) => masking.text(text, input);
  const startedMs = clock.monotonic();
  const { name, tags = [] } = answered.credential;
  const isModelCall = event === "before_llm_call";
  const person = isModelCall && { principal: principalOfCall(answered.credential, input)?.id ?? null };
  const asker = { agent: answered.agentId, name, tags, request: null, ...person };
  const report = await plan.executor.dispatch({ event, lane, input, asker, signal });
  const isUnheard = report.hooks.some(({ outcome }) => outcome.kind === "failed" && UNHEARD.has(outcome.failure.code));
  if (isUnheard) return observations.count(seenBy(job), "dropped");
  if (report.hooks.length === 0) {
    if (isGate) observations.count(seenBy(job), "gates");
    return;
  }
  observations.record({
    ...seenBy(job),
    place,
    occurredAt: answered.occurredAt,
    dispatchId: answered.dispatchId,
    agentId: answered.agentId,
    agentName: redactText(answered.agentName),
    input,
    event,
    lane,
    isGate,
    verdict: verdictOfReport(report, event),
    decided,
    reason: mask(explainDispatch(report)),
    hooks: maskStoredHooks(
      report.hooks.map((hook) => toStoredHook(hook, mask)),
      input,
      masking,
    ),
    durationUs: Math.round((clock.monotonic() - startedMs) * 1_000),
  });
}

/** Failures that do not count against the policy: no capacity, or a shutdown. */
const UNHEARD: ReadonlySet<string> = new Set(["overloaded", "cancelled"]);

function seenBy({ answered, plan }: Job): SeenBy {
  const { workspaceId, occurredAt } = answered;
  const { policyId, number: revision, rule } = plan;
  return { workspaceId, policyId, revision, rule, atMs: occurredAt.getTime() };
}
