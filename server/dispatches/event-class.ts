import { contractOf, type EventName, isEventName } from "@quarterdeck/hooks";

const NEWEST = "2026-08";

/** True if the event can decide a tool call, in any profile. */
export function isGate(event: EventName): boolean {
  const { decides, approves } = contractOf(event, NEWEST);
  return decides || approves;
}

/** The load class of an event: one that can hold an agent back goes ahead of one that only reports. */
export function loadClassOf(event: string): "gate" | "dispatch" {
  return isEventName(event, NEWEST) && !contractOf(event, NEWEST).canBlock ? "dispatch" : "gate";
}
