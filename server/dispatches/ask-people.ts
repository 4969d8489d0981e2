/** From a dispatch that asks people to one that people have answered. */
import {
  contractOf,
  type DispatchReport,
  type HookInput,
  type HookReport,
  NEUTRAL,
  peopleAsked,
  type Result,
} from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import { type ApprovalGate, type AskedCall, graverRadius, type Ruling } from "../approvals/service.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { SpentGrant } from "../recording/service.ts";
import type { DispatchRequest } from "./dispatch-request.ts";

export interface Answered {
  readonly report: DispatchReport | null;
  /** The grant of a call that people allowed: it is spent with its record. */
  readonly grant?: SpentGrant;
  /** The people's word; null where nobody was asked. */
  readonly reason: string | null;
  readonly waitedMs: number;
}

/** Judges an edited input, or the same one where the policies changed meanwhile; null where there is nothing to judge again. */
type Redispatch = (edited: HookInput | null) => Promise<DispatchReport | null>;

type Approvals = Pick<ApprovalGate, "settle" | "wantsMore" | "release">;

export function createPeopleAsked(approvals: Approvals) {
  return async function askPeople(
    actor: AgentActor,
    request: DispatchRequest,
    report: DispatchReport | null,
    { redispatch, dispatchId }: { readonly redispatch: Redispatch; readonly dispatchId: string },
  ): Promise<Answered> {
    const people = report === null || isDecided(request, report) ? 0 : peopleAsked(report.hooks);
    if (report === null || people === 0) return { report, reason: null, waitedMs: 0 };
    const call = callOf(actor, request, report, people);
    const settled = await approvals.settle(call);
    const { waitedMs } = settled;
    if (settled.verdict === "deny") return { ...refusal(report, settled.reason), waitedMs };
    const { grant } = settled;
    let isAllowed = false;
    try {
      const passed = await passAgain(request, { report, call, approvals }, settled, redispatch);
      isAllowed = passed.report?.result.allowed ?? false;
      return { ...passed, ...(isAllowed && { grant }), waitedMs };
    } finally {
      if (!isAllowed) await approvals.release(actor.workspaceId, grant, dispatchId);
    }
  };
}

/** The report as it stands. */
export const askNobody = async (
  _actor: AgentActor,
  _request: DispatchRequest,
  report: DispatchReport | null,
): Promise<Answered> => ({
  report,
  reason: null,
  waitedMs: 0,
});

/** An edited input passes all hooks of its gate again, as does any under other policies: what one of them denies stays denied. */
async function passAgain(
  request: DispatchRequest,
  asked: { readonly report: DispatchReport; readonly call: AskedCall; readonly approvals: Approvals },
  { editedInput, reason }: Extract<Ruling, { readonly verdict: "allow" }>,
  redispatch: Redispatch,
): Promise<Omit<Answered, "waitedMs">> {
  if (editedInput !== null && !canBeEdited(request)) return refusal(asked.report, NO_EDIT);
  const again = await redispatch(editedInput && { ...request.input, tool_input: editedInput });
  if (again && !again.result.allowed) return { report: again, reason: null };
  if (again && (await wantsMore(again, asked))) return refusal(again, MORE_PEOPLE);
  const report = again ?? asked.report;
  const result = allowed(report.result, reason);
  if (editedInput === null) return { report: { ...report, result }, reason };
  return {
    report: { ...report, result: { ...result, modified_input: { ...editedInput, ...result.modified_input } } },
    reason,
  };
}

/** More than was asked for: by the policy itself, or because what runs now is graver than what people were shown. */
async function wantsMore(
  { hooks, result }: DispatchReport,
  { call, approvals }: { readonly call: AskedCall; readonly approvals: Approvals },
): Promise<boolean> {
  const people = peopleAsked(hooks);
  if (people > call.peopleNeeded) return true;
  if (people === 0 || result.decision !== "ask") return false;
  return approvals.wantsMore(call, {
    risk: radiusOf(hooks.filter(({ said }) => said === "ask")),
    peopleNeeded: people,
  });
}

export const refusal = (report: DispatchReport, reason: string) => ({
  report: { ...report, result: denied(reason) },
  reason,
});

/** Nobody is asked about what is denied already, here or beside the agent, nor about what nobody asks. */
const isDecided = ({ local }: DispatchRequest, { result }: DispatchReport): boolean =>
  !result.allowed || result.decision !== "ask" || local?.verdict === "deny";

const NO_EDIT =
  "A person allowed this call with an edited input, which cannot take effect at this gate, so the call is denied.";

const MORE_PEOPLE =
  "The policy wants more people to agree than were asked, or the call is graver now, so it is denied. Make it again.";

/** False where the agent would run the call as it was, or where hooks beside it judged no more than that. */
function canBeEdited({ event, lane, local, handsOnEdits = false }: DispatchRequest): boolean {
  const isTaken = handsOnEdits || contractOf(event, "2026-08", lane).rewrites === "tool_input";
  return isTaken && (local?.hooks.length ?? 0) === 0;
}

function callOf(actor: AgentActor, request: DispatchRequest, report: DispatchReport, people: 1 | 2): AskedCall {
  const { input, event, lane } = request;
  const asking = report.hooks.filter(({ said }) => said === "ask");
  return {
    actor,
    agentName: actor.name,
    gate: `${event} ${lane}`,
    input,
    callId: request.idempotencyKey ?? uuidv7(),
    reason: report.result.decision_reason,
    askedBy: asking.map(({ origin, path }) => ({
      policy: origin.policy ?? "",
      revision: origin.revision ?? 0,
      path,
    })),
    risk: radiusOf(asking),
    peopleNeeded: people,
    wait: request.wait ?? null,
    signal: request.client.signal,
  };
}

/** The gravest that is said: no hook makes little of what another one calls grave. */
const radiusOf = (asking: readonly HookReport[]): string =>
  asking.map(({ output }) => output?.hook_specific_output?.metadata?.blast_radius ?? "").reduce(graverRadius, "");

/** The denial of a call whose grant was lost before its record. */
export const GRANT_LOST =
  "The approval of this call was used, taken back or over before the call was recorded, so it is denied.";

const denied = (reason: string): Result => ({
  ...NEUTRAL,
  allowed: false,
  decision: "deny",
  decision_reason: reason,
  message: reason,
});

const allowed = (result: Result, reason: string): Result => ({ ...result, decision: "allow", decision_reason: reason });
