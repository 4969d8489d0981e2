import type { CallPrincipal } from "../access/principal-schema.ts";
import type { Cost } from "./money.ts";
import type { RecordOrigin, StoredHook } from "./schema.ts";

/** A grant that a call was allowed by. */
export interface SpentGrant {
  readonly requestId: string;
  readonly callId: string;
  /** The event and the lane. */
  readonly gate: string;
  /** The call waited for this very answer: each delivery that waited may have it. */
  readonly isWaited: boolean;
}

/** One dispatch for the recorder: its input, its result, and its delivery. */
export interface DispatchRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly agentId: string;
  /** The enrolled agent's name; behind it, after ` / `, the `agent_name` on the wire where that is another one. */
  readonly agentName: string;
  /** The person or service that the call was made for; absent: unknown. */
  readonly principal?: CallPrincipal;
  readonly event: string;
  readonly lane: string;
  readonly origin: RecordOrigin;
  /** The input parsed, and its text, both without secrets: every stored column comes from one of them. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly inputText: string;
  /** Absent for events that carry no cost and for unpriced calls. */
  readonly cost: Cost | null;
  readonly verdict: "allow" | "ask" | "deny" | "none";
  /** The reason for the verdict, in one sentence; "" without a reason. */
  readonly reason: string;
  readonly revision: string;
  readonly durationUs: number;
  /** Hook output JSON, without secrets. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly hooks: readonly StoredHook[];
  /** The secrets that an applied summary held before it was masked, counted by rule; absent elsewhere. */
  readonly summarySecrets?: readonly (readonly [rule: string, count: number])[];
  /**
   * The number of the workspace's halts (server/halts) at the decision: the record is stored only under this number.
   * Absent for records without a decision.
   */
  readonly haltNumber?: number;
  /** The grant that it was allowed by: both are stored, or neither. */
  readonly grant?: SpentGrant;
  /** A known-bad call of a drill (server/drills): it is in the log, and no figure counts it. */
  readonly isDrill?: true;
  /**
   * The part of the hooks at the call's earlier gates; absent when none ran, or when the event is not a call's last
   * gate.
   */
  readonly earlierRules?: "ran" | "decided" | "asked";
  /** The report of a call whose last gate was asked: figures count the call there. */
  readonly isCountedAtGate?: true;
  /** A rule sent the call to people in the console; the verdict follows their answer. */
  readonly isAsked?: true;
  /** The model request that it reports, if it identifies one and its delivery has another name (call-key.ts). */
  readonly callKey?: string;
  /** Present when the sender named the delivery, so that a repeat can be recognised. */
  readonly delivery: RecordedDelivery | null;
}

export interface RecordedDelivery {
  readonly eventId: string;
  readonly bodySha256: Buffer;
  /** The answer as it was given, encrypted, when it held a secret: a repeat must get the same. */
  readonly sealedAnswer?: Buffer;
}

/** The result of recording: stored now, a repeat whose first answer is returned, or a repeat with another body. */
export type Recorded =
  | { readonly kind: "stored" }
  | ({ readonly kind: "repeated" } & FirstAnswer)
  | { readonly kind: "mismatched" };

/** The answer to the first delivery. */
export interface FirstAnswer {
  readonly dispatchId: string;
  /** Hook output JSON, without secrets; `sealedAnswer` holds the whole output if it has secrets. */
  readonly answer: string;
  readonly sealedAnswer: Buffer | null;
  readonly revision: string;
}
