/** Puts calls to people, and turns their answers into decisions. */
import {
  contractOf,
  type DispatchReport,
  type HookReport,
  NEUTRAL,
  peopleAsked,
  type Result,
  WIDEST_PROFILE,
} from "@quarterdeck/hooks";
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import type { CallJudge, Decided, DispatchRequest, GateCall, Judged } from "../dispatches/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { ApprovalGate, AskedCall, Ruling } from "./gate.ts";
import { graverRadius } from "./risk-class.ts";

export type PeopleAsked = Pick<ApprovalGate, "settle" | "wantsMore" | "release">;

const NAME_CHARS_MAX = 200;

/** The hooks' decision, with its report. */
interface AskingJudged extends Judged {
  readonly report: DispatchReport;
}

/** Returns people's decision on a call that the rules judged as `own`, or `own` itself when the rules ask no person. */
export async function askPeople(
  approvals: PeopleAsked,
  judge: CallJudge,
  call: GateCall,
  own: Decided,
): Promise<Decided> {
  const { judged } = own;
  if (judged === null || judged.report === null) return own;
  const asking = { plan: judged.plan, report: judged.report };
  const people = isDecided(call.request, asking.report) ? 0 : peopleAsked(asking.report.hooks);
  if (people === 0) return own;
  const asked = askedCallOf(call, asking.report, people);
  const settled = await approvals.settle(asked);
  const { waitedMs } = settled;
  if (settled.verdict === "deny") {
    const denied = judge.conclude(call, refused(asking, settled.reason), settled.reason, waitedMs);
    return { ...denied, isAsked: true };
  }
  const { grant } = settled;
  let isAllowed = false;
  try {
    const passed = await passAgain({ approvals, judge, call, asked, asking }, settled);
    isAllowed = passed.judged.report.result.allowed;
    const decided: Decided = { ...judge.conclude(call, passed.judged, passed.said, waitedMs), isAsked: true };
    return isAllowed ? { ...decided, grant } : decided;
  } finally {
    if (!isAllowed) await approvals.release(call.actor.workspaceId, grant, call.id);
  }
}

interface Asked {
  readonly approvals: PeopleAsked;
  readonly judge: CallJudge;
  readonly call: GateCall;
  readonly asked: AskedCall;
  readonly asking: AskingJudged;
}

interface Passed {
  readonly judged: AskingJudged;
  /** The people's text; null when the hooks denied the call again. */
  readonly said: string | null;
}

/**
 * An edited input passes all hooks of its gate again, as does any input after a change of policies: a denial by one of
 * them is final.
 */
async function passAgain(
  { approvals, judge, call, asked, asking }: Asked,
  { editedInput, reason }: Extract<Ruling, { readonly verdict: "allow" }>,
): Promise<Passed> {
  if (editedInput !== null && !canBeEdited(call.request)) return { judged: refused(asking, NO_EDIT), said: NO_EDIT };
  const edited = editedInput && { ...call.request.input, tool_input: editedInput };
  const again = await judge.judgeAgain(call, asking, edited);
  if (again && !again.report.result.allowed) return { judged: again, said: null };
  if (again && (await wantsMore(again.report, asked, approvals)))
    return { judged: refused(again, MORE_PEOPLE), said: MORE_PEOPLE };
  const { plan, report } = again ?? asking;
  const result = allowed(report.result, reason);
  const modified_input = editedInput && { ...editedInput, ...result.modified_input };
  return {
    judged: { plan, report: { ...report, result: { ...result, ...(modified_input && { modified_input }) } } },
    said: reason,
  };
}

/**
 * True if the call now needs more than was asked for: by the policy itself, or because the call is graver than the one
 * that people saw.
 */
async function wantsMore(
  { hooks, result }: DispatchReport,
  asked: AskedCall,
  approvals: PeopleAsked,
): Promise<boolean> {
  const people = peopleAsked(hooks);
  if (people > asked.peopleNeeded) return true;
  if (people === 0 || result.decision !== "ask") return false;
  return approvals.wantsMore(asked, {
    risk: radiusOf(hooks.filter(({ said }) => said === "ask")),
    peopleNeeded: people,
  });
}

/** A denial that replaces the hooks' decision. */
const refused = ({ plan, report }: AskingJudged, reason: string): AskingJudged => ({
  plan,
  report: { ...report, result: denied(reason) },
});

/** The denial of a call whose grant was lost before its record. */
export function refuseLostGrant(judge: CallJudge, call: GateCall, decided: Decided): Decided {
  const { judged, waitedMs } = decided;
  if (judged === null || judged.report === null) return decided;
  const lost = refused({ plan: judged.plan, report: judged.report }, GRANT_LOST);
  return { ...judge.conclude(call, lost, GRANT_LOST, waitedMs), isAsked: true };
}

const GRANT_LOST =
  "The approval of this call was used, withdrawn or expired before the call was recorded, so it is denied.";

/** True if people are not asked: the call is already denied by a gateway or local hook, or no hook asks. */
const isDecided = ({ local }: DispatchRequest, { result }: DispatchReport): boolean =>
  !result.allowed || result.decision !== "ask" || local?.verdict === "deny";

const NO_EDIT =
  "A person allowed this call with an edited input, which cannot take effect at this gate, so the call is denied.";

const MORE_PEOPLE =
  "The policy now requires more approvers, or the call has a higher risk, so it is denied. Make the call again.";

/** False when the agent would ignore an edited input, or when local hooks judged only the original one. */
function canBeEdited({ event, lane, local, handsOnEdits = false }: DispatchRequest): boolean {
  const isTaken = handsOnEdits || contractOf(event, WIDEST_PROFILE, lane).rewrites === "tool_input";
  return isTaken && (local?.hooks.length ?? 0) === 0;
}

function askedCallOf({ actor, request }: GateCall, report: DispatchReport, people: 1 | 2): AskedCall {
  const { input, event, lane } = request;
  const asking = report.hooks.filter(({ said }) => said === "ask");
  return {
    actor,
    agentName: actor.name,
    gate: `${event} ${lane}`,
    input,
    callId: request.idempotencyKey ?? uuidv7(),
    reason: report.result.decision_reason,
    askedBy: asking.map(({ origin, path, name }) => ({
      policy: origin.policy ?? "",
      revision: origin.revision ?? 0,
      path,
      name: truncateToLine(name, NAME_CHARS_MAX),
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

const denied = (reason: string): Result => ({
  ...NEUTRAL,
  allowed: false,
  decision: "deny",
  decision_reason: reason,
  message: reason,
});

const allowed = (result: Result, reason: string): Result => ({ ...result, decision: "allow", decision_reason: reason });
