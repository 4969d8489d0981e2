/**
 * The pipeline of a call: its steps, in order, around its record. Each failure is thrown, and the edge turns it into a
 * refusal.
 */
import type { AgentActor } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { DispatchRecord, Recorded, Recorder } from "../recording/index.ts";
import { dispatchRecordOf, newCall } from "./dispatch-record.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import { isGate, loadClassOf } from "./event-class.ts";
import type { Decided, GateCall, GateStep, Next, Outcome } from "./gate-step.ts";
import type { StoredForm } from "./mask-record.ts";

export interface PipelineOptions {
  readonly steps: readonly GateStep[];
  /** Decides what no step before it decided. */
  readonly judge: Next;
  readonly recorder: Pick<Recorder, "record">;
  readonly stored: StoredForm;
  readonly clock: Clock;
}

/** A call that passed every step, and its duration in milliseconds without the wait for people. */
export interface Passed extends Outcome {
  readonly call: GateCall;
  readonly durationMs: number;
}

/** `begins` is called before the call is decided. */
export type Pipeline = (
  actor: AgentActor,
  request: DispatchRequest,
  delivery: DispatchRecord["delivery"],
  begins?: () => void,
) => Promise<Passed>;

/** The maximum number of decisions on one call; then it is refused. */
const ROUNDS_MAX = 8;

export function createPipeline({ steps, judge, recorder, stored, clock }: PipelineOptions): Pipeline {
  const decide = steps.reduceRight<Next>(
    (next, step) => (step.decide ? (call) => step.decide?.(call, next) ?? next(call) : next),
    judge,
  );

  async function decideAndRecord(call: GateCall, startedMs: number): Promise<Passed> {
    for (let rounds = 1; ; rounds += 1) {
      const decided = await decide(call);
      const record = dispatchRecordOf(call, decided, clock.monotonic() - startedMs - decided.waitedMs);
      const { event } = call.request;
      const recorded = await recorder
        .record(stored(record, call.request), isGate(event), loadClassOf(event))
        .catch((error: unknown) => recover(call, error, rounds));
      if (recorded === "again") continue;
      const isAnswered = recorded.kind === "stored" && !isEnding(call, decided);
      return { call, decided, recorded, isAnswered, durationMs: clock.monotonic() - startedMs - decided.waitedMs };
    }
  }

  async function recover(call: GateCall, error: unknown, rounds: number): Promise<Recorded | "again"> {
    for (const step of steps) {
      const recovery = await step.failed?.(call, error);
      if (recovery === "stored") return { kind: "stored" };
      if (recovery === "again" && rounds < ROUNDS_MAX) return "again";
    }
    throw error;
  }

  return async (actor, request, delivery, begins) => {
    const startedMs = clock.monotonic();
    const call = newCall(actor, request, delivery, clock.now());
    let passed: Passed | null = null;
    try {
      for (const step of steps) {
        const begun = step.before?.(call);
        if (begun !== undefined) await begun;
      }
      begins?.();
      passed = await decideAndRecord(call, startedMs);
    } finally {
      for (const step of steps) {
        const ended = step.after?.(call, passed);
        if (ended !== undefined) await ended;
      }
    }
    return passed;
  };
}

/**
 * True where the server ends while the call's hooks run: they are recorded as failed, and the client is asked to retry.
 */
const isEnding = ({ request }: GateCall, { hooks, grant }: Decided): boolean =>
  hooks.length > 0 && grant === undefined && request.client.signal.reason instanceof AppError;
