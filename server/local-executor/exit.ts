/** The end of a call, as docker-agent reads it: hook output and exit 0, or exit 2 with the reason on stderr. */

import { canRefuse } from "@quarterdeck/hooks/contract/client-timeouts";
import { contractOf, type EventName, type Lane, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";

export interface Ended {
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Hook output. A gate always prints an object, because an empty program file also exits with 0 and prints nothing; other events print nothing when
 * there is nothing to say.
 */
export function answered(event: EventName, output: string, stderr = ""): Ended {
  return { code: 0, stdout: output === "{}" && !isGate(event) ? "" : `${output}\n`, stderr };
}

/** True if an event can be stopped. A failure of ours must never disturb one that cannot. */
export function isGate(event: EventName): boolean {
  return canRefuse(contractOf(event, WIDEST_PROFILE));
}

/** A failure of ours: what can be stopped is, with the sentence as its reason. */
export function refused(event: EventName, lane: Lane, sentence: string): Ended {
  const reason = `Quarterdeck: ${sentence}`;
  if (!isGate(event)) return { code: 0, stdout: "", stderr: `${reason}\n` };
  const says = `${reason} This is blocked.`;
  if (lane === "default") return { code: 2, stdout: "", stderr: `${says}\n` };
  // docker-agent of early July 2026 overlooks an exit with 2 on the preempt lane, and never a decision.
  const specific = { hook_event_name: event, permission_decision: "deny", permission_decision_reason: says };
  return answered(event, JSON.stringify({ hook_specific_output: specific }), `${says}\n`);
}
