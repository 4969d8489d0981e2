/** The agent API's way to dispatches and reports. */

import { isEventName, LANES, type Lane, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { hookInput } from "@quarterdeck/hooks/contract/input";
import { hookOutput } from "@quarterdeck/hooks/contract/output";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import type { AgentActor } from "../access/actor.ts";
import { type AgentAnswer, type AgentRequest, type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { textOf } from "../access/json-text.ts";
import {
  ENVELOPE_OVERHEAD_BYTES_MAX,
  EXECUTOR_STATED,
  INPUT_BYTES_MAX,
  LOCAL_DISPATCH_TYPE,
} from "../access/local-executor-schema.ts";
import type { Stage } from "../dialects/index.ts";
import { AppError } from "../errors/app-error.ts";
import { EXECUTOR_HEADER, IDEMPOTENCY_HEADER } from "../platform/answer-mac.ts";
import type { Clock } from "../platform/clock.ts";
import type { ClientSigns } from "../policies/index.ts";
import { callerWait, WAIT_HEADER_DOCS } from "./caller-wait.ts";
import { checkEvent } from "./check-event.ts";
import { clientSignOf, VERSION_HEADER_DOCS } from "./client-sign.ts";
import { decodeReport } from "./decode-report.ts";
import { dialectRoute } from "./dialect-http.ts";
import { dispatchCall } from "./dispatch-call.ts";
import { loadClassOf } from "./event-class.ts";
import { dispatchFromGate, GATES, type Gates, isGateOfCall } from "./first-gate.ts";
import type { HaltedBy } from "./gate-step.ts";
import { readInput, readReportEvents } from "./read-input.ts";
import { unknownEventError } from "./read-report-line.ts";
import { recordReport } from "./record-report.ts";
import {
  eventName,
  idempotencyKey,
  inputWithLocalResult,
  lane as laneName,
  REPORT_EVENTS_MAX,
  reportedEvent,
  reportRefusedView,
  reportView,
} from "./schema.ts";
import type { Dispatcher } from "./service.ts";
import { NONCE_DOCS, SIGNATURE_DOCS } from "./signature-docs.ts";

const JSON_TYPE = "application/json";
const LINES_TYPES = ["application/x-ndjson", "application/ndjson"];

/** The mode in an older event of a report is not the mode that its client is in now. */
const RECENT_MS = 3_600_000;

export interface DispatchRoutesOptions {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly clientSigns: ClientSigns;
  /** Told of a gate that a halt answered, with the request's `Quarterdeck-Executor`. */
  readonly executorCalls: { noteHalted(actor: AgentActor, stated: string | undefined, halt: HaltedBy): void };
}

export function dispatchRoutes(options: DispatchRoutesOptions): readonly AgentRoute[] {
  const { dispatcher, clock, clientSigns } = options;
  return [
    {
      method: "POST",
      path: "/api/v1/hooks/{event}",
      access: "agent:dispatch",
      takes: [JSON_TYPE, LOCAL_DISPATCH_TYPE],
      headroom: { [LOCAL_DISPATCH_TYPE]: ENVELOPE_OVERHEAD_BYTES_MAX },
      loadClass: ([event = ""]) => loadClassOf(event),
      handle: (request) => dispatch(options, request),
      docs: HOOK_DOCS,
    },
    dialectRoute({ dispatcher, clock, clientSigns }),
    {
      method: "POST",
      path: "/api/v1/events",
      access: "agent:report",
      takes: [JSON_TYPE, ...LINES_TYPES],
      headroom: Object.fromEntries(LINES_TYPES.map((type) => [type, ENVELOPE_OVERHEAD_BYTES_MAX])),
      loadClass: () => "report",
      handle: (request) => report(dispatcher, clientSigns, request, clock.now()),
      docs: REPORT_DOCS,
    },
  ];
}

async function dispatch(options: DispatchRoutesOptions, request: AgentRequest): Promise<AgentAnswer> {
  const { dispatcher, clientSigns, executorCalls } = options;
  const event = request.parameters[0] ?? "";
  if (!isEventName(event, WIDEST_PROFILE)) throw unknownEventError(event);
  const stated = request.query.get("lane");
  const lane = laneOf(stated, event);
  const key = keyOf(request.header(IDEMPOTENCY_HEADER));
  const executor = executorOf(request.header(EXECUTOR_HEADER));
  const body = textOf(await request.body());
  const read = await readInput(request.actor.id, { body, isEnveloped: isEnveloped(request) });
  const { input, local } = read;
  checkEvent(event, input, local && "/input");
  clientSigns.note(request.actor, clientSignOf(request, input));
  // A sender with an idempotency key retries for the answer: its disconnect must not be recorded as a refusal.
  const client = key === null ? request : { signal: request.ending };
  const question = {
    event,
    idempotencyKey: key,
    client,
    wait: callerWait(request),
    setAside: () => request.setAside(),
  };
  const gates = gatesOf(request, { event, lane });
  const done =
    gates !== null
      ? await dispatchFromGate(dispatcher, request.actor, {
          ...{ stage: { event, lane }, gates, read, client, nowMs: options.clock.now() },
          ...{ wait: question.wait, setAside: question.setAside },
        })
      : asksEachLane(request, stated, executor)
        ? await dispatcher.dispatch(request.actor, { ...question, lane, ...read })
        : await dispatchCall(dispatcher, request.actor, { ...question, read });
  if (done.halted) executorCalls.noteHalted(request.actor, executor, done.halted);
  const headers: Record<string, string> = {
    "content-type": JSON_TYPE,
    "quarterdeck-dispatch-id": done.dispatchId,
    "quarterdeck-revision": done.revision,
  };
  if (done.isRepeated) headers["idempotency-replayed"] = "true";
  return { status: 200, headers, body: done.answer };
}

/**
 * True for a caller that asks each lane itself, as local executors do. Executors before 2026-12 did not name the
 * default lane.
 */
const asksEachLane = (request: AgentRequest, lane: string | null, executor: string | undefined): boolean =>
  lane !== null || isEnveloped(request) || executor !== undefined;

const isEnveloped = (request: AgentRequest) =>
  (request.header("content-type") ?? "").toLowerCase().startsWith(LOCAL_DISPATCH_TYPE);

function laneOf(stated: string | null, event: string): Lane {
  const lane = stated ?? "default";
  const known = LANES.find((one) => one === lane);
  const says = known
    ? `Only pre_tool_use has a ${lane} lane.`
    : `There is no lane "${truncateText(lane, 40)}". Lanes: ${LANES.join(", ")}.`;
  if (!known || (known !== "default" && event !== "pre_tool_use"))
    throw new AppError("invalid_input", undefined, { says });
  return known;
}

function gatesOf(request: AgentRequest, stage: Stage): Gates | null {
  const stated = request.query.get("gates");
  if (stated === null) return null;
  const known = GATES.find((one) => one === stated);
  const says = !known
    ? `gates is one of ${GATES.join(", ")}.`
    : !isGateOfCall(stage)
      ? "gates is for the gates before a tool: tool_input_transform, tool_guard and both lanes of pre_tool_use."
      : "gates is for a question without the results of a local executor.";
  if (!known || !isGateOfCall(stage) || isEnveloped(request)) throw new AppError("invalid_input", undefined, { says });
  return known;
}

function executorOf(stated: string | undefined): string | undefined {
  if (stated === undefined || EXECUTOR_STATED.test(stated)) return stated;
  const says = "Quarterdeck-Executor is `id=<16 hex>`, or `id=` without an id.";
  throw new AppError("invalid_input", undefined, { says });
}

function keyOf(stated: string | undefined): string | null {
  if (stated === undefined) return null;
  if (idempotencyKey.safeParse(stated).success) return stated;
  throw new AppError("invalid_input", undefined, { says: "An Idempotency-Key has 1 to 200 characters." });
}

async function report(
  dispatcher: Dispatcher,
  clientSigns: ClientSigns,
  request: AgentRequest,
  nowMs: number,
): Promise<AgentAnswer> {
  const body = await request.body();
  const { text, restore } = decodeReport(body);
  const isLines = !(request.header("content-type") ?? "").toLowerCase().startsWith(JSON_TYPE);
  const cut = isLines ? text.split("\n") : await readReportEvents(request.actor.id, text);
  const lines = cut.map(restore).filter((line) => line === null || !isLines || line.trim() !== "");
  if (isLines && lines.length === 0)
    throw new AppError("not_json", undefined, { says: "The body is empty. Send one event per line." });
  // The room beyond is for one event whose input is as large as any.
  if (lines.length > 1 && body.length > INPUT_BYTES_MAX) throw new AppError("body_too_large");
  const noted = {
    prepareReport(actor: AgentRequest["actor"], read: Parameters<Dispatcher["prepareReport"]>[1]) {
      const { version, asksNobody } = clientSignOf(request, read.input);
      const isRecent = nowMs - read.occurredMs < RECENT_MS;
      clientSigns.note(actor, { version, asksNobody: asksNobody === true && isRecent });
      return dispatcher.prepareReport(actor, read);
    },
  };
  const view = await recordReport(noted, request.actor, lines, nowMs);
  if (view.refused === 0) return jsonAnswer(view);
  if (view.refused < view.results.length) return jsonAnswer(view, 207);
  const error = { code: "invalid_input", message: "No event of this report was taken. Each result says why." };
  return jsonAnswer({ error, ...view }, 400);
}

const LANE_DOCS =
  "The one lane of pre_tool_use to ask, for a runtime that asks each gate itself. When absent, the question is about the whole call: tool_input_transform, tool_guard and the early lane (preempt_yolo) are asked first where a policy has hooks for them, then the default lane, and the answer is that of all.";

const GATES_DOCS =
  "For a client that skips gates, as docker-agent in yolo does. `all` and `rest` ask the gates of the whole call here, or this gate and the later ones; each gate that says `asked` then gets its recorded answer, or is judged where there is none. An approval is left to the later gate. A change that this gate cannot make is a denial.";

const HOOK_DOCS: AgentRoute["docs"] = {
  summary: "Dispatch a hook event: the answer is hook output JSON, given after its record is stored.",
  parameters: { event: { schema: eventName, description: "The event's name on the wire." } },
  query: {
    lane: { schema: laneName.optional(), description: LANE_DOCS },
    gates: { schema: z.enum(GATES).optional(), description: GATES_DOCS },
  },
  headers: {
    "Idempotency-Key": {
      schema: idempotencyKey.optional(),
      description: "Names this delivery: within 90 days a repeated call gets the recorded answer and runs nothing.",
    },
    ...VERSION_HEADER_DOCS,
    ...WAIT_HEADER_DOCS,
    ...NONCE_DOCS,
    "Quarterdeck-Executor": {
      schema: z.string().optional(),
      description: "`id=<16 hex>`: the local executor that asks, so that pages say whether it follows a halt.",
    },
  },
  body: { [JSON_TYPE]: hookInput, [LOCAL_DISPATCH_TYPE]: inputWithLocalResult },
  answers: {
    200: {
      description: "What the hooks concluded; an empty object when there is nothing to say.",
      headers: {
        "Quarterdeck-Dispatch-Id": "The stored dispatch.",
        "Quarterdeck-Revision": "The effective revision that answered.",
        ...SIGNATURE_DOCS,
        "Idempotency-Replayed": "`true` when this is the recorded answer of an earlier call.",
      },
      body: { [JSON_TYPE]: hookOutput },
    },
  },
  errors: [
    "unknown_event",
    "not_utf8",
    "too_deep",
    "too_many_keys",
    "too_many_values",
    "idempotency_mismatch",
    "unrecorded",
  ],
};

const REPORT_DOCS: AgentRoute["docs"] = {
  summary: `Report up to ${REPORT_EVENTS_MAX} events that already happened elsewhere. Repeating a report stores nothing twice.`,
  headers: VERSION_HEADER_DOCS,
  body: {
    [JSON_TYPE]: z.array(reportedEvent).max(REPORT_EVENTS_MAX),
    "application/x-ndjson": reportedEvent.describe("One event per line."),
  },
  answers: {
    200: { description: "Every event is stored.", body: { [JSON_TYPE]: reportView } },
    207: { description: "Some events were refused; each result says why.", body: { [JSON_TYPE]: reportView } },
    400: { description: "Every event was refused.", body: { [JSON_TYPE]: reportRefusedView } },
  },
  errors: ["not_utf8", "too_many_keys", "too_many_values", "too_many_events", "unrecorded"],
};
