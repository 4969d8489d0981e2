/** Converts an export of log records into the calls it reports, each as an event that can be recorded. Pure. */
import { createHash } from "node:crypto";
import { type HookInput, maskText } from "@quarterdeck/hooks";
import type { HiddenInput } from "../dispatches/index.ts";
import { REPORT_AGE_DAYS_MAX, REPORT_AHEAD_MINUTES_MAX } from "../dispatches/schema.ts";
import { AppError } from "../errors/app-error.ts";
import { uuidOfText } from "../platform/ids.ts";
import type { StatedPerson } from "../principals/index.ts";
import { CLIENT_ESTIMATE, callKeyIn } from "../recording/index.ts";
import { type Attributes, attributesOf, textIn } from "./attributes.ts";
import { type CallReader, type ReportedCall, readerOf } from "./client-records.ts";
import { personIn } from "./person-in.ts";
import { ATTRIBUTES_MAX, type LogRecord, type LogsRequest, RECORDS_MAX } from "./schema.ts";

/** A call as it is recorded: the report of an event that happened elsewhere. */
export interface TelemetryCall {
  /** The same whenever this request is reported. */
  readonly eventId: string;
  readonly occurredMs: number;
  readonly text: string;
  readonly input: HookInput;
  /** The input as it is stored. */
  readonly hidden: HiddenInput;
  readonly sessionId: string;
  /** The person whom the record states; null without one. It is not in the input, so no log holds it. */
  readonly person: StatedPerson | null;
}

export interface ReadLogs {
  readonly calls: readonly TelemetryCall[];
  /** The version of the client that sent the last of them, as its resource says; null where it does not. */
  readonly clientVersion: string | null;
  /** Records of other events, which are not needed. */
  readonly ignored: number;
  /** One sentence for each record that reports a call and cannot be taken. */
  readonly rejected: readonly string[];
}

const DAY_MS = 86_400_000;

/** Errors: `too_many_events`. */
export function readLogs({ resourceLogs }: LogsRequest, nowMs: number): ReadLogs {
  const calls: TelemetryCall[] = [];
  const rejected: string[] = [];
  let clientVersion: string | null = null;
  let records = 0;
  for (const { resource, scopeLogs } of resourceLogs ?? [])
    for (const { scope, logRecords } of scopeLogs ?? [])
      for (const record of logRecords ?? []) {
        records += 1;
        if (records > RECORDS_MAX) throw tooMany();
        const found = readRecord(record, { shared: resource?.attributes, scope: scope?.name ?? "", nowMs });
        if (typeof found === "string") rejected.push(found);
        else if (found !== null) {
          calls.push(found);
          clientVersion = textIn(attributesOf(resource?.attributes, []), "service.version") ?? clientVersion;
        }
      }
  return { calls, clientVersion, rejected, ignored: records - calls.length - rejected.length };
}

interface Around {
  readonly shared: LogRecord["attributes"];
  readonly scope: string;
  readonly nowMs: number;
}

/** Null for a record of another event; a sentence for a call that cannot be taken. */
function readRecord(record: LogRecord, { shared, scope, nowMs }: Around): TelemetryCall | string | null {
  const attributes = attributesOf(shared, record.attributes);
  const names = [record.eventName, textIn(attributes, "event.name"), record.body?.stringValue];
  const reader = readerOf(names.filter(isName), [scope, textIn(attributes, "service.name") ?? ""]);
  const call = reader?.read(attributes) ?? null;
  if (reader === null || call === null) return null;
  const count = record.attributes?.length ?? 0;
  if (count > ATTRIBUTES_MAX) return `${reader.event}: a record takes at most ${ATTRIBUTES_MAX} attributes.`;
  if (call.sessionId === null) return `${reader.event}: the record names no session.`;
  const occurredMs = instantOf(record, attributes);
  if (occurredMs === null) return `${reader.event}: the record carries no time.`;
  if (occurredMs < nowMs - REPORT_AGE_DAYS_MAX * DAY_MS || occurredMs > nowMs + REPORT_AHEAD_MINUTES_MAX * 60_000)
    return `${reader.event}: the time of the record lies too far from now.`;
  const { sessionId } = call;
  const stated = { occurredMs, identity: identityOf(record), person: personIn(attributes, reader.client) };
  return toCall(reader, { ...call, sessionId }, stated);
}

const isName = (name: string | null | undefined): name is string => typeof name === "string";

interface Stated {
  readonly occurredMs: number;
  readonly identity: string;
  readonly person: StatedPerson | null;
}

function toCall(
  { client, event, provider }: CallReader,
  { sessionId, requestId, model, usage, cost }: ReportedCall & { readonly sessionId: string },
  { occurredMs, identity, person }: Stated,
): TelemetryCall {
  const input = {
    session_id: sessionId,
    hook_event_name: "after_llm_call",
    ...(model !== null && { model_id: model.includes("/") ? model : `${provider}/${model}` }),
    ...(requestId !== null && { request_id: requestId }),
    ...(Object.keys(usage).length > 0 && { usage }),
    // As JSON writes a double: the shortest digits that are this very double again.
    ...(cost !== null && { cost }),
    ext: { dialect: client, client_event: event, ...(cost !== null && { cost_source: CLIENT_ESTIMATE }) },
  };
  const text = JSON.stringify(input);
  const masked = maskText(text);
  return {
    eventId:
      callKeyIn("after_llm_call", input) ?? uuidOfText(JSON.stringify([client, sessionId, occurredMs, identity])),
    occurredMs,
    sessionId,
    person,
    text,
    input,
    hidden: masked === text ? null : { text: masked, input: JSON.parse(masked) as HookInput }, // holds: masking keeps the shape
  };
}

/** A record without a request id is identified by its whole content. */
function identityOf({ timeUnixNano, eventName, attributes }: LogRecord): string {
  const sorted = [...(attributes ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
  const stated = sorted.map(({ key, value }) => [
    key,
    String(value?.stringValue ?? value?.intValue ?? value?.doubleValue),
  ]);
  const text = JSON.stringify([String(timeUnixNano), eventName ?? "", stated]);
  return createHash("sha256").update(text).digest("base64");
}

function instantOf({ timeUnixNano, observedTimeUnixNano }: LogRecord, attributes: Attributes): number | null {
  const nano = [timeUnixNano, observedTimeUnixNano].find((stated) => stated != null && BigInt(stated) > 0n);
  if (nano != null) return Number(BigInt(nano) / 1_000_000n);
  const ms = Date.parse(textIn(attributes, "event.timestamp") ?? "");
  return Number.isNaN(ms) ? null : ms;
}

function tooMany(): AppError {
  const says = `An export takes at most ${RECORDS_MAX} records. Set OTEL_BLRP_MAX_EXPORT_BATCH_SIZE to less.`;
  return new AppError("too_many_events", undefined, { says });
}
