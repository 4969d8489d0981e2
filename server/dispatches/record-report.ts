/** Reports of events that happened elsewhere: each line is accepted or refused independently. */
import type { AgentActor } from "../access/actor.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import { createPause } from "../platform/pause.ts";
import type { Recorded } from "../recording/index.ts";
import { INLINE_CHARACTERS_MAX, readReportLineInWorker } from "./read-input.ts";
import { type ReportLine, readReportLine } from "./read-report-line.ts";
import { REPORT_EVENTS_MAX, type ReportLineView, type ReportView } from "./schema.ts";
import type { Dispatcher } from "./service.ts";

/**
 * Records the events with the JSON texts `lines` (null for a line that is not UTF-8), in a few shared batches. `nowMs`
 * is the time of events without one.
 *
 * Errors: `too_many_events`, without storing anything; `busy`, `unrecorded`, `database_away`: the sender then repeats
 * the whole report, which stores nothing twice.
 */
export async function recordReport(
  dispatcher: Pick<Dispatcher, "prepareReport">,
  actor: AgentActor,
  lines: readonly (string | null)[],
  nowMs: number,
): Promise<ReportView> {
  if (lines.length > REPORT_EVENTS_MAX) throw new AppError("too_many_events");
  const pause = createPause();
  const ready: ReadyLine[] = [];
  for (const line of lines) {
    await pause();
    if (line === null) {
      ready.push(prepare(dispatcher, actor, NOT_UTF8));
      continue;
    }
    const read =
      line.length > INLINE_CHARACTERS_MAX
        ? await readReportLineInWorker(actor.id, line, nowMs)
        : readReportLine(line, nowMs);
    ready.push(prepare(dispatcher, actor, read));
  }
  const taken: Promise<Taken>[] = [];
  for (const [index, one] of ready.entries()) {
    await pause();
    // Awaited together below; until then a failure must not be an unhandled rejection.
    const view = take(one, index);
    taken.push(view.then((found) => ({ view: found })).catch((thrown: unknown) => ({ thrown })));
  }
  const results = (await Promise.all(taken)).map((one) => {
    if ("thrown" in one) throw one.thrown;
    return one.view;
  });
  if (results.length > 0 && results.every((result) => result.error?.code === "unrecorded"))
    throw new AppError("unrecorded", undefined, { retryAfterSeconds: 1 });
  const count = (status: ReportLineView["status"]) => results.filter((result) => result.status === status).length;
  return { stored: count("stored"), repeated: count("repeated"), refused: count("refused"), results };
}

const NOT_UTF8: ReportLine = {
  kind: "refused",
  eventId: null,
  failure: new AppError("not_utf8", undefined, { says: "This event is not valid UTF-8." }),
};

type ReadyLine =
  | Extract<ReportLine, { kind: "refused" }>
  | { readonly kind: "ready"; readonly eventId: string; readonly record: () => Promise<Recorded> };
type Taken = { readonly view: ReportLineView } | { readonly thrown: unknown };

function prepare(dispatcher: Pick<Dispatcher, "prepareReport">, actor: AgentActor, read: ReportLine): ReadyLine {
  if (read.kind === "refused") return read;
  const { eventId } = read.request;
  try {
    return { kind: "ready", eventId, record: dispatcher.prepareReport(actor, read.request) };
  } catch (error) {
    const failure = asAppError(error);
    if (!failure.expected) throw failure;
    const { says, pointer } = failure.options;
    const options = {
      ...(says !== undefined && { says }),
      ...(pointer !== undefined && { pointer: `/input${pointer}` }),
    };
    return { kind: "refused", eventId, failure: new AppError(failure.code, failure.detail, options) };
  }
}

async function take(ready: ReadyLine, index: number): Promise<ReportLineView> {
  if (ready.kind === "refused") return refused(index, ready.eventId, ready.failure);
  const { eventId } = ready;
  try {
    const recorded = await ready.record();
    if (recorded.kind === "mismatched")
      return refused(index, eventId, new AppError("idempotency_mismatch", undefined, { says: MISMATCH }));
    return { index, event_id: eventId, status: recorded.kind };
  } catch (error) {
    const failure = asAppError(error);
    // A temporary failure applies to the whole report; a refused record concerns only this line.
    if (failure.code !== "unrecorded" && (!failure.expected || failure.status === 429)) throw failure;
    return refused(index, eventId, failure, "/input");
  }
}

const MISMATCH = "An event with this event_id and other content is stored already.";

function refused(index: number, eventId: string | null, failure: AppError, within = ""): ReportLineView {
  const { pointer } = failure.options;
  const place = pointer === undefined ? {} : { pointer: within + pointer };
  const error = { code: failure.code, message: failure.message, ...place };
  return { index, event_id: eventId, status: "refused", error };
}
