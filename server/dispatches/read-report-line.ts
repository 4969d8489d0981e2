/** One line of a report: an event that can be recorded, or the reason why it cannot. */

import { didYouMean } from "@quarterdeck/hooks/contract/did-you-mean";
import { eventNames, isEventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import { DEPTH_MAX, parseInputJson } from "../access/json-text.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import { memberSources } from "../recording/index.ts";
import { checkEvent } from "./check-event.ts";
import type { ReportRequest } from "./dispatch-request.ts";
import { invalidInputError, parseHookInput } from "./parse-hook-input.ts";
import { REPORT_AGE_DAYS_MAX, REPORT_AHEAD_MINUTES_MAX, reportedEvent } from "./schema.ts";

const DAY_MS = 86_400_000;

export type ReportLine =
  | { readonly kind: "event"; readonly request: ReportRequest }
  | { readonly kind: "refused"; readonly eventId: string | null; readonly failure: AppError };

/** `nowMs` dates a line that carries no time. */
export function readReportLine(line: string, nowMs: number): ReportLine {
  let eventId: string | null = null;
  try {
    // One level for the line itself: its input may be as deep as any.
    const value = parseInputJson(line, DEPTH_MAX + 1);
    eventId = statedId(value);
    const parsed = reportedEvent.safeParse(value);
    if (!parsed.success) throw isUnknownEvent(value) ?? invalidInputError(parsed.error.issues[0]);
    const { event_id, event, lane, occurred_at, local } = parsed.data;
    const occurredMs = occurred_at === undefined ? nowMs : instantOf(occurred_at, nowMs);
    const input = parseHookInput(memberOf(value, "input") ?? parsed.data.input, "/input");
    checkEvent(event, input, "/input");
    // Cut from the line and not printed from the value: numbers keep their digits.
    const text = memberSources(line).get("input") ?? "{}";
    const request = { eventId: event_id.toLowerCase(), event, lane, occurredMs, text, input };
    return { kind: "event", request: { ...request, ...(local && { local }) } };
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
  if (typeof name !== "string" || isEventName(name, WIDEST_PROFILE)) return null;
  return unknownEventError(name);
}

/** The refusal of an event that no profile knows. */
export function unknownEventError(name: string): AppError {
  const says = `No hook event has this name${didYouMean(truncateText(name, 100, ""), eventNames(WIDEST_PROFILE))}.`;
  return new AppError("unknown_event", truncateText(name, 100, ""), { says, pointer: "/event" });
}

function instantOf(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  const isNear = ms >= nowMs - REPORT_AGE_DAYS_MAX * DAY_MS && ms <= nowMs + REPORT_AHEAD_MINUTES_MAX * 60_000;
  if (isNear) return ms;
  const says = `occurred_at must be within the last ${REPORT_AGE_DAYS_MAX} days and at most ${REPORT_AHEAD_MINUTES_MAX} minutes ahead.`;
  throw new AppError("invalid_input", undefined, { says, pointer: "/occurred_at" });
}
