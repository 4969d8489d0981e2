import { EVENTS } from "@quarterdeck/hooks/contract/events";
import { z } from "zod";
import { type EventKey, eventKey, eventKeyText, recordedInstant } from "../recording/event-key-schema.ts";

const count = z.number().int().nonnegative();

/** Negative when `a` comes first: by instant, then by id, as the database orders them. */
export function compareKeys(a: EventKey, b: EventKey): number {
  return a.occurredAt.getTime() - b.occurredAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** A session belongs to the enrolled agent that told it: the same id from two agents is two sessions. */
export const sessionRef = z.strictObject({ agentId: z.uuid(), sessionId: z.string().min(1).max(4_096) });
export type SessionRef = z.infer<typeof sessionRef>;

/** Where a session's timeline is, at one of its events when one is named. Session ids are any text: they go into the query. */
export function timelineHref({ agentId, sessionId }: SessionRef, event?: EventKey): string {
  const params = new URLSearchParams({ agent: agentId, session: sessionId });
  if (event) params.set("event", eventKeyText(event));
  return `/sessions/timeline?${params}`;
}

// The list ------------------------------------------------------------------------------------------------------------

/** `quiet`: no event for a while, and no end was heard. */
export const sessionState = z.enum(["running", "ended", "quiet"]);
export type SessionState = z.infer<typeof sessionState>;
/** The traits that a session can have. */
export const sessionTrait = z.enum(["denials", "compactions", "sub-sessions", "parent", "unpriced"]);
export type SessionTrait = z.infer<typeof sessionTrait>;

const sessionKey = z.strictObject({ lastAt: recordedInstant, agentId: z.uuid(), sessionId: z.string().max(4_096) });

export const listSessions = z.strictObject({
  from: z.date(),
  to: z.date(),
  agents: z.array(z.string().max(4_096)).max(50).default([]),
  states: z.array(sessionState).max(3).default([]),
  traits: z.array(sessionTrait).max(5).default([]),
  /** Each found in the session's id or its agent's name. */
  text: z.string().max(200).default(""),
  cursor: sessionKey.nullish(),
  /** Said by clients that page; there is only one way to go. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export type ListSessions = z.infer<typeof listSessions>;

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
export const sessionsView = z.strictObject({ sessions: z.array(sessionView), next: sessionKey.nullable() });
export type SessionsView = z.infer<typeof sessionsView>;

// Gaps ----------------------------------------------------------------------------------------------------------------

/**
 * The events that were heard, and those that never came. A null is a kind of event that this agent never sent at all in
 * the time: it is not hooked up, which is another thing than lost.
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
  /** Events that those heard imply, and how many of them never came. */
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
/** Every event of these kinds; "other" is whatever is in none. */
export const eventsOf = (kinds: readonly EventKind[]): string[] =>
  Object.keys(EVENTS).filter((event) => kinds.includes(kindOf(event)));

export const timelineInput = sessionRef.extend({
  /** All when empty. */
  kinds: z.array(eventKind).max(9).default([]),
  /** Sub-sessions of which only the first event is shown. Their money counts all the same. */
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
  /** Where it was set; a mark of a session above holds too. */
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
  /** Set when there are more: what is beyond is not shown. */
  isCut: z.boolean(),
  /** Where each page of `PAGE_ROWS` begins. */
  pages: z.array(eventKey),
  /** Denials, errors and compactions in order; `at` is their row. At most 5,000. */
  marks: z.array(z.strictObject({ at: count, kind: markKind, occurredAt: z.date(), tool: z.string().nullable() })),
  /** The newest first. */
  ruleMarks: z.array(sessionMark).max(RULE_MARKS_MAX),
  /** The same time for each, from the first event to the last: the row it begins with, and how many fall into it. */
  slots: z.array(z.strictObject({ slot: count, at: count, rows: count })),
  slotMs: z.number(),
  from: z.date(),
  /** The counts of what was not seen; null before it was looked at. */
  seen: gapsView.nullable(),
  /** The number of the session's own events looked at for that; fewer than it has while more are arriving. */
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
  /** One line of what was said, run or asked. */
  words: z.string(),
  durationUs: count,
  hasHooks: z.boolean(),
  call: z.strictObject({ modelId: z.string(), nano: z.bigint().nullable() }).nullable(),
  compaction: z.strictObject({ reason: z.string(), effect: z.string() }).nullable(),
  /** Of the whole tree up to and with this event, whatever is folded or filtered. */
  spentNano: z.bigint(),
  unpriced: count,
});
export type RowView = z.infer<typeof rowView>;
export const rowsView = z.strictObject({ rows: z.array(rowView) });
export type RowsView = z.infer<typeof rowsView>;

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
  /** Cut after 256 Ki characters. */
  input: z.string(),
  answer: z.string(),
  /** The pages that hold more about it. */
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
  /** Of them, those with events that have not been looked at yet. */
  waiting: count,
  gaps: gapsView,
  lastSeenAt: z.date().nullable(),
  /** Of one agent: the native events that its client never sends. Of the others that did not come yet, nothing is known. */
  neverSent: z.array(z.string()),
  /** Events that were reported after they happened, in the range; null when none were. */
  reports: z
    .strictObject({ reports: count, delayMinMs: z.number(), delayMaxMs: z.number(), delayMeanMs: z.number() })
    .nullable(),
});
export type CoverageView = z.infer<typeof coverageView>;
