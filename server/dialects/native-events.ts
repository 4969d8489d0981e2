/** The events of a client that bring about a native one, by itself or as a stage of another. */
import type { EventName } from "../hooks/index.ts";
import type { ClientCapabilities, EventCapability } from "./capabilities.ts";
import { carrierOf } from "./stages.ts";

type NamedCapability = readonly [name: string, capability: EventCapability];

/**
 * The client's main event comes first and speaks for the others. Where a client has no such event, that of the stage answers: results
 * are changed on `post_tool_use` by all but docker-agent.
 */
export function answeringEvents({ events }: ClientCapabilities, native: EventName): readonly NamedCapability[] {
  const raising = (event: EventName) => Object.entries(events).filter(([, capability]) => capability.native === event);
  const own = raising(native);
  const carrier = carrierOf(native);
  return own.length > 0 || carrier === undefined ? own : raising(carrier);
}
