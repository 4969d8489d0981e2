/**
 * A dispatch from input to recorded answer, and reports of events that happened elsewhere.
 * Whatever fails here is thrown, never answered: at the edge a throw is a refusal.
 */

import {
  type Asker,
  answerOf,
  contractOf,
  type DispatchReport,
  type EventName,
  explainDispatch,
  type HookInput,
  hasHooksFor,
  isEventName,
  type Lane,
  type LiftVerdict,
  type Verdict,
  verdictOf,
} from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import type { ApprovalGate } from "../approvals/service.ts";
import type { Stage } from "../dialects/service.ts";
import type { DrillCalls } from "../drills/service.ts";
import { AppError } from "../errors/app-error.ts";
import type { ExceptionsInForce } from "../exceptions/service.ts";
import {
  type HaltedBy,
  type HaltInForce,
  type HaltsInForce,
  haltAnswer,
  haltReason,
  isHaltable,
  type WorkspaceHalts,
} from "../halts/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import type { EffectivePlan, Plans } from "../policies/service.ts";
import {
  callKeyIn,
  type DispatchRecord,
  GrantLostError,
  type Recorded,
  type Recorder,
  type SpentGrant,
} from "../recording/service.ts";
import type { RepeatGuards } from "../runaway-rules/service.ts";
import { askNobody, createPeopleAsked, GRANT_LOST, refusal } from "./ask-people.ts";
import { countSummarySecrets } from "./count-summary-secrets.ts";
import type { DispatchRequest, HiddenInput, ReportRequest } from "./dispatch-request.ts";
import { drillAnswer, isDrilled, policyWordOf } from "./drill-verdict.ts";
import { earlierRulesOf } from "./earlier-rules.ts";
import { createGrantHold, type GrantHold, isHaltsChanged } from "./grant-hold.ts";
import { createIdempotentDeliveries, type Dispatched, eventIdFromKey } from "./idempotent-deliveries.ts";
import { type Mask, maskRecord } from "./mask-record.ts";
import { mergeLocalResult } from "./merge-local-result.ts";
import { readCost } from "./read-cost.ts";
import { createSealedAnswers } from "./sealed-answer.ts";
import type { ShadowRunner } from "./shadow-runner.ts";
import { toStoredHook } from "./to-stored-hook.ts";

export type { DispatchRequest, HiddenInput, ReportRequest } from "./dispatch-request.ts";
export type { Dispatched } from "./idempotent-deliveries.ts";

