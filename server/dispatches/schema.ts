import { eventNames, LANES, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { hookInput } from "@quarterdeck/hooks/contract/input";
import { hookOutput } from "@quarterdeck/hooks/contract/output";
import { z } from "zod";

/** A body of the agent API: 4 MiB. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** Seconds that a client may say it can wait for a person. */
export const WAIT_SECONDS_MAX = 3_600;
export const REPORT_EVENTS_MAX = 1_000;
/** The furthest that a reported instant may lie from now. */
export const REPORT_AGE_DAYS_MAX = 400;
export const REPORT_AHEAD_MINUTES_MAX = 10;

export const eventName = z.enum(eventNames(WIDEST_PROFILE));
export const lane = z.enum(LANES);
export const idempotencyKey = z.string().min(1).max(200);

const said = (charsMax: number) => z.string().max(charsMax);
const milliseconds = z.number().min(0).max(86_400_000);

/** The result of the hooks on the agent's machine, as the agent reports it. */
export const localExecutorResult = z.strictObject({
  /** The effective revision they are from. */
  revision: said(64),
  verdict: z.enum(["allow", "ask", "deny", "none"]),
  reason: said(4_000),
  durationMs: milliseconds,
  hooks: z
    .array(
      z.strictObject({
        policy: said(64),
        revision: z.int().min(0).max(2_147_483_647),
        path: said(200),
        name: said(400),
        type: said(200),
        outcome: z.enum(["completed", "spoke", "refused", "ignored", "failed"]),
        said: said(20),
        failure: said(4_000).optional(),
        startedMs: milliseconds,
        durationMs: milliseconds,
        exitCode: z.int().min(-2_147_483_648).max(2_147_483_647).optional(),
        stdout: said(16_400),
        stderr: said(16_400),
      }),
    )
    .max(200),
});
export type LocalExecutorResult = z.infer<typeof localExecutorResult>;

/** A hook input with the result of the local executor. */
export const inputWithLocalResult = z.strictObject({ input: hookInput, local: localExecutorResult });

/** One event that happened elsewhere. `event_id` makes a repeated delivery harmless. */
export const reportedEvent = z.looseObject({
  /** Any 128 bits in the form of a UUID: some senders derive it from a hash. */
  event_id: z.guid(),
  event: eventName,
  lane: lane.default("default"),
  /** RFC 3339; the time of arrival when absent. */
  occurred_at: z.iso.datetime({ offset: true }).optional(),
  input: z.looseObject({}),
  /** The result of the hooks on the agent's machine. */
  local: localExecutorResult.optional(),
});
export type ReportedEvent = z.infer<typeof reportedEvent>;

export const reportLineView = z.strictObject({
  index: z.number(),
  event_id: z.string().nullable(),
  status: z.enum(["stored", "repeated", "refused"]),
  error: z.strictObject({ code: z.string(), message: z.string(), pointer: z.string().optional() }).optional(),
});
export type ReportLineView = z.infer<typeof reportLineView>;

export const reportView = z.strictObject({
  stored: z.number(),
  repeated: z.number(),
  refused: z.number(),
  results: z.array(reportLineView),
});
export type ReportView = z.infer<typeof reportView>;

/** The answer when every event was refused: an error that still names each line's. */
export const reportRefusedView = reportView.extend({
  error: z.strictObject({ code: z.string(), message: z.string() }),
});

/** The same as procedures take it. */
export const dispatchEvent = z
  .strictObject({
    event: eventName,
    /** One lane of pre_tool_use; when absent, the question is about the whole call. */
    lane: lane.optional(),
    input: hookInput,
    idempotencyKey: idempotencyKey.optional(),
  })
  .refine(({ event, lane = "default" }) => lane === "default" || event === "pre_tool_use", {
    path: ["lane"],
    error: "Only pre_tool_use has another lane.",
  });
export type DispatchEvent = z.infer<typeof dispatchEvent>;

export const dispatchedView = z.strictObject({
  answer: hookOutput,
  dispatchId: z.uuid(),
  revision: z.string(),
  isRepeated: z.boolean(),
});
export type DispatchedView = z.infer<typeof dispatchedView>;

/** Each is checked by itself, so that one bad event refuses only itself. */
export const reportEvents = z.strictObject({ events: z.array(z.looseObject({})).max(REPORT_EVENTS_MAX) });
export type ReportEvents = z.infer<typeof reportEvents>;
