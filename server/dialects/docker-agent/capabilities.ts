/** The capabilities of hooks in docker-agent. Its protocol is the native one, so every wish is enforced. */
import { EVENTS, type EventName, eventNames, WIDEST_PROFILE } from "../../hooks/contract/events.ts";
import { type ClientCapabilities, type EventCapability, gate } from "../capabilities.ts";
import { EVENTS_SINCE } from "./releases.ts";

export const dockerAgent: ClientCapabilities = {
  title: "docker-agent",
  transports: ["command"],
  enforcedFrom: "1.58",
  evidence: "source",
  events: Object.fromEntries(eventNames(WIDEST_PROFILE).map((event) => [event, capabilityOf(event)])),
  eventsSince: EVENTS_SINCE,
  onTimeout: { plain: "blocked", enrolled: "blocked" },
  onErrorStatus: { plain: "blocked", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "`--yolo` skips `pre_tool_use` unless the entry has `preempt_yolo: true`.",
    "Only `pre_tool_use` and `tool_guard` fail closed by themselves; other gates need `on_error: block`.",
  ],
};

function capabilityOf(event: EventName): EventCapability {
  const contract = EVENTS[event];
  const isResult = event === "post_tool_use";
  return gate(
    event,
    {
      ...(contract.canBlock && { [isResult ? "stop" : "deny"]: "held" }),
      ...(contract.decides && { ask: "held", stop: "held" }),
      ...((contract.rewrites === "tool_input" || contract.rewrites === "messages") && { rewriteInput: "held" }),
      ...(contract.rewrites === "tool_response" && { rewriteOutput: "held" }),
    },
    contract.addsContext ? "context" : "no context",
  );
}
