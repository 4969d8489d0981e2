/** The answer to a halted call. No policy runs for it. */
import { contractOf, type EventName, type Lane, WIDEST_PROFILE } from "@quarterdeck/hooks";
import type { HaltInForce } from "./halts-in-force.ts";

/** True if an event can hold the agent back: a halt is answered there, and other events are recorded as ever. */
export const isHaltable = (event: EventName): boolean => contractOf(event, WIDEST_PROFILE).canBlock;

/** Hook output JSON: `continue: false`, and the denial in the form of the event's contract. */
export function haltAnswer(reason: string, event: EventName, lane: Lane): Record<string, unknown> {
  return {
    continue: false,
    stop_reason: reason,
    decision: "block",
    reason,
    ...(contractOf(event, WIDEST_PROFILE, lane).decides && {
      hook_specific_output: {
        hook_event_name: event,
        permission_decision: "deny",
        permission_decision_reason: reason,
      },
    }),
  };
}

const SUBJECTS = {
  workspace: () => "Everything in this workspace is halted",
  group: (about: string) => `The agents of the group "${about}" are halted`,
  agent: (about: string) => `The agent "${about}" is halted`,
  session: () => "This session is halted",
} as const;

/** The reason for the denial, in sentences for the agent and its user. */
export function haltReason({ scope, about, reason, haltedAt, haltedBy, isQuarantine }: HaltInForce): string {
  const at = `${haltedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const subject = isQuarantine ? `The agent "${about}" is in quarantine` : SUBJECTS[scope](about);
  const end = isQuarantine ? "until a person has reviewed it" : "until a person resumes it in Quarterdeck";
  return `${subject} since ${at} by ${haltedBy}: ${reason.replace(/[.!]?$/, ".")} Calls are denied ${end}.`;
}
