import { contractOf, type EventName, isEventName, WIDEST_PROFILE } from "@quarterdeck/hooks";

/** True if the event can decide a tool call, in any profile. */
export function isGate(event: EventName): boolean {
  const { decides, approves } = contractOf(event, WIDEST_PROFILE);
  return decides || approves;
}

/** The load class of an event: one that can block an agent takes precedence over one that only reports. */
export function loadClassOf(event: string): "gate" | "dispatch" {
  return isEventName(event, WIDEST_PROFILE) && !contractOf(event, WIDEST_PROFILE).canBlock ? "dispatch" : "gate";
}
