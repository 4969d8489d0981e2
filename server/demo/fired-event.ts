/** An event of a scripted agent. */
import type { EventName } from "@quarterdeck/hooks/contract/events";

/** One event, and the milliseconds since the previous one. */
export interface Fired {
  readonly afterMs: number;
  readonly event: EventName;
  readonly input: Readonly<Record<string, unknown>>;
  /** The answer expected of the policies, for those whom no policy answers. */
  readonly expected: Heard;
}

/** The hooks' answer, as far as an agent acts on it. */
export interface Heard {
  readonly verdict: "allow" | "ask" | "deny" | "none";
  readonly reason: string;
  /** A summary that replaces the model's own; "" without one. */
  readonly summary: string;
}
