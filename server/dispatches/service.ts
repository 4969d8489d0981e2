/** Dispatches: calls that are decided and recorded, and reports of events that happened elsewhere. */

import {
  BUILT_IN_MASKING,
  type EventName,
  hasHooksFor,
  isEventName,
  type MaskHits,
  type Verdict,
} from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { AgentActor } from "../access/actor.ts";
import type { Stage } from "../dialects/index.ts";
import { AppError } from "../errors/app-error.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import type { Plans } from "../policies/index.ts";
import type { DispatchRecord, Recorded, Recorder } from "../recording/index.ts";
import { countSummarySecrets } from "./count-summary-secrets.ts";
import type { DispatchRequest, ReportRequest } from "./dispatch-request.ts";
import { isGate } from "./event-class.ts";
import type { GateStep } from "./gate-step.ts";
import { createIdempotentDeliveries, type Dispatched, eventIdFromKey } from "./idempotent-deliveries.ts";
import type { CallJudge } from "./judge-call.ts";
import { maskLargeInput } from "./mask-input.ts";
import { maskRecord, type StoredForm } from "./mask-record.ts";
import { createPipeline } from "./pipeline.ts";
import { createReports } from "./reports.ts";
import { createSealedAnswers } from "./sealed-answer.ts";
import { createStartingGates } from "./starting-gates.ts";

export interface Dispatcher {
  /** Runs the hooks, records, answers. Errors: `unrecorded`, `database_away`, `busy`: no verdict then. */
  dispatch(actor: AgentActor, request: DispatchRequest): Promise<Dispatched>;
  /** Records what already happened; runs nothing. */
  report(actor: AgentActor, request: ReportRequest): Promise<Recorded>;
  /** The larger part of the work of `report`, and a function that does the rest: many are made ready, then recorded together. */
  prepareReport(actor: AgentActor, request: ReportRequest): () => Promise<Recorded>;
  /** The first stage with a hook of the agent's policies, enforced or observed; null without one. */
  findHooked(actor: AgentActor, stages: readonly Stage[]): Promise<Stage | null>;
  /** The keys among `idempotencyKeys` under which the agent's calls are on record. */
  findDelivered(actor: AgentActor, idempotencyKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Milliseconds that the oldest gate waits whose hooks do not run yet; 0 without one. */
  readonly startingMs: number;
}

export interface DispatcherOptions {
  readonly pool: Pool;
  readonly plans: Plans;
  /** The steps in the order in which a call passes them. */
  readonly steps: readonly GateStep[];
  readonly judge: Pick<CallJudge, "judge">;
  readonly recorder: Recorder;
  readonly clock: Clock;
  /** Masks stored data. Hooks and the answer see the original. */
  readonly masking: Pick<MaskingInForce, "of" | "current" | "latest" | "count">;
  /** True while a workspace's records are stored with their secrets; never when absent. Its own masking applies still. */
  readonly isRaw?: (workspaceId: string) => boolean;
  /** The key of 32 bytes that encrypts an answer with a secret. */
  readonly answerKey: Buffer;
  readonly observer?: DispatchObserver;
}

/** Told of every dispatch that was answered, repeats left out. */
export interface DispatchObserver {
  judgeFailed(cause: string): void;
  dispatched(event: EventName, verdict: Verdict, durationMs: number): void;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, plans, steps, judge, recorder, clock, observer, masking } = options;
  const isRaw = (workspaceId: string): boolean => options.isRaw?.(workspaceId) ?? false;
  const sealedAnswers = createSealedAnswers(options.answerKey);
  const stored: StoredForm = (record, { hidden, ownMasked }) => {
    const { workspaceId } = record;
    const whole = masking.latest(workspaceId);
    const hits: MaskHits = new Map(ownMasked?.hits);
    const builtIn = isRaw(workspaceId) ? BUILT_IN_MASKING.ownOnly : BUILT_IN_MASKING;
    const mask = {
      ...{ masking: isRaw(workspaceId) ? whole.ownOnly : whole, name: builtIn.text },
      ...{ seal: sealedAnswers.seal, hits },
    };
    // Own masking needs the text, so an input that has only lost its secrets is masked again.
    const masked = ownMasked ? ownMasked.hidden : whole.isOwn || isRaw(workspaceId) ? undefined : hidden;
    const kept = maskRecord(countSummarySecrets(record), mask, masked);
    masking.count(workspaceId, hits);
    return kept;
  };
  const maskLarge = <T extends Pick<DispatchRequest, "text" | "input" | "hidden">>(actor: AgentActor, request: T) =>
    maskLargeInput(masking, actor, request, isRaw(actor.workspaceId));
  const deliveries = createIdempotentDeliveries(pool, sealedAnswers);
  const starting = createStartingGates();
  const pass = createPipeline({ steps, judge: judge.judge, recorder, stored, clock });
  const prepareReport = createReports({ steps, recorder, stored, clock, maskings: masking, maskLarge });

