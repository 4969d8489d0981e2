/** `strict_output`: a hook's setting to fail if its answer is not exactly what the event can use. */
import type { EventContract, EventName } from "../contract/events.ts";
import { type HookOutput, hookOutput, hookSpecificOutput } from "../contract/output.ts";
import { unknownItemField } from "../contract/output-items.ts";
import type { ProfileRules } from "../contract/profiles.ts";

const TOP = new Set(Object.keys(hookOutput.shape));
const SPECIFIC = new Set(Object.keys(hookSpecificOutput.shape));

/** The first field that is not part of the protocol of the profile. */
export function unknownField(output: HookOutput, { readsInstructions }: ProfileRules): string | undefined {
  const specific = output.hook_specific_output ?? {};
  const isKnown = (key: string) => SPECIFIC.has(key) && (readsInstructions || key !== "transition");
  return (
    Object.keys(output).find((key) => !TOP.has(key)) ??
    Object.keys(specific).find((key) => !isKnown(key)) ??
    (readsInstructions ? unknownItemField(specific) : undefined)
  );
}

/** The reason why an output is not exactly what the event can use; undefined if it is. */
export function strictComplaint(output: HookOutput, event: EventName, contract: EventContract): string | undefined {
  if (output.suppress_output) return "suppress_output is not supported";
  if (!contract.canBlock && isBlocking(output)) return `${event} does not support blocking output`;
  const specific = output.hook_specific_output ?? {};
  if (specific.hook_event_name && specific.hook_event_name !== event) {
    return `output hook_event_name "${specific.hook_event_name}" does not match ${event}`;
  }
  const takesVerdict = contract.decides || contract.approves;
  const unusable: readonly (readonly [field: string, present: boolean, usable: boolean])[] = [
    ["permission_decision", Boolean(specific.permission_decision), takesVerdict],
    ["permission_decision_reason", Boolean(specific.permission_decision_reason), takesVerdict],
    ["updated_input", isGiven(specific.updated_input), contract.rewrites === "tool_input"],
    ["updated_messages", isGiven(specific.updated_messages), contract.rewrites === "messages"],
    ["updated_tool_response", isGiven(specific.updated_tool_response), contract.rewrites === "tool_response"],
    ["metadata", isGiven(specific.metadata), contract.addsMetadata],
    ["instruction_context", isGiven(specific.instruction_context), contract.addsInstructions],
    ["additional_context", Boolean(specific.additional_context), contract.addsContext],
    ["transition", isGiven(specific.transition), contract.control],
    ["summary", Boolean(specific.summary), contract.suppliesSummary],
  ];
  const first = unusable.find(([, present, usable]) => present && !usable);
  return first && `${event} does not support ${first[0]}`;
}

/** True if an output blocks the operation, not counting a verdict. */
export function isBlocking(output: HookOutput): boolean {
  return output.continue === false || output.decision === "block";
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
