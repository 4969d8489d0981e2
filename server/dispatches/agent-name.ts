import type { HookInput } from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import { reportedName } from "../recording/reported-name-schema.ts";

/**
 * The enrolled agent's name, which its key proves, followed by the unverified name in the input, usually a sub-agent's.
 */
export function agentNameOf({ name }: AgentActor, { agent_name: reported }: HookInput): string {
  return typeof reported === "string" && reported !== "" && reported !== name ? reportedName(name, reported) : name;
}