  async function run(
    actor: AgentActor,
    request: DispatchRequest,
    delivery: DispatchRecord["delivery"],
    begins?: () => void,
  ): Promise<Dispatched> {
    const { call, decided, recorded, isAnswered, durationMs } = await pass(
      actor,
      await maskLarge(actor, request),
      delivery,
      begins,
    );
    if (recorded.kind === "mismatched") throw new AppError("idempotency_mismatch");
    if (recorded.kind === "repeated")
      return {
        answer: sealedAnswers.whole(recorded, delivery?.eventId ?? ""),
        dispatchId: recorded.dispatchId,
        revision: recorded.revision,
        isRepeated: true,
      };
    // Hooks that a server shutdown ended are recorded as failed; the waiting client is asked to retry.
    if (!isAnswered) throw request.client.signal.reason;
    const { verdict, revision, halted, isAsked } = decided;
    if (!call.isDrill) observer?.dispatched(request.event, verdict, durationMs);
    for (const { judge } of decided.hooks) if (judge?.cause !== undefined) observer?.judgeFailed(judge.cause);
    const answer = printExactJson(decided.answer);
    return {
      answer,
      dispatchId: call.id,
      revision,
      isRepeated: false,
      ...(halted && { halted }),
      ...(isAsked && { isAsked }),
    };
  }

  async function findHooked(actor: AgentActor, stages: readonly Stage[]): Promise<Stage | null> {
    const { executor, profile, observed } = await plans.planFor(actor);
    const sets = [{ executor, profile }, ...observed];
    const isHooked = ({ event, lane }: Stage) =>
      sets.some((one) => isEventName(event, one.profile) && hasHooksFor(one.executor.plan, event, lane));
    return stages.find(isHooked) ?? null;
  }

  function runOnce(actor: AgentActor, request: DispatchRequest, begins?: () => void): Promise<Dispatched> {
    if (request.idempotencyKey === null) return run(actor, request, null, begins);
    const eventId = eventIdFromKey(request.idempotencyKey);
    const bodySha256 = sha256(`${request.event} ${request.lane} ${request.sameCall ?? request.text}`);
    return deliveries.once(actor, eventId, bodySha256, {
      run: () => run(actor, request, { eventId, bodySha256 }, begins),
      isLookedUp: async () => request.isNew !== true && (await findHooked(actor, [request])) !== null,
      setAside: () => {
        begins?.();
        request.setAside?.();
      },
    });
  }

  return {
    async dispatch(actor, request) {
      if (!isGate(request.event)) return runOnce(actor, request);
      const begins = starting.enter();
      try {
        return await runOnce(actor, request, begins);
      } finally {
        begins();
      }
    },
    get startingMs() {
      return starting.oldestMs;
    },
    report: (actor, request) => prepareReport(actor, request)(),
    prepareReport,
    findHooked,
    findDelivered: deliveries.findDelivered,
  };
}
