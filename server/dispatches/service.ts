/** Dispatches: calls that are decided and recorded, and reports of events that happened elsewhere. */

import { type EventName, hasHooksFor, isEventName, type Verdict } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { AgentActor } from "../access/actor.ts";
import type { Stage } from "../dialects/index.ts";
import { AppError } from "../errors/app-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import type { Plans } from "../policies/index.ts";
import type { DispatchRecord, Recorded, Recorder } from "../recording/index.ts";
import { countSummarySecrets } from "./count-summary-secrets.ts";
import type { DispatchRequest, ReportRequest } from "./dispatch-request.ts";
import type { GateStep } from "./gate-step.ts";
import { createIdempotentDeliveries, type Dispatched, eventIdFromKey } from "./idempotent-deliveries.ts";
import type { CallJudge } from "./judge-call.ts";
import { type Mask, maskRecord, type StoredForm } from "./mask-record.ts";
import { createPipeline } from "./pipeline.ts";
import { createReports } from "./reports.ts";
import { createSealedAnswers } from "./sealed-answer.ts";

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
}

export interface DispatcherOptions {
  readonly pool: Pool;
  readonly plans: Plans;
  /** The steps in the order in which a call passes them. */
  readonly steps: readonly GateStep[];
  readonly judge: Pick<CallJudge, "judge">;
  readonly recorder: Recorder;
  readonly clock: Clock;
  /** Hides secrets in stored data. Hooks and the answer see them. */
  readonly mask: Omit<Mask, "seal">;
  /** True while a workspace's records are stored unmasked; never when absent. */
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
  const { pool, plans, steps, judge, recorder, clock, observer } = options;
  const sealedAnswers = createSealedAnswers(options.answerKey);
  const mask: Mask = { ...options.mask, seal: sealedAnswers.seal };
  const stored: StoredForm = (record, hidden) => {
    const counted = countSummarySecrets(record);
    return options.isRaw?.(record.workspaceId) ? counted : maskRecord(counted, mask, hidden);
  };
  const deliveries = createIdempotentDeliveries(pool, sealedAnswers);
  const pass = createPipeline({ steps, judge: judge.judge, recorder, stored, clock });
  const prepareReport = createReports({ steps, recorder, stored, clock });

  async function run(
    actor: AgentActor,
    request: DispatchRequest,
    delivery: DispatchRecord["delivery"],
  ): Promise<Dispatched> {
    const { call, decided, recorded, isAnswered, durationMs } = await pass(actor, request, delivery);
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

  return {
    dispatch(actor, request) {
      if (request.idempotencyKey === null) return run(actor, request, null);
      const eventId = eventIdFromKey(request.idempotencyKey);
      const bodySha256 = sha256(`${request.event} ${request.lane} ${request.sameCall ?? request.text}`);
      return deliveries.once(actor, eventId, bodySha256, {
        run: () => run(actor, request, { eventId, bodySha256 }),
        isLookedUp: async () => request.isNew !== true && (await findHooked(actor, [request])) !== null,
        setAside: () => request.setAside?.(),
      });
    },
    report: (actor, request) => prepareReport(actor, request)(),
    prepareReport,
    findHooked,
    findDelivered: deliveries.findDelivered,
  };
}
