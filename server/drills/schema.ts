/** Schemas of drills: marked, known-bad calls through a client's own hooks, and their outcomes. */
import { z } from "zod";
import { CLIENT_NAMES } from "../dialects/schema.ts";

export const DRILL_MODES = ["liveness", "outage"] as const;
export type DrillMode = (typeof DRILL_MODES)[number];

/** Seconds in which a nonce marks calls. */
export const NONCE_SECONDS = 60;
/** The report comes after the calls, and some clients are slow to give up. */
export const REPORT_SECONDS = 120;
export const CALLS_MAX = 9;
/** A call passes several gates, and a machine may have a hook twice. */
export const DISPATCHES_MAX = 60;

const SESSION_BEGINNING = "quarterdeck-drill-";
const SESSION = /^quarterdeck-drill-([0-9A-Za-z]{43})-([1-9])$/;

/** The session id that marks a drill's call: every client passes the session id on unchanged. */
export const drillSessionId = (nonce: string, call: number): string => `${SESSION_BEGINNING}${nonce}-${call}`;

/** The nonce and the number of the call in a session id; null for a session of any other kind. */
export function parseDrillSession(sessionId: unknown): { readonly nonce: string; readonly call: number } | null {
  if (typeof sessionId !== "string" || !sessionId.startsWith(SESSION_BEGINNING)) return null;
  const [, nonce, call] = SESSION.exec(sessionId) ?? [];
  return nonce === undefined ? null : { nonce, call: Number(call) };
}

export const startDrill = z.strictObject({ mode: z.enum(DRILL_MODES) });
export type StartDrill = z.infer<typeof startDrill>;

const nonceText = z.string().regex(/^[0-9A-Za-z]{43}$/, "Send the nonce as it was given.");

export const startedDrill = z.strictObject({
  drill_id: z.uuid(),
  nonce: nonceText,
  seconds: z.int().positive(),
});
export type StartedDrill = z.infer<typeof startedDrill>;

/** The effect on a call, as its client would have it. */
export const EFFECTS = ["blocked", "passed", "unconfigured"] as const;
export type DrillEffect = (typeof EFFECTS)[number];

const callNumber = z.int().min(1).max(CALLS_MAX);
const eventText = z.string().regex(/^[A-Za-z_.]{1,40}$/, "An event has 1 to 40 letters.");

export const drillReport = z.strictObject({
  nonce: nonceText,
  client: z.enum(CLIENT_NAMES),
  client_version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,39}$/, "A version is written like 2.1.330.")
    .nullish(),
  calls: z
    .array(z.strictObject({ call: callNumber, event: eventText, effect: z.enum(EFFECTS) }))
    .min(1)
    .max(CALLS_MAX)
    .refine((calls) => new Set(calls.map(({ call }) => call)).size === calls.length, "Report each call once."),
});
export type DrillReport = z.infer<typeof drillReport>;

/**
 * The outcome of a call. `unanswered`: it was blocked, and the gate never saw it. `reached`: in an outage drill, the
 * call still reached the gate.
 */
export const OUTCOMES = ["blocked", "passed", "unconfigured", "unanswered", "reached"] as const;
export type DrillOutcome = (typeof OUTCOMES)[number];

/** The policies' decision on a call that the gate saw. People are never asked about a drill. */
export const POLICY_WORDS = ["deny", "ask", "allow"] as const;
export type PolicyWord = (typeof POLICY_WORDS)[number];

export const drillResult = z.strictObject({
  call: callNumber,
  event: eventText,
  outcome: z.enum(OUTCOMES),
  /** Null when the gate did not answer. */
  policy: z.enum(POLICY_WORDS).nullable(),
});
export type DrillResult = z.infer<typeof drillResult>;
export const drillResults = z.array(drillResult).max(CALLS_MAX);

export const reportedDrill = z.strictObject({ drill_id: z.uuid(), results: drillResults });
export type ReportedDrill = z.infer<typeof reportedDrill>;

/** A verdict on one dispatch of a drill. */
export const drillAnswers = z
  .array(z.strictObject({ call: callNumber, policy: z.enum(POLICY_WORDS) }))
  .max(DISPATCHES_MAX);
export type DrillAnswer = z.infer<typeof drillAnswers>[number];

export const drillsOfAgent = z.strictObject({ agentId: z.uuid() });

export const drillView = z.strictObject({
  id: z.uuid(),
  mode: z.enum(DRILL_MODES),
  client: z.enum(CLIENT_NAMES),
  clientVersion: z.string().nullable(),
  reportedAt: z.date(),
  results: drillResults,
});
export type DrillView = z.infer<typeof drillView>;
/** The newest first. */
export const drillList = z.array(drillView);
export const DRILLS_SHOWN = 10;

export const isHeld = (results: readonly DrillResult[]): boolean =>
  results.every(({ outcome }) => outcome === "blocked");
