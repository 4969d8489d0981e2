/**
 * The time an agent enrolled with our snippet waits for this server. Seconds. A gate waits longer than a server-side
 * hook may take by default (60); an event nobody listens to must not hold an agent up. curl always gives up before
 * docker-agent does, so that our exit code is the one that counts. At a gate the server is told how long a person may take, so
 * that its answer is there before curl gives up.
 */
import type { EventContract } from "./events.ts";

const PATIENCE = {
  gate: { person: 105, curl: 110, hook: 120 },
  context: { person: 0, curl: 50, hook: 60 },
  observer: { person: 0, curl: 10, hook: 20 },
} as const;

/** True if anything is refused on the event when a hook says so or fails. */
export const canRefuse = ({ canBlock, failsClosed }: EventContract): boolean => canBlock || failsClosed;

export interface ClientTimeouts {
  /** For a person's answer; 0 where nobody is asked. */
  readonly person: number;
  readonly curl: number;
  readonly hook: number;
}

export function clientTimeouts(contract: EventContract): ClientTimeouts {
  const isHeard = contract.addsContext || contract.rewrites !== "nothing";
  return PATIENCE[canRefuse(contract) ? "gate" : isHeard ? "context" : "observer"];
}
