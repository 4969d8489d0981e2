/** The address of a question, as docker-agent's hooks put it: one for each event and lane. */
import { type EventName, eventNames, type Lane, type Profile } from "../../hooks/contract/events.ts";

/**
 * Below `/api/v1/hooks/`. docker-agent runs the default lane neither in yolo nor where a permission allows the tool, so the first gate
 * that nothing skips asks for the later ones, and each of those then gets the recorded answer: no hook runs twice.
 */
export function gateAddress(event: EventName, lane: Lane, profile: Profile): string {
  if (event === "tool_guard") return `${event}?lane=${lane}&gates=rest`;
  if (event !== "pre_tool_use") return `${event}?lane=${lane}`;
  const isFirst = lane === "preempt_yolo" && !eventNames(profile).includes("tool_guard");
  return `${event}?lane=${lane}&gates=${isFirst ? "all" : "asked"}`;
}
