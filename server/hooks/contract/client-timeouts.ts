/**
 * The time that an agent enrolled with our snippet waits for this server, in seconds. A gate waits longer than the default limit
 * of a server-side hook (60). An event whose answer is ignored must not delay the agent. curl always times out before docker-agent
 * does, so our exit code counts. At a gate, the request carries the time that an approver may take, so the server answers before
 * curl times out.
 */
import type { EventContract } from "./events.ts";

const PATIENCE = {
  gate: { person: 105, curl: 110, hook: 120 },
  context: { person: 0, curl: 50, hook: 60 },
  observer: { person: 0, curl: 10, hook: 20 },
} as const;

/** True if a hook's refusal or failure on the event refuses the operation. */
export const canRefuse = ({ canBlock, failsClosed }: EventContract): boolean => canBlock || failsClosed;

export interface ClientTimeouts {
  /** The time for an approver's answer; 0 if the event asks no approver. */
  readonly person: number;
  readonly curl: number;
  readonly hook: number;
}

export function clientTimeouts(contract: EventContract): ClientTimeouts {
  const isHeard = contract.addsContext || contract.rewrites !== "nothing";
  return PATIENCE[canRefuse(contract) ? "gate" : isHeard ? "context" : "observer"];
}
