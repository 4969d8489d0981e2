/** A call before its first step, and its record after the last one that decides. */
import type { AgentActor } from "../access/actor.ts";
import { uuidv7 } from "../platform/ids.ts";
import { principalOfCall } from "../principals/index.ts";
import { callKeyIn, type DispatchRecord } from "../recording/index.ts";
import { agentNameOf } from "./agent-name.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import type { Decided, GateCall } from "./gate-step.ts";
import { readCost } from "./read-cost.ts";

const NO_TAGS: readonly string[] = [];

export function newCall(
  actor: AgentActor,
  request: DispatchRequest,
  delivery: GateCall["delivery"],
  nowMs: number,
): GateCall {
  const id = uuidv7(nowMs);
  return {
    actor,
    request,
    id,
    at: new Date(nowMs),
    delivery,
    cost: readCost(request.event, request.input, request.text),
    asker: askerOf(actor, request, delivery?.eventId ?? id),
    isDrill: false,
    isCountedAtGate: false,
    haltNumber: null,
    lifterFor: null,
    judging: null,
  };
}

/** Only budgets read the person, before a model call. */
function askerOf(actor: AgentActor, { event, input }: DispatchRequest, request: string): GateCall["asker"] {
  const asker = { agent: actor.id, name: actor.name, tags: actor.tags ?? NO_TAGS, request };
  return event === "before_llm_call" ? { ...asker, principal: principalOfCall(actor, input)?.id ?? null } : asker;
}

/** Field by field: a spread here cost as much as everything else on the way of a call without hooks. */
export function dispatchRecordOf(call: GateCall, decided: Decided, durationMs: number): DispatchRecord {
  const { actor, request, id, at, delivery, cost, haltNumber, isDrill, isCountedAtGate } = call;
  const { event, lane, input, text } = request;
  const { verdict, reason, revision, answer, hooks, earlierRules, isAsked, grant } = decided;
  const callKey = callKeyIn(event, input);
  const principal = principalOfCall(actor, input);
  return {
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
    durationUs: Math.round(durationMs * 1_000),
    answer: { ...answer },
    hooks,
    delivery,
    ...(principal !== null && { principal }),
    ...(callKey !== null && callKey !== delivery?.eventId && { callKey }),
    ...(haltNumber !== null && { haltNumber }),
    ...(isDrill && { isDrill: true }),
    ...(isCountedAtGate && { isCountedAtGate }),
    ...(earlierRules && { earlierRules }),
    ...(isAsked && { isAsked }),
    ...(grant && { grant }),
  };
}
