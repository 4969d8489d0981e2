/** The address that docker-agent's hooks send a question to: one for each event and lane. */
import { type EventName, eventNames, type Lane, type Profile } from "../../hooks/contract/events.ts";

/**
 * The path below `/api/v1/hooks/`. docker-agent skips the default lane with yolo and for tools that a permission allows. So the
 * first gate that is never skipped also asks for the later ones, and those get the recorded answer: no hook runs twice.
 */
export function gateAddress(event: EventName, lane: Lane, profile: Profile): string {
  if (event === "tool_guard") return `${event}?lane=${lane}&gates=rest`;
  if (event !== "pre_tool_use") return `${event}?lane=${lane}`;
  const isFirst = lane === "preempt_yolo" && !eventNames(profile).includes("tool_guard");
  return `${event}?lane=${lane}&gates=${isFirst ? "all" : "asked"}`;
}
