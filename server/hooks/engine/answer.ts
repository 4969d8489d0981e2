/** From a Result to what is said about it: the agent's answer, one word, one sentence. */
import { contractOf, EVENTS, type EventContract, type EventName, type Lane, type Profile } from "../contract/events.ts";
import type { HookOutput, HookSpecificOutput } from "../contract/output.ts";
import type { Decision, Result } from "./result.ts";
import { NEUTRAL } from "./result.ts";

export type Verdict = Decision | "none";

/**
 * The hook output that means this Result: what the server answers an agent with, `{}` when there is nothing to say.
 *
 * Fed back through an executor as the output of its only hook it gives the same Result in all that a runtime reads.
 * A denial carries the whole message as its reason; its own reason is part of that.
 */
export function answerOf(result: Result, event: EventName, lane: Lane, profile: Profile): HookOutput {
  const contract = contractOf(event, profile, lane);
  // Whoever asks a content guard needs an explicit verdict, and only that.
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

/** The verdict in one word. A block is a denial; approval in the user's place is an allowance. */
export function verdictOf(result: Result, event: EventName): Verdict {
  if (!result.allowed && EVENTS[event].canBlock) return "deny";
  if (result.decision !== "") return result.decision;
  return result.permission_allowed ? "allow" : "none";
}

/** The Result of a failure of ours: it stops what can be stopped, with a sentence that names the failure. */
export function denialResult(event: EventName, profile: Profile, sentence: string): Result {
  const contract = contractOf(event, profile);
  if (!contract.canBlock) return NEUTRAL;
  const verdict = contract.decides ? ({ decision: "deny", decision_reason: sentence } as const) : {};
  return { ...NEUTRAL, allowed: false, exit_code: -1, message: sentence, ...verdict };
}
