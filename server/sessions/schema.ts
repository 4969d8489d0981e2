import { EVENTS } from "@quarterdeck/hooks/contract/events";
import { z } from "zod";
import { type EventKey, eventKey, eventKeyText, recordedInstant } from "../recording/event-key-schema.ts";
import { wireWords } from "./word-schema.ts";

const count = z.number().int().nonnegative();

/** Negative if `a` is first: by instant, then by id, like the database's order. */
export function compareKeys(a: EventKey, b: EventKey): number {
  return a.occurredAt.getTime() - b.occurredAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** A session belongs to the enrolled agent that reported it: the same id from two agents is two sessions. */
export const sessionRef = z.strictObject({ agentId: z.uuid(), sessionId: z.string().min(1).max(4_096) });
export type SessionRef = z.infer<typeof sessionRef>;

/**
 * The URL of a session's timeline, at an event if one is given. Session ids can be any text, so they are in the query.
 */
export function timelineHref({ agentId, sessionId }: SessionRef, event?: EventKey): string {
  const params = new URLSearchParams({ agent: agentId, session: sessionId });
  if (event) params.set("event", eventKeyText(event));
  return `/activity/sessions/timeline?${params}`;
}

// The list ------------------------------------------------------------------------------------------------------------

/** `quiet`: no event for a while, and no end was reported. */
export const sessionState = z.enum(["running", "ended", "quiet"]);
export type SessionState = z.infer<typeof sessionState>;
/** The traits that a session can have. */
export const sessionTrait = z.enum(["denials", "compactions", "sub-sessions", "parent", "unpriced"]);
export type SessionTrait = z.infer<typeof sessionTrait>;

export const sessionKey = z.strictObject({
  lastAt: recordedInstant,
  agentId: z.uuid(),
  sessionId: z.string().max(4_096),
});

export const listSessions = z.strictObject({
  from: z.date(),
  to: z.date(),
  agents: z.array(z.string().max(4_096)).max(50).default([]),
  states: z.array(sessionState).max(3).default([]),
  traits: z.array(sessionTrait).max(5).default([]),
  /** Kinds of `on_agent_switch`, of which at least one occurred in the session. */
  switches: wireWords,
  /** Reasons of `turn_end`, with at least one of which a turn of the session ended. */
  turnEnds: wireWords,
  /** Words, each found in the session's title, its id or its agent's name, without regard to case. */
  text: z.string().max(200).default(""),
  cursor: sessionKey.nullish(),
  /** Sent by clients that page; forward is the only direction. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export type ListSessions = z.infer<typeof listSessions>;
export type SessionKey = z.infer<typeof sessionKey>;

/** The cost of calls: the sum of the priced ones, and the number of those that it does not cover. */
export const spentView = z.strictObject({ calls: count, free: count, unpriced: count, nano: z.bigint() });
export type SpentView = z.infer<typeof spentView>;

export const sessionView = z.strictObject({
  agentId: z.uuid(),
  sessionId: z.string(),
  agentName: z.string(),
  /** Its first prompt in one line; null when none is recorded. */
  title: z.string().nullable(),
  parentSessionId: z.string().nullable(),
  firstAt: z.date(),
  lastAt: z.date(),
  state: sessionState,
  endReason: z.string().nullable(),
  events: count,
  /** Null for sessions that began before turns were counted. */
  turns: count.nullable(),
  denied: count,
  compactions: count,
  /** Direct ones. */
  subSessions: count,
  spent: spentView,
});
export type SessionView = z.infer<typeof sessionView>;
export const sessionsView = z.strictObject({
  sessions: z.array(sessionView),
  next: sessionKey.nullable(),
  /** Set when a search by words stopped at its limit before the page was full: the sessions read, and the last one's time. */
  searched: z.strictObject({ sessions: count, until: z.date() }).nullable(),
});
export type SessionsView = z.infer<typeof sessionsView>;

// Gaps ----------------------------------------------------------------------------------------------------------------

/**
 * The received events and the missing ones. A null is a kind of event that this agent never sent in the time range: it
 * has no hook for it, so the event is not lost.
 */
export const gapsView = z.strictObject({
  turns: count,
  turnsWithoutEnd: count.nullable(),
  turnsWithoutStart: count.nullable(),
  calls: count,
  callsWithoutAnswer: count.nullable(),
  toolCalls: count,
  toolsWithoutDecision: count.nullable(),
  toolsWithoutResult: count.nullable(),
  iterationsSkipped: count,
  underWay: count,
  /** The number of events that the received ones imply, and how many of them are missing. */
  implied: count,
  missing: count,
  checkedAt: z.date().nullable(),
});
export type GapsView = z.infer<typeof gapsView>;

// The timeline --------------------------------------------------------------------------------------------------------

/** The subject of an event, in the order the filter offers. */
export const eventKind = z.enum([
  "session",
  "prompt",
  "turn",
  "model",
  "tool",
  "compaction",
  "agent",
  "notice",
  "other",
]);
export type EventKind = z.infer<typeof eventKind>;

const KINDS: Readonly<Record<string, EventKind>> = {
  session_start: "session",
  session_end: "session",
  on_session_resume: "session",
  on_max_iterations: "session",
  worktree_create: "session",
  stop: "session",
  user_prompt_submit: "prompt",
  user_steering_messages_submit: "prompt",
  user_followup_submit: "prompt",
  on_user_input: "prompt",
  turn_start: "turn",
  turn_end: "turn",
  prompt_file_guard: "prompt",
  skill_content_guard: "prompt",
  before_llm_call: "model",
  after_llm_call: "model",
  tool_input_transform: "tool",
  tool_guard: "tool",
  pre_tool_use: "tool",
  permission_request: "tool",
  on_tool_approval_decision: "tool",
  tool_response_transform: "tool",
  post_tool_use: "tool",
  pre_compact: "compaction",
  before_compaction: "compaction",
  after_compaction: "compaction",
  before_agent_run: "agent",
  after_agent_complete: "agent",
  on_agent_switch: "agent",
  subagent_stop: "agent",
  notification: "notice",
  on_error: "notice",
};
export const kindOf = (event: string): EventKind => KINDS[event] ?? "other";
/** Every event of these kinds; "other" is every event without a kind. */
export const eventsOf = (kinds: readonly EventKind[]): string[] =>
  Object.keys(EVENTS).filter((event) => kinds.includes(kindOf(event)));

export const timelineInput = sessionRef.extend({
  /** All when empty. */
  kinds: z.array(eventKind).max(9).default([]),
  /** Sub-sessions that show only their first event. Their cost still counts. */
  folded: z.array(z.string().max(4_096)).max(200).default([]),
});
export type TimelineInput = z.infer<typeof timelineInput>;

export const PAGE_ROWS = 500;
/** Marks that rules set: more are not listed. */
export const RULE_MARKS_MAX = 100;

/** A session of the tree that a timeline shows; the first is the timeline's own. */
export const laneView = z.strictObject({
  sessionId: z.string(),
  agentName: z.string(),
  depth: count,
  firstAt: z.date(),
  lastAt: z.date(),
  /** Its first event: where it opens in the timeline. */
  firstId: z.string().nullable(),
  events: count,
  denied: count,
  compactions: count,
  own: spentView,
  /** With everything below it, each once. */
  tree: spentView,
});
export type LaneView = z.infer<typeof laneView>;

export const markKind = z.enum(["denial", "error", "compaction"]);
export type MarkKind = z.infer<typeof markKind>;

/** A mark that a rule set on the session or on one above it. */
export const sessionMark = z.strictObject({
  mark: z.string(),
  /** The session on which it was set; a mark of a parent session applies too. */
  sessionId: z.string(),
  /** The agent whose call set it first. */
  agentName: z.string(),
  setAt: z.date(),
});
export type SessionMark = z.infer<typeof sessionMark>;

export const outlineView = z.strictObject({
  session: sessionView,
  /** From the root down to the parent; empty for a root. */
  ancestors: z.array(z.string()),
  lanes: z.array(laneView),
  /** More sub-sessions than lanes; they are left out, with their money. */
  lanesCut: z.boolean(),
  /** Events the filter lets through. */
  rows: count,
  /** True if there are more rows, which are not shown. */
  isCut: z.boolean(),
  /** The start of each page of `PAGE_ROWS`. */
  pages: z.array(eventKey),
  /** Denials, errors and compactions in order; `at` is their row. At most 5,000. */
  marks: z.array(z.strictObject({ at: count, kind: markKind, occurredAt: z.date(), tool: z.string().nullable() })),
  /** The newest first. */
  ruleMarks: z.array(sessionMark).max(RULE_MARKS_MAX),
  /**
   * Time slots of equal length, from the first event to the last: the row at which each begins, and its number of rows.
   */
  slots: z.array(z.strictObject({ slot: count, at: count, rows: count })),
  slotMs: z.number(),
  from: z.date(),
  /** The counts of missing events; null before the first check. */
  seen: gapsView.nullable(),
  /** The number of the session's own events that were checked; fewer than its total while more are arriving. */
  seenEvents: count,
});
export type OutlineView = z.infer<typeof outlineView>;

export const timelineRows = timelineInput.extend({
  from: eventKey,
  /** The first key of the next page; null for the last. */
  to: eventKey.nullable(),
});
export type TimelineRows = z.infer<typeof timelineRows>;

export const rowView = z.strictObject({
  key: eventKey,
  /** Index into the outline's lanes. */
  lane: count,
  event: z.string(),
  agentName: z.string(),
  origin: z.string(),
  tool: z.string().nullable(),
  toolUseId: z.string().nullable(),
  verdict: z.string(),
  /** The end of the agent's own approval chain. */
  final: z.strictObject({ verdict: z.string(), source: z.string() }).nullable(),
  isError: z.boolean(),
  /** The agent that a hook of a control event chose. */
  routedTo: z.string().nullable(),
  /** A one-line summary of the message, the command or the question. */
  words: z.string(),
  durationUs: count,
  hasHooks: z.boolean(),
  call: z.strictObject({ modelId: z.string(), nano: z.bigint().nullable() }).nullable(),
  compaction: z.strictObject({ reason: z.string(), effect: z.string() }).nullable(),
  /** The spend of the whole tree up to and including this event, independent of folds and filters. */
  spentNano: z.bigint(),
  unpriced: count,
});
export type RowView = z.infer<typeof rowView>;
export const rowsView = z.strictObject({ rows: z.array(rowView) });
export type RowsView = z.infer<typeof rowsView>;

export const INSTRUCTIONS_MAX = 100;
/** An instruction that the hooks of an event gave the agent. */
export const instructionView = z.strictObject({
  label: z.string(),
  /** `removed`: it no longer applies; `unavailable`: its source could not be read. */
  state: z.enum(["given", "removed", "unavailable"]),
  content: z.string(),
});
export type InstructionView = z.infer<typeof instructionView>;

export const eventView = z.strictObject({
  key: eventKey,
  agentId: z.uuid(),
  sessionId: z.string(),
  agentName: z.string(),
  event: z.string(),
  lane: z.string(),
  origin: z.string(),
  receivedAt: z.date(),
  toolUseId: z.string().nullable(),
  tool: z.string().nullable(),
  verdict: z.string(),
  revision: z.string(),
  durationUs: count,
  hooks: z.array(
    z.strictObject({
      name: z.string(),
      policy: z.string(),
      revision: z.number(),
      type: z.string(),
      outcome: z.string(),
      said: z.string(),
      failure: z.string().nullable(),
      startedMs: z.number(),
      durationMs: z.number(),
    }),
  ),
  /** The route that its hooks chose, in words; null when they chose none. */
  route: z.string().nullable(),
  instructions: z.array(instructionView).max(INSTRUCTIONS_MAX),
  /** Cut after 256 Ki characters. */
  input: z.string(),
  answer: z.string(),
  /** True for each page that shows more about the event. */
  isDecision: z.boolean(),
  isCall: z.boolean(),
  isCompaction: z.boolean(),
});
export type EventView = z.infer<typeof eventView>;

export const coverageInput = z.strictObject({ from: z.date(), to: z.date(), agentId: z.uuid().optional() });
export type CoverageInput = z.infer<typeof coverageInput>;

export const coverageView = z.strictObject({
  /** Sessions that were active in the range, over their whole life. */
  sessions: count,
  /** The sessions among them with unchecked events. */
  waiting: count,
  gaps: gapsView,
  lastSeenAt: z.date().nullable(),
  /**
   * The native events that the client of the filtered agent never sends. Nothing is known about other missing events.
   */
  neverSent: z.array(z.string()),
  /** Events that were reported after they happened, in the range; null when none were. */
  reports: z
    .strictObject({ reports: count, delayMinMs: z.number(), delayMaxMs: z.number(), delayMeanMs: z.number() })
    .nullable(),
});
export type CoverageView = z.infer<typeof coverageView>;
