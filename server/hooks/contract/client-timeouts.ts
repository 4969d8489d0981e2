/**
 * The time an agent enrolled with our snippet waits for this server. Seconds. A gate waits longer than a server-side
 * hook may take by default (60); an event nobody listens to must not hold an agent up. curl always gives up before
 * docker-agent does, so that our exit code is the one that counts.
 */
import type { EventContract } from "./events.ts";

const PATIENCE = {
  gate: { curl: 110, hook: 120 },
  context: { curl: 50, hook: 60 },
  observer: { curl: 10, hook: 20 },
} as const;

/** True if anything is refused on the event when a hook says so or fails. */
export const canRefuse = ({ canBlock, failsClosed }: EventContract): boolean => canBlock || failsClosed;

export function clientTimeouts(contract: EventContract): { readonly curl: number; readonly hook: number } {
  const isHeard = contract.addsContext || contract.rewrites !== "nothing";
  return PATIENCE[canRefuse(contract) ? "gate" : isHeard ? "context" : "observer"];
}
