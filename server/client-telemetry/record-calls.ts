/** Calls from telemetry, recorded as any report is: masked, in the chain, once for each request. */
import type { AgentActor } from "../access/actor.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import { asAppError } from "../errors/app-error.ts";
import { createPause } from "../platform/pause.ts";
import type { StatedPeople } from "../principals/index.ts";
import type { Recorded } from "../recording/index.ts";
import type { TelemetryCall } from "./read-logs.ts";

export interface RecordedCalls {
  readonly stored: number;
  /** Requests that were reported before, by telemetry or by a hook. */
  readonly known: number;
  /** A sentence for each that cannot be recorded, now or later. */
  readonly rejected: readonly string[];
}

/**
 * Records the calls. Errors: a failure that a retry may resolve fails the whole batch; the retry then finds the stored
 * calls as known.
 */
export async function recordCalls(
  { dispatcher, people }: { readonly dispatcher: Pick<Dispatcher, "prepareReport">; readonly people: StatedPeople },
  actor: AgentActor,
  calls: readonly TelemetryCall[],
): Promise<RecordedCalls> {
  const pause = createPause();
  const taken: Promise<Recorded["kind"] | { readonly thrown: unknown }>[] = [];
  const named = await people.resolve(actor, calls);
  for (const [index, { eventId, occurredMs, text, input, hidden }] of calls.entries()) {
    await pause();
    const namedPrincipal = named[index] ?? undefined;
    const event = { event: "after_llm_call", lane: "default" } as const;
    const report = {
      ...{ eventId, occurredMs, text, input, hidden, ...event },
      ...(namedPrincipal !== undefined && { namedPrincipal }),
    };
    const recorded = Promise.resolve().then(() => dispatcher.prepareReport(actor, report)());
    // Awaited together below; the handler prevents an unhandled rejection until then.
    taken.push(recorded.then(({ kind }) => kind).catch((thrown: unknown) => ({ thrown })));
  }
  let stored = 0;
  const rejected: string[] = [];
  for (const one of await Promise.all(taken)) {
    if (one === "stored") stored += 1;
    if (typeof one !== "object") continue;
    const failure = asAppError(one.thrown);
    if (failure.status >= 429) throw one.thrown;
    rejected.push(failure.message);
  }
  return { stored, known: calls.length - stored - rejected.length, rejected };
}
