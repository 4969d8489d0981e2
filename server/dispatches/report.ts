/** Reports of events that happened elsewhere: each line is taken or refused by itself. */
import { setImmediate as breathe } from "node:timers/promises";
import { z } from "zod";
import type { AgentActor } from "../access/actor.ts";
import { DEPTH_MAX, parseJson } from "../access/json-text.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import { didYouMean } from "../hooks/contract/did-you-mean.ts";
import { eventNames, isEventName } from "../hooks/contract/events.ts";
import { memberSources } from "../recording/service.ts";
import { checkedInput, invalidAt } from "./checked-input.ts";
import {
  REPORT_AGE_DAYS_MAX,
  REPORT_AHEAD_MINUTES_MAX,
  REPORT_EVENTS_MAX,
  type ReportLineView,
  type ReportView,
  reportedEvent,
} from "./schema.ts";
import type { Dispatcher, ReportRequest } from "./service.ts";

/** Lines read between two looks at other requests. */
const LINES_AT_ONCE = 50;
const DAY_MS = 86_400_000;

type Read =
  | { readonly kind: "event"; readonly request: ReportRequest }
  | { readonly kind: "refused"; readonly eventId: string | null; readonly failure: AppError };

/**
 * Records the events whose JSON texts are `lines`, all in the same batches. `nowMs` dates those that carry no time.
 *
 * Errors: `too_many_events`, and then nothing was stored; `busy`, `unrecorded`, `database_away`: then the sender repeats
 * the whole report, which stores nothing twice.
 */
export async function takeReport(
  dispatcher: Dispatcher,
  actor: AgentActor,
  lines: readonly string[],
  nowMs: number,
): Promise<ReportView> {
  if (lines.length > REPORT_EVENTS_MAX) throw new AppError("too_many_events");
  const read: Read[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0 && index % LINES_AT_ONCE === 0) await breathe();
    read.push(readLine(line, nowMs));
  }
  const taken = await Promise.allSettled(read.map((one, index) => take(dispatcher, actor, one, index)));
  const results = taken.map((settled) => {
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  });
  if (results.length > 0 && results.every((result) => result.error?.code === "unrecorded"))
    throw new AppError("unrecorded", undefined, { retryAfterSeconds: 1 });
  const count = (status: ReportLineView["status"]) => results.filter((result) => result.status === status).length;
  return { stored: count("stored"), repeated: count("repeated"), refused: count("refused"), results };
}

function readLine(line: string, nowMs: number): Read {
  let eventId: string | null = null;
  try {
    // One level for the line itself: its input may be as deep as any.
    const value = parseJson(line, DEPTH_MAX + 1);
    eventId = statedId(value);
    const parsed = reportedEvent.safeParse(value);
    if (!parsed.success) throw isUnknownEvent(value) ?? invalidAt(parsed.error.issues[0]);
    const { event_id, event, lane, occurred_at, input, local } = parsed.data;
    const occurredMs = occurred_at === undefined ? nowMs : instantOf(occurred_at, nowMs);
    // Cut from the line and not printed from the value: numbers keep their digits.
    const text = memberSources(line).get("input") ?? "{}";
    const request = { eventId: event_id.toLowerCase(), event, lane, occurredMs, text, ...(local && { local }) };
    return { kind: "event", request: { ...request, input: checkedInput(memberOf(value, "input") ?? input, "/input") } };
  } catch (error) {
    return { kind: "refused", eventId, failure: asAppError(error) };
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

function statedId(value: unknown): string | null {
  const parsed = z.guid().safeParse(memberOf(value, "event_id"));
  return parsed.success ? parsed.data : null;
}

function isUnknownEvent(value: unknown): AppError | null {
  const name = memberOf(value, "event");
  if (typeof name !== "string" || isEventName(name, "2026-08")) return null;
  return unknownEvent(name, "/event");
}

/** The refusal of an event that no profile knows. */
export function unknownEvent(name: string, pointer?: string): AppError {
  const says = `No hook event has this name${didYouMean(name, eventNames("2026-08"))}.`;
  return new AppError("unknown_event", name, { says, ...(pointer === undefined ? {} : { pointer }) });
}

function instantOf(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  const isNear = ms >= nowMs - REPORT_AGE_DAYS_MAX * DAY_MS && ms <= nowMs + REPORT_AHEAD_MINUTES_MAX * 60_000;
  if (isNear) return ms;
  const says = `occurred_at must be within the last ${REPORT_AGE_DAYS_MAX} days and at most ${REPORT_AHEAD_MINUTES_MAX} minutes ahead.`;
  throw new AppError("invalid_input", undefined, { says, pointer: "/occurred_at" });
}

async function take(dispatcher: Dispatcher, actor: AgentActor, read: Read, index: number): Promise<ReportLineView> {
  if (read.kind === "refused") return refused(index, read.eventId, read.failure);
  const { eventId } = read.request;
  try {
    const recorded = await dispatcher.report(actor, read.request);
    if (recorded.kind === "mismatched")
      return refused(index, eventId, new AppError("idempotency_mismatch", undefined, { says: MISMATCH }));
    return { index, event_id: eventId, status: recorded.kind };
  } catch (error) {
    const failure = asAppError(error);
    // What a later try may mend holds for the whole report; what cannot be stored is this line's own trouble.
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