export interface Dispatcher {
  /** Runs the hooks, records, answers. Errors: `unrecorded`, `database_away`, `busy`: no verdict then. */
  dispatch(actor: AgentActor, request: DispatchRequest): Promise<Dispatched>;
  /** Records what already happened; runs nothing. */
  report(actor: AgentActor, request: ReportRequest): Promise<Recorded>;
  /** The larger part of the work of `report`, and a function that does the rest: many are made ready, then recorded together. */
  prepareReport(actor: AgentActor, request: ReportRequest): () => Promise<Recorded>;
  /** The first of the stages at which a hook of the agent's policies would run, or one of a policy that observes; null for none. */
  findHooked(actor: AgentActor, stages: readonly Stage[]): Promise<Stage | null>;
  /** The keys among `idempotencyKeys` under which the agent's calls are on record. */
  findDelivered(actor: AgentActor, idempotencyKeys: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface DispatcherOptions {
  readonly pool: Pool;
  readonly plans: Plans;
  readonly halts: HaltsInForce;
  readonly approvals: ApprovalGate;
  readonly exceptions: ExceptionsInForce;
  readonly drills: DrillCalls;
  readonly repeatGuards: Pick<RepeatGuards, "noteOutcome">;
  readonly recorder: Recorder;
  /** The runner of the policies that are only observed, after the answer. */
  readonly observing: ShadowRunner;
  readonly clock: Clock;
  /** Hides secrets from what is stored. Hooks and the answer see them. */
  readonly mask: Omit<Mask, "seal">;
  /** True while a workspace's records are stored unmasked; never when absent. */
  readonly isRaw?: (workspaceId: string) => boolean;
  /** 32 bytes: what an answer that holds a secret is kept with. */
  readonly answerKey: Buffer;
  readonly observer?: DispatchObserver;
}

/** A request's verdict before it is recorded. */
interface Decided
  extends Pick<DispatchRecord, "verdict" | "reason" | "hooks" | "revision" | "answer" | "earlierRules"> {
  readonly halted?: HaltedBy;
  readonly observed: EffectivePlan["observed"];
  /** Milliseconds that people took. */
  readonly waitedMs: number;
  /** The grant that allows it, and the denial where that is lost before the record. */
  readonly granted?: { readonly grant: SpentGrant; readonly ifLost: Decided };
}

/** The world that one request is decided in. */
interface Deciding {
  readonly asker: Asker;
  readonly isDrill: boolean;
  readonly dispatchId: string;
  readonly hold: GrantHold;
}

/** The event that says how a tool ended. */
const OUTCOME: EventName = "post_tool_use";

/** So often a verdict is decided again because halts changed; after that the call is refused. */
const ROUNDS_MAX = 8;

/** Told of every dispatch that was answered, repeats left out. */
export interface DispatchObserver {
  judgeFailed(cause: string): void;
  dispatched(event: EventName, verdict: Verdict, durationMs: number): void;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, plans, halts, exceptions, drills, repeatGuards, recorder, observing, clock, answerKey, observer } =
    options;
  const sealedAnswers = createSealedAnswers(answerKey);
  const mask: Mask = { ...options.mask, seal: sealedAnswers.seal };
  const stored = (record: DispatchRecord, hidden?: HiddenInput) => {
    const counted = countSummarySecrets(record);
    return options.isRaw?.(record.workspaceId) ? counted : maskRecord(counted, mask, hidden);
  };
  const deliveries = createIdempotentDeliveries(pool, sealedAnswers);
  const askPeople = createPeopleAsked(options.approvals);

  async function run(
    actor: AgentActor,
    request: DispatchRequest,
    delivery: DispatchRecord["delivery"],
  ): Promise<Dispatched> {
    const { event, lane, input, text } = request;
    const receivedMs = clock.now();
    const startedMs = clock.monotonic();
    const cost = readCost(event, input, text);
    const callKey = callKeyIn(event, input);
    const id = uuidv7(receivedMs);
    const at = new Date(receivedMs);
    const drill = isDrilled(event) ? await drills.find(actor, input.session_id) : null;
    // A drill makes no call: whoever counts calls only looks.
    const asker = { agent: actor.id, request: drill === null ? (delivery?.eventId ?? id) : null };
    const hold = createGrantHold(options.approvals, actor.workspaceId, id);
    const decide = createDecider(actor, request, { asker, isDrill: drill !== null, dispatchId: id, hold });
    if (event === OUTCOME) await noteOutcome(actor, input, delivery?.eventId ?? id);
    const attempt = async (inForce: WorkspaceHalts | null, isGrantLost: boolean) => {
      const own = await decide(inForce, isGrantLost);
      const decided = drill === null ? own : { ...own, ...drillAnswer(own, request), observed: [] };
      const { verdict, reason, revision, answer, hooks } = decided;
      // Field by field: a spread here cost as much as everything else on the way of a dispatch without hooks.
      const record: DispatchRecord = {
        id,
        workspaceId: actor.workspaceId,
        occurredAt: at,
        receivedAt: at,
        agentId: actor.id,
        agentName: agentNameOf(actor, input),
        event,
        lane,
        origin: "dispatch",
        input,
        inputText: text,
        cost,
        verdict,
        reason,
        revision,
        durationUs: Math.round((clock.monotonic() - startedMs - decided.waitedMs) * 1_000),
        answer: { ...answer },
        hooks,
        delivery,
        ...(callKey !== null && callKey !== delivery?.eventId && { callKey }),
        ...(inForce && { haltNumber: inForce.number }),
        ...(drill && { isDrill: true }),
        ...(decided.earlierRules && { earlierRules: decided.earlierRules }),
        ...(decided.granted && { grant: decided.granted.grant }),
      };
      const recorded = await recorder
        .record(stored(record, request.hidden), isGate(event), loadClassOf(event))
        .catch(hold.afterFailure);
      return { decided, policy: policyWordOf(own.verdict), recorded };
    };
    const { decided, policy, recorded } = await underHalts(actor.workspaceId, isHaltable(event), attempt).catch(
      async (error: unknown) => {
        await hold.giveBack();
        throw error;
      },
    );
    if (decided.granted === undefined || recorded.kind !== "stored") await hold.giveBack();
    if (drill) await drills.note(actor, drill, policy);
    const { verdict, hooks, revision, observed, answer, halted } = decided;
    if (recorded.kind === "mismatched") throw new AppError("idempotency_mismatch");
    if (recorded.kind === "repeated")
      return {
        answer: sealedAnswers.whole(recorded, delivery?.eventId ?? ""),
        dispatchId: recorded.dispatchId,
        revision: recorded.revision,
        isRepeated: true,
      };
    // A hook that ended with the server is on record as failed; the client that waits is asked to come back.
    const isEnding = request.client.signal.reason instanceof AppError && decided.granted === undefined;
    if (hooks.length > 0 && isEnding) throw request.client.signal.reason;
    if (observed.length > 0)
      observing.observe({
        workspaceId: actor.workspaceId,
        dispatchId: id,
        occurredAt: at,
        agentId: actor.id,
        agentName: agentNameOf(actor, input),
        event,
        lane,
        input,
        bytes: text.length,
        decided: verdict,
        isGate: isGate(event),
        observed,
      });
    if (drill === null) observer?.dispatched(event, verdict, clock.monotonic() - startedMs - decided.waitedMs);
    for (const { judge } of hooks) if (judge?.cause !== undefined) observer?.judgeFailed(judge.cause);
    const dispatched = { answer: JSON.stringify(answer), dispatchId: id, revision, isRepeated: false };
    return halted && drill === null ? { ...dispatched, halted } : dispatched;
  }

  /** Decides one request, by its halt or by the plan. Hooks run once, however often halts change meanwhile. */
  function createDecider(actor: AgentActor, request: DispatchRequest, deciding: Deciding) {
    let planned: Promise<Decided> | undefined;
    async function decide(inForce: WorkspaceHalts | null, isGrantLost: boolean): Promise<Decided> {
      const halt = inForce && findHalt(inForce, actor, request);
      if (halt) return haltedRequest(request, halt, inForce.number);
      planned ??= decideByPlan(actor, request, deciding);
      const decided = await planned;
      if (decided.granted === undefined) return decided;
      if (isGrantLost) return decided.granted.ifLost;
      deciding.hold.hold(decided.granted.grant);
      return decided;
    }
    return decide;
  }

  /** Nobody is asked about a drill, and no exception lifts its questions. */
  async function decideByPlan(
    actor: AgentActor,
    request: DispatchRequest,
    { asker, isDrill, dispatchId }: Deciding,
  ): Promise<Decided> {
    const { event, lane } = request;
    let plan = await plans.planFor(actor);
    // An event that this agent's profile does not know has no hooks; it is still recorded.
    const isKnown = isEventName(event, plan.profile);
    const hooked = isKnown ? await plan.executor.dispatch(hookedRequest(actor, request, asker, isDrill)) : null;
    const {
      report,
      reason: answered,
      waitedMs,
      grant,
    } = await (isDrill ? askNobody : askPeople)(actor, request, hooked, { dispatchId, redispatch });
    async function redispatch(edited: HookInput | null) {
      // People take minutes: the policies and exceptions of now judge the call that they allowed.
      const now = await plans.planFor(actor);
      const isLifted = hooked?.hooks.some(({ exception }) => exception !== undefined) ?? false;
      if (edited === null && now.revision === plan.revision && !isLifted) return null;
      if (isEventName(event, now.profile)) plan = now;
      return plan.executor.dispatch(hookedRequest(actor, { ...request, input: edited ?? request.input }, asker, false));
    }
    const decidedAs = (report: DispatchReport | null, said: string | null): Decided => {
      const { verdict, reason, hooks } = mergeLocalResult(request.local, {
        verdict: report ? verdictOf(report.result, event) : "none",
        reason: said ?? (report ? explainDispatch(report) : ""),
        hooks: report ? report.hooks.map((hook) => toStoredHook(hook, mask.text)) : [],
      });
      const answer = report ? answerOf(report.result, event, lane, plan.profile) : {};
      const earlierRules = earlierRulesOf(plan, request);
      const { revision, observed } = plan;
      return { verdict, reason, hooks, answer, revision, observed, waitedMs, ...(earlierRules && { earlierRules }) };
    };
    const decided = decidedAs(report, answered);
    if (grant === undefined || report === null) return decided;
    return { ...decided, granted: { grant, ifLost: decidedAs(refusal(report, GRANT_LOST).report, GRANT_LOST) } };
  }

  function hookedRequest(actor: AgentActor, request: DispatchRequest, asker: Asker, isDrill: boolean) {
    const { workspaceId, id: agentId } = actor;
    const { input } = request;
    const lift: LiftVerdict = isDrill ? async () => null : exceptions.lifterFor({ workspaceId, agentId, input });
    return new HookedRequest(request, asker, lift);
  }

  /** Has `attempt` decide and record under the halts in force, again when they changed, or its grant was lost, before its record was committed. */
  async function underHalts<T>(
    workspaceId: string,
    isHeld: boolean,
    attempt: (inForce: WorkspaceHalts | null, isGrantLost: boolean) => Promise<T>,
  ): Promise<T> {
    let inForce = isHeld ? await halts.of(workspaceId) : null;
    let isGrantLost = false;
    for (let rounds = 1; ; rounds += 1) {
      try {
        return await attempt(inForce, isGrantLost);
      } catch (error) {
        if (rounds >= ROUNDS_MAX) throw error;
        if (error instanceof GrantLostError) isGrantLost = true;
        else if (inForce !== null && isHaltsChanged(error)) inForce = await halts.refresh(workspaceId, inForce.number);
        else throw error;
      }
    }
  }

  async function runsHooks(actor: AgentActor, request: DispatchRequest): Promise<boolean> {
    const isHalted = isHaltable(request.event) && findHalt(await halts.of(actor.workspaceId), actor, request) !== null;
    return !isHalted && (await findHooked(actor, [request])) !== null;
  }

  async function findHooked(actor: AgentActor, stages: readonly Stage[]): Promise<Stage | null> {
    const { executor, profile, observed } = await plans.planFor(actor);
    const sets = [{ executor, profile }, ...observed];
    const isHooked = ({ event, lane }: Stage) =>
      sets.some((one) => isEventName(event, one.profile) && hasHooksFor(one.executor.plan, event, lane));
    return stages.find(isHooked) ?? null;
  }

  async function noteOutcome(actor: AgentActor, input: HookInput, request: string): Promise<void> {
    await repeatGuards.noteOutcome(actor, await plans.planFor(actor), input, request);
  }

  function prepareReport(actor: AgentActor, request: ReportRequest): () => Promise<Recorded> {
    const receivedMs = clock.now();
    const { eventId, event, lane, text, input, local } = request;
    const callKey = callKeyIn(event, input);
    const record: DispatchRecord = {
      id: uuidv7(receivedMs),
      workspaceId: actor.workspaceId,
      occurredAt: new Date(request.occurredMs),
      receivedAt: new Date(receivedMs),
      agentId: actor.id,
      agentName: agentNameOf(actor, input),
      event,
      lane,
      origin: "report",
      input,
      inputText: text,
      cost: readCost(event, input, text),
      ...mergeLocalResult(local, { verdict: "none", reason: "", hooks: [] }),
      revision: local?.revision ?? "",
      durationUs: Math.round((local?.durationMs ?? 0) * 1_000),
      answer: {},
      delivery: { eventId, bodySha256: sha256(`${event} ${lane} ${text}`) },
      ...(callKey !== null && callKey !== eventId && { callKey }),
    };
    const kept = stored(record, request.hidden);
    return async () => {
      const recorded = recorder.record(kept, isGate(event));
      return event === OUTCOME ? (await Promise.all([recorded, noteOutcome(actor, input, eventId)]))[0] : recorded;
    };
  }

  return {
    dispatch(actor, request) {
      if (request.idempotencyKey === null) return run(actor, request, null);
      const eventId = eventIdFromKey(request.idempotencyKey);
      const bodySha256 = sha256(`${request.event} ${request.lane} ${request.text}`);
      return deliveries.once(actor, eventId, bodySha256, {
        run: () => run(actor, request, { eventId, bodySha256 }),
        runsHooks: () => runsHooks(actor, request),
        setAside: () => request.setAside?.(),
      });
    },
    report: (actor, request) => prepareReport(actor, request)(),
    prepareReport,
    findHooked,
    findDelivered: deliveries.findDelivered,
  };
}

/** The executor's view of a request, without making a signal before it wants one. */
class HookedRequest {
  readonly event: EventName;
  readonly lane: Lane;
  readonly input: HookInput;

