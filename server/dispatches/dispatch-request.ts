/** One event as the agent API hands it to the dispatcher. */
import type { EventName, HookInput, Lane } from "@quarterdeck/hooks";
import type { LocalExecutorResult } from "./schema.ts";

/** An input that was masked where it was read; null where there was nothing to hide. */
export type HiddenInput = { readonly text: string; readonly input: HookInput } | null;

/** A client that can wait. */
export interface CallerWait {
  /** From the arrival of the call on, over all of its gates. */
  readonly seconds: number;
  /** Milliseconds that are left of them. */
  readonly leftMs: number;
  /** Gives back what a request that works holds: the wait takes no place of anybody's. */
  setAside(): void;
  /** Looks the key up again, past every cache. Errors: `key_revoked`, `agent_retired`. */
  confirm(): Promise<void>;
}

export interface DispatchRequest {
  readonly event: EventName;
  readonly lane: Lane;
  /** The body as it arrived, and parsed. */
  readonly text: string;
  readonly input: HookInput;
  readonly idempotencyKey: string | null;
  /** In the place of the text, by which a repeated delivery is known: the gates of a client word one call differently. */
  readonly sameCall?: string;
  /** The client that waits: hooks end when it goes away. Asked for its signal only when a hook runs, which is rare. */
  readonly client: { readonly signal: AbortSignal };
  /** Where the client can wait for a person; a call that cannot gets a ticket. */
  readonly wait?: CallerWait | null;
  /** The sender lays an edited input over the call itself, at gates where the agent takes none. */
  readonly handsOnEdits?: boolean;
  /** Gives back what this request holds while it waits for an earlier delivery of itself. */
  readonly setAside?: () => void;
  /** The conclusion that hooks beside the agent reached first. */
  readonly local?: LocalExecutorResult;
  /** The input as it is stored, where it was masked already. */
  readonly hidden?: HiddenInput;
  /** A gate before the event's own, which follows unless this one refuses. */
  readonly isStage?: boolean;
  /** A gate of the same call that was asked before gave a verdict. */
  readonly isDecidedBefore?: boolean;
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
}
