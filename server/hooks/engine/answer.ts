/** Converts a Result to the agent's answer, to a verdict, and to a sentence. */
import { contractOf, EVENTS, type EventContract, type EventName, type Lane, type Profile } from "../contract/events.ts";
import type { HookOutput, HookSpecificOutput } from "../contract/output.ts";
import type { DispatchReport } from "./report.ts";
import type { Decision, Result } from "./result.ts";
import { NEUTRAL } from "./result.ts";

export type Verdict = Decision | "none";

/**
 * The hook output for this Result, which is the server's answer to an agent; `{}` without a result. As the output of the only
 * hook, it gives an executor the same Result in every field that a runtime reads. A denial has the whole message as its reason,
 * which includes its own reason.
 */
export function answerOf(result: Result, event: EventName, lane: Lane, profile: Profile): HookOutput {
  const contract = contractOf(event, profile, lane);
  // The caller of a content guard needs an explicit verdict and nothing else.
  if (contract.guardsContent) return result.allowed ? { continue: true } : { decision: "block" };
  const denies = contract.decides && !result.allowed && result.decision === "deny";
  const specific: HookSpecificOutput = {
    ...(denies ? verdictFields("deny", result.message) : spokenVerdict(result, contract)),
    ...rewriteFields(result),
    ...(result.additional_context !== "" && { additional_context: result.additional_context }),
    ...(result.summary !== "" && { summary: result.summary }),
    ...(result.metadata && { metadata: { ...result.metadata } }),
    ...(result.instruction_context.length > 0 && { instruction_context: [...result.instruction_context] }),
    ...(result.transition && { transition: result.transition }),
  };
  const blocks = contract.canBlock && !result.allowed && !denies;
  return {
    ...(blocks && { decision: "block", ...(result.message !== "" && { reason: result.message }) }),
    ...(result.system_message !== "" && { system_message: result.system_message }),
    ...(Object.keys(specific).length > 0 && { hook_specific_output: { hook_event_name: event, ...specific } }),
  };
}

function spokenVerdict(result: Result, contract: EventContract): HookSpecificOutput {
  if (contract.decides && result.decision !== "" && result.decision !== "deny") {
    return verdictFields(result.decision, result.decision_reason);
  }
  return contract.approves && result.permission_allowed ? verdictFields("allow", result.decision_reason) : {};
}

function verdictFields(decision: Decision, reason: string): HookSpecificOutput {
  return { permission_decision: decision, ...(reason !== "" && { permission_decision_reason: reason }) };
}

function rewriteFields(result: Result): HookSpecificOutput {
  return {
    ...(result.modified_input && { updated_input: { ...result.modified_input } }),
    ...(result.updated_messages && { updated_messages: [...result.updated_messages] }),
    ...(result.updated_tool_response !== null && { updated_tool_response: result.updated_tool_response }),
  };
}

/** The verdict in one word. A block counts as deny; an approval for the user counts as allow. */
export function verdictOf(result: Result, event: EventName): Verdict {
  if (!result.allowed && EVENTS[event].canBlock) return "deny";
  if (result.decision !== "") return result.decision;
  return result.permission_allowed ? "allow" : "none";
}

/** The verdict of a whole dispatch. A content guard allows if hooks ran and no hook refused. */
export function verdictOfReport({ result, hooks }: DispatchReport, event: EventName): Verdict {
  const verdict = verdictOf(result, event);
  return verdict === "none" && EVENTS[event].guardsContent && hooks.length > 0 ? "allow" : verdict;
}

/** The Result of our own failure: it blocks what can be blocked, with a sentence about the failure. */
export function denialResult(event: EventName, profile: Profile, sentence: string): Result {
  const contract = contractOf(event, profile);
  if (!contract.canBlock) return NEUTRAL;
  const verdict = contract.decides ? ({ decision: "deny", decision_reason: sentence } as const) : {};
  return { ...NEUTRAL, allowed: false, exit_code: -1, message: sentence, ...verdict };
}
