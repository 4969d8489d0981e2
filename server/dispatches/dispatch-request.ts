/** One event, as the agent API passes it to the dispatcher. */
import type { EventName, HookInput, Lane } from "@quarterdeck/hooks";
import type { LocalExecutorResult } from "./schema.ts";

/** An input that was masked where it was read; null where there was nothing to hide. */
export type HiddenInput = { readonly text: string; readonly input: HookInput } | null;

/** An input from which the workspace's own masking was taken too, with the counts of what it took away. */
export interface OwnMasked {
  readonly hidden: HiddenInput;
  readonly hits: readonly (readonly [rule: string, count: number])[];
}

/** A client that can wait. */
export interface CallerWait {
  /** The waiting time from the arrival of the call, over all of its gates. */
  readonly seconds: number;
  /** Milliseconds that are left of them. */
  readonly leftMs: number;
  /** Releases the request's place among the active requests, so that the wait does not use capacity. */
  setAside(): void;
  /** Looks the key up again, past every cache. Errors: `key_revoked`, `agent_retired`. */
  confirm(): Promise<void>;
}

/** The word of a call's earlier gates: a verdict by rules alone, or a call sent to a person. */
export type SaidBefore = "decided" | "asked";

export interface DispatchRequest {
  readonly event: EventName;
  readonly lane: Lane;
  /** The body as it arrived, and parsed. */
  readonly text: string;
  readonly input: HookInput;
  readonly idempotencyKey: string | null;
  /** The key has just been looked up and is not on record; a delivery that was faster is found when this one is recorded. */
  readonly isNew?: boolean;
  /**
   * The text that identifies a repeated delivery instead of `text`: the gates of one client describe the same call
   * differently.
   */
  readonly sameCall?: string;
  /** The waiting client: hooks end when it disconnects. The signal is read only when a hook runs, which is rare. */
  readonly client: { readonly signal: AbortSignal };
  /** Set if the client can wait for a person; otherwise a call gets a ticket. */
  readonly wait?: CallerWait | null;
  /** The sender applies an edited input to the call itself, at gates where the agent accepts no edit. */
  readonly handsOnEdits?: boolean;
  /** Releases this request's place while it waits for an earlier delivery of the same call. */
  readonly setAside?: () => void;
  /** The earlier result of the hooks on the agent's machine. */
  readonly local?: LocalExecutorResult;
  /** The input without secrets, where it was masked already. */
  readonly hidden?: HiddenInput;
  /** The input as it is stored, where the workspace's own masking was applied already. */
  readonly ownMasked?: OwnMasked;
  /** A gate before the event's own, which follows unless this one refuses. */
  readonly isStage?: boolean;
  /** The word of the same call's gates that were asked before; null where none gave a verdict. */
  readonly saidBefore?: SaidBefore | null;
}

export interface ReportRequest {
  readonly eventId: string;
  readonly event: EventName;
  readonly lane: Lane;
  /** Milliseconds since 1970. */
  readonly occurredMs: number;
  readonly text: string;
  readonly input: HookInput;
  readonly local?: LocalExecutorResult;
  readonly hidden?: HiddenInput;
  readonly ownMasked?: OwnMasked;
  /** The id of the person whom the client's telemetry names. */
  readonly namedPrincipal?: string;
}
