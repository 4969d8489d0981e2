/** The events of a client that raise a native one, directly or as a stage of another event. */
import type { EventName } from "../hooks/index.ts";
import type { ClientCapabilities, EventCapability } from "./capabilities.ts";
import { carrierOf } from "./stages.ts";

type NamedCapability = readonly [name: string, capability: EventCapability];

/**
 * The client's main event comes first and represents the others. If the client has no such event, the event with that stage
 * counts: all clients except docker-agent change results on `post_tool_use`.
 */
export function answeringEvents({ events }: ClientCapabilities, native: EventName): readonly NamedCapability[] {
  const raising = (event: EventName) => Object.entries(events).filter(([, capability]) => capability.native === event);
  const own = raising(native);
  const carrier = carrierOf(native);
  return own.length > 0 || carrier === undefined ? own : raising(carrier);
}
