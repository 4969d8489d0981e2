/** Reports of what already happened: recorded, and decided by nothing. */
import type { AgentActor } from "../access/actor.ts";
import type { MaskingInForce } from "../masking/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { principalOfCall } from "../principals/index.ts";
import { callKeyIn, type DispatchRecord, type Recorded } from "../recording/index.ts";
import { agentNameOf } from "./agent-name.ts";
import type { ReportRequest } from "./dispatch-request.ts";
import { isGate } from "./event-class.ts";
import { isMaskedInline } from "./mask-input.ts";
import { mergeLocalResult } from "./merge-local-result.ts";
import type { PipelineOptions } from "./pipeline.ts";
import { readCost } from "./read-cost.ts";

interface ReportsOptions extends Pick<PipelineOptions, "steps" | "recorder" | "stored" | "clock"> {
  readonly maskings: Pick<MaskingInForce, "current">;
  readonly maskLarge: (actor: AgentActor, request: ReportRequest) => Promise<ReportRequest>;
}

/** Makes a report ready, and answers with the function that records it. */
export function createReports({ steps, recorder, stored, clock, maskings, maskLarge }: ReportsOptions) {
  const told = steps.filter(({ reported }) => reported !== undefined);
  return (actor: AgentActor, request: ReportRequest): (() => Promise<Recorded>) => {
    const masking = maskings.current(actor.workspaceId);
    const made = recordOf(actor, request, clock.now());
    const kept = masking !== null && isMaskedInline(masking, request) ? stored(made, request) : null;
    return async () => {
      const recorded = recorder.record(kept ?? stored(made, await maskLarge(actor, request)), isGate(request.event));
      const [answer] = await Promise.all([recorded, ...told.map((step) => step.reported?.(actor, request))]);
      return answer;
    };
  };
}

function recordOf(actor: AgentActor, request: ReportRequest, receivedMs: number): DispatchRecord {
  const { eventId, event, lane, text, input, local } = request;
  const callKey = callKeyIn(event, input);
  const principal = principalOfCall(actor, input, request.namedPrincipal);
  return {
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
    ...(principal !== null && { principal }),
    ...(callKey !== null && callKey !== eventId && { callKey }),
  };
}
