/**
 * A step on the way of a call: the part of one feature, and one line of a list (server/composition/gate-steps.ts). A step that
 * must remember something of a call adds its own member to `GateCall` where the step is.
 */
import type { Asker, DispatchReport, HookInput, LiftVerdict } from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import type { EffectivePlan } from "../policies/index.ts";
import type { DispatchRecord, Recorded, SpentGrant } from "../recording/index.ts";
import type { DispatchRequest, ReportRequest } from "./dispatch-request.ts";

export interface Judged {
  readonly plan: EffectivePlan;
  /** Null for an event that the agent's profile does not know: it has no hooks, and is still recorded. */
  readonly report: DispatchReport | null;
}

/** The part of a record that a verdict makes. */
export type Conclusion = Pick<
  DispatchRecord,
  "verdict" | "reason" | "hooks" | "revision" | "answer" | "earlierRules" | "isAsked"
>;

/** One call, from its arrival to its answer. */
export interface GateCall {
  readonly actor: AgentActor;
  readonly request: DispatchRequest;
  /** Of its record. */
  readonly id: string;
  readonly at: Date;
  readonly delivery: DispatchRecord["delivery"];
  readonly cost: DispatchRecord["cost"];
  /** The subjects under which calls are counted; `request` is null for a call that is not counted. */
  asker: Asker;
  /** A known-bad call of a drill: no approver is asked, and it is not counted. */
  isDrill: boolean;
  /** The report of a call whose last gate was asked. */
  isCountedAtGate: boolean;
  /** The number of the halts that it is decided under; null for an event that no halt denies. */
  haltNumber: number | null;
  /** Exceptions for a call with this input; null where none lifts a verdict. */
  lifterFor: ((input: HookInput) => LiftVerdict) | null;
  /** Hooks run once, however often the call is decided. */
  judging: Promise<Decided> | null;
}

/** A halt that answered a call, and the number of the halts in force then. */
export interface HaltedBy {
  readonly id: string;
  readonly number: number;
}

/** A call's verdict before it is recorded. */
export interface Decided extends Conclusion {
  /** The rules' own word, without the steps around them; null where no rule was asked. */
  readonly judged: Judged | null;
  /** Milliseconds that people took. */
  readonly waitedMs: number;
  readonly observed: EffectivePlan["observed"];
  readonly halted?: HaltedBy;
  /** It is spent with the call's record. */
  readonly grant?: SpentGrant;
}

/** A call that is on record. */
export interface Outcome {
  readonly decided: Decided;
  readonly recorded: Recorded;
  /** False for a repeated delivery, and if the client is asked to retry. */
  readonly isAnswered: boolean;
}

/** Decides a call by the steps that follow. */
export type Next = (call: GateCall) => Promise<Decided>;

export interface GateStep {
  readonly name: string;
  /** Once, before the call is decided. */
  before?(call: GateCall): Promise<void> | void;
  /** Decides, or delegates to the `next` steps. Called again after a failed record if a step asks for it. */
  decide?(call: GateCall, next: Next): Promise<Decided>;
  /** The way on after a record that failed; undefined where the step knows none. */
  failed?(call: GateCall, error: unknown): Promise<Recovery | undefined>;
  /** Once, after the record; `outcome` is null where none was made. */
  after?(call: GateCall, outcome: Outcome | null): Promise<void> | void;
  /** A report of what already happened, which nothing decides. */
  reported?(actor: AgentActor, report: ReportRequest): Promise<void>;
}

/** `stored`: the record was made after all. `again`: the call is decided again. */
export type Recovery = "stored" | "again";