  constructor(
    private readonly request: DispatchRequest,
    readonly asker: Asker,
    readonly liftVerdict: LiftVerdict,
  ) {
    this.event = request.event;
    this.lane = request.lane;
    this.input = request.input;
  }

  get signal(): AbortSignal {
    return this.request.client.signal;
  }
}

/** The halt that reaches a request. A session's halt reaches the sessions that it began. */
function findHalt(inForce: WorkspaceHalts, { id }: AgentActor, { input }: DispatchRequest): HaltInForce | null {
  return inForce.find({ agentId: id, sessionId: input.session_id, parentSessionId: input.parent_session_id });
}

/** The denial of a halted request: of the hooks only those beside the agent may have run, and their word changes nothing. */
function haltedRequest({ event, lane, local }: DispatchRequest, halt: HaltInForce, number: number): Decided {
  const reason = haltReason(halt);
  const { hooks } = mergeLocalResult(local, { verdict: "deny", reason, hooks: [] });
  return {
    verdict: "deny",
    reason,
    hooks,
    answer: haltAnswer(reason, event, lane),
    revision: "",
    observed: [],
    waitedMs: 0,
    halted: { id: halt.id, number },
  };
}

/** The enrolled agent's name, which its key proves, and behind it the name that the input says: a sub-agent's, or anybody's. */
function agentNameOf({ name }: AgentActor, { agent_name: reported }: HookInput): string {
  return typeof reported === "string" && reported !== "" && reported !== name ? `${name} / ${reported}` : name;
}

/** True if the event can decide a tool call, in any profile. */
function isGate(event: EventName): boolean {
  const { decides, approves } = contractOf(event, "2026-08");
  return decides || approves;
}

/** The load class of an event: one that can hold an agent back goes ahead of one that only reports. */
export function loadClassOf(event: string): "gate" | "dispatch" {
  return isEventName(event, "2026-08") && !contractOf(event, "2026-08").canBlock ? "dispatch" : "gate";
}
