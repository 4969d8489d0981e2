/** A receiver of a stream, and the outcomes of one request to it. */
import type { AddressRule } from "../../platform/outgoing/address-rule.ts";
import type { StreamLine } from "../formats/format.ts";
import type { ReceiverKind, StreamTarget } from "../schema.ts";

export type Outcome =
  /** The receiver has every event of the request, but for those that it refused one by one. */
  | { readonly kind: "accepted"; readonly status: number | null; readonly refused: readonly Refusal[] }
  /** It refused the request for its content: one of its events, or each of them. */
  | { readonly kind: "refused"; readonly status: number | null; readonly reason: string }
  /** To be repeated. `isUncertain`: it may have some of the events. */
  | { readonly kind: "failed"; readonly status: number | null; readonly error: string; readonly isUncertain: boolean };

export interface Refusal {
  /** The event's index in the request. */
  readonly index: number;
  readonly status: number | null;
  readonly reason: string;
}

export interface ReceiverSettings {
  readonly kind: ReceiverKind;
  readonly target: StreamTarget;
  readonly secret: string | null;
  readonly addresses: AddressRule;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
}

export interface Receiver {
  send(lines: readonly StreamLine[], signal?: AbortSignal): Promise<Outcome>;
  /** Closes idle connections. */
  close(): void;
}

export const accepted = (status: number | null, refused: readonly Refusal[] = []): Outcome => ({
  ...{ kind: "accepted", status, refused },
});
