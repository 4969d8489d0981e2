/** Sessions, read: the list of them, and one from its first event to its last with the money that ran up. */
import { AppError } from "../errors/app-error.ts";
import type { Clock } from "../platform/clock.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { indexKeyText, pgText } from "../recording/index.ts";
import { storedHooks } from "../recording/schema.ts";
import { listMarks, type MarkRow } from "../session-marks/index.ts";
import { findSeen } from "./coverage/repository.ts";
import { gapsViewOf } from "./coverage/service.ts";
import { SILENCE_MS } from "./gaps.ts";
import { instructionsIn } from "./instructions.ts";
import * as lists from "./list-repository.ts";
import * as sessions from "./repository.ts";
import { CONTROL_EVENTS, routeOf, routeWords } from "./routes.ts";
import { rowsOf } from "./rows.ts";
import {
  type EventView,
  type LaneView,
  type ListSessions,
  type MarkKind,
  type OutlineView,
  PAGE_ROWS,
  type RowsView,
  RULE_MARKS_MAX,
  type SessionMark,
  type SessionRef,
  type SessionsView,
  type SessionView,
  type TimelineInput,
  type TimelineRows,
} from "./schema.ts";
import { searchSessions } from "./search.ts";
import { findTitles, type TitledSession } from "./titles.ts";
import { lanesOf, spentOf } from "./tree.ts";

const LANES_MAX = 500;
/** A longer timeline is truncated; the limit is 400 pages. */
const ROWS_MAX = 200_000;
const MARKS_MAX = 5_000;
const SLOTS = 160;
/** Rows may arrive between the outline and its pages: a page that grew is still whole. */
const PAGE_ROWS_MAX = PAGE_ROWS * 4;
const CHARACTERS_MAX = 256 * 1024;
const EARLIEST = new Date(Date.UTC(2000, 0, 1));
const LATEST = new Date(Date.UTC(2200, 0, 1));

/** Sessions that were active in the range, the most recent first. */
export async function list(
  db: Database,
  workspaceId: string,
  input: ListSessions,
  clock: Clock = systemClock,
): Promise<SessionsView> {
  const filters = filtersOf(input);
  const words = pgText(input.text)
    .split(/\s+/)
    .filter((word) => word !== "");
  const { rows, ...rest } =
    words.length === 0
      ? await newest(db, workspaceId, filters, { limit: input.limit, clock })
      : await matching(db, workspaceId, filters, { limit: input.limit, clock, words });
  const titleOf = await findTitles(db, workspaceId, rows.map(refOfRow));
  return { sessions: rows.map((row) => sessionOf(row, titleOf(refOfRow(row)))), ...rest };
}

function filtersOf({ text: _text, limit: _limit, direction: _direction, cursor = null, ...input }: ListSessions) {
  return {
    ...input,
    from: input.from < EARLIEST ? EARLIEST : input.from,
    to: input.to > LATEST ? LATEST : input.to,
    agents: input.agents.map(pgText),
    switches: input.switches.map(pgText),
    turnEnds: input.turnEnds.map(pgText),
    cursor: cursor && { ...cursor, sessionId: indexKeyText(cursor.sessionId) },
  };
}

interface ListedPage extends Pick<SessionsView, "next" | "searched"> {
  readonly rows: readonly lists.ListedRow[];
}

async function newest(
  db: Database,
  workspaceId: string,
  filters: lists.SessionFilters,
  { limit, clock }: { limit: number; clock: Clock },
): Promise<ListedPage> {
  const found = { activeSince: activeSince(clock), limit: limit + 1 };
  const listed = await lists.listSessions(db, workspaceId, filters, found);
  const rows = listed.slice(0, limit);
  const last = rows.at(-1);
  const isMore = listed.length > limit && last !== undefined;
  return {
    rows,
    next: isMore ? { lastAt: last.last_at, agentId: last.agent_id, sessionId: last.session_id } : null,
    searched: null,
  };
}

async function matching(
  db: Database,
  workspaceId: string,
  filters: lists.SessionFilters,
  { limit, clock, words }: { limit: number; clock: Clock; words: readonly string[] },
): Promise<ListedPage> {
  const active = { activeSince: activeSince(clock), limit };
  const { found, next, searched } = await searchSessions(db, workspaceId, filters, { ...active, words });
  if (found.length === 0) return { rows: [], next, searched };
  const rows = await lists.listSessions(db, workspaceId, filters, { ...active, among: found.map(refOfRow) });
  return { rows, next, searched };
}

const activeSince = (clock: Clock): Date => new Date(clock.now() - SILENCE_MS);

const refOfRow = (row: lists.NamedRow): TitledSession => ({
  agentId: row.agent_id,
  sessionId: row.session_id,
  firstAt: row.first_at,
});

function sessionOf(row: lists.ListedRow, title: string | null): SessionView {
  return {
    agentId: row.agent_id,
    sessionId: row.session_id,
    agentName: row.agent_name,
    title,
    parentSessionId: row.parent_session_id,
    firstAt: row.first_at,
    lastAt: row.last_at,
    state: row.state,
    endReason: row.last_end_reason,
    events: Number(row.events),
    turns: row.turns === null ? null : Number(row.turns),
    denied: Number(row.denied),
    compactions: Number(row.compactions),
    subSessions: Number(row.children),
    spent: spentOf(row),
  };
}

/** The outline of a timeline, without its rows. Errors: `session_not_found`. */
export async function outline(
  db: Database,
  workspaceId: string,
  input: TimelineInput,
  clock: Clock = systemClock,
): Promise<OutlineView> {
  const ref = refOf(input);
  const [session, tree, ancestors, seen] = await Promise.all([
    lists.findSession(db, workspaceId, ref, activeSince(clock)),
    treeOf(db, workspaceId, ref),
    lists.listAncestors(db, workspaceId, ref),
    findSeen(db, workspaceId, ref),
  ]);
  if (!session) throw new AppError("session_not_found", ref.sessionId);
  const shown = shownOf(ref, input, tree.lanes);
  const spanMs = shown.lastAt.getTime() - shown.firstAt.getTime() + 1;
  const slotMs = Math.max(1, Math.ceil(spanMs / SLOTS));
  const limits = { rowsMax: ROWS_MAX, pageRows: PAGE_ROWS, marksMax: MARKS_MAX, slotMs };
  const marked = { sessionIds: [ref.sessionId, ...ancestors], limit: RULE_MARKS_MAX };
  const [rows, titleOf, ruleMarks] = await Promise.all([
    sessions.listOutline(db, workspaceId, shown, limits),
    findTitles(db, workspaceId, [refOfRow(session)]),
    listMarks(db.pool, workspaceId, marked),
  ]);
  const total = Number(rows.find(({ what }) => what === "total")?.at ?? 0);
  return {
    session: sessionOf(session, titleOf(refOfRow(session))),
    ancestors: ancestors.toReversed(),
    lanes: tree.lanes,
    lanesCut: tree.isCut,
    rows: Math.min(total, ROWS_MAX),
    isCut: total > ROWS_MAX,
    pages: rows
      .flatMap(({ what, at, occurred_at, id }) =>
        what === "page" && occurred_at && id && Number(at) < ROWS_MAX ? [{ occurredAt: occurred_at, id }] : [],
      )
      .toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.id < b.id ? -1 : 1)),
    marks: rows
      .flatMap(({ what, at, occurred_at, tool }) =>
        isMark(what) && occurred_at ? [{ at: Number(at), kind: what, occurredAt: occurred_at, tool }] : [],
      )
      .toSorted((a, b) => a.at - b.at),
    ruleMarks: ruleMarks.map(ruleMarkOf),
    slots: rows
      .flatMap(({ what, at, slot, n }) =>
        what === "slot" ? [{ slot: slot ?? 0, at: Number(at), rows: Number(n ?? 0) }] : [],
      )
      .toSorted((a, b) => a.slot - b.slot),
    slotMs,
    from: shown.firstAt,
    seen: seen && gapsViewOf(seen),
    seenEvents: Number(seen?.events ?? 0),
  };
}

const ruleMarkOf = ({ mark, session_id, agent_name, set_at }: MarkRow): SessionMark => ({
  mark,
  sessionId: session_id,
  agentName: agent_name,
  setAt: set_at,
});

const isMark = (what: string): what is MarkKind => what === "denial" || what === "error" || what === "compaction";

/**
 * Ids longer than the index limit are stored truncated (server/recording/pg-text.ts), but a link may contain the whole
 * id.
 */
const refOf = ({ agentId, sessionId }: SessionRef): SessionRef => ({ agentId, sessionId: indexKeyText(sessionId) });

async function treeOf(db: Database, workspaceId: string, ref: SessionRef) {
  const rows = await lists.listTree(db, workspaceId, ref, LANES_MAX + 1);
  const lanes = lanesOf(rows.slice(0, LANES_MAX), ref.sessionId);
  return { lanes, isCut: rows.length > LANES_MAX };
}

function shownOf(
  { agentId, sessionId }: SessionRef,
  { kinds, folded }: TimelineInput,
  lanes: readonly LaneView[],
): sessions.Shown {
  const times = lanes.flatMap(({ firstAt, lastAt }) => [firstAt.getTime(), lastAt.getTime()]);
  return {
    agentId,
    sessions: lanes.map((lane) => lane.sessionId),
    firstAt: new Date(times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) || 0),
    lastAt: new Date(times.reduce((a, b) => Math.max(a, b), 0)),
    kinds,
    folded: folded.map((id) => indexKeyText(id)).filter((id) => id !== sessionId),
    openings: lanes.slice(1).flatMap(({ firstId }) => (firstId === null ? [] : [firstId])),
  };
}

/** The rows of one page, with the money that had run up at each. Errors: `session_not_found`. */
export async function rows(db: Database, workspaceId: string, input: TimelineRows): Promise<RowsView> {
  const ref = refOf(input);
  const { from, to } = input;
  const { lanes } = await treeOf(db, workspaceId, ref);
  if (lanes.length === 0) throw new AppError("session_not_found", ref.sessionId);
  const shown = shownOf(ref, input, lanes);
  const range = { agentId: ref.agentId, sessions: shown.sessions, from, to, lastAt: shown.lastAt };
  const [events, calls, decisions, compactions, before] = await Promise.all([
    sessions.listRows(db, workspaceId, shown, { from, to, limit: PAGE_ROWS_MAX }),
    sessions.listCalls(db, workspaceId, range),
    sessions.listDecisions(db, workspaceId, range),
    sessions.listCompactions(db, workspaceId, range),
    sessions.findSpentBefore(db, workspaceId, shown, from),
  ]);
  return {
    rows: rowsOf({
      events,
      calls,
      decisions,
      compactions,
      lanes: new Map(lanes.map(({ sessionId }, at) => [sessionId, at])),
      before: { nano: BigInt(before.nano), unpriced: Number(before.unpriced) },
    }),
  };
}

const COMPACTIONS = new Set(["pre_compact", "before_compaction", "after_compaction"]);

function routeLine({ answer, hooks }: sessions.WholeRow): string | null {
  const route = routeOf(answer, hooks);
  return route && routeWords(route);
}

/** One event, whole. Errors: `dispatch_not_found`. */
export async function event(db: Database, workspaceId: string, key: EventKey): Promise<EventView> {
  const row = await sessions.findEvent(db, workspaceId, key, CHARACTERS_MAX);
  if (!row) throw new AppError("dispatch_not_found", key.id);
  return {
    key: { occurredAt: row.occurred_at, id: row.id },
    agentId: row.agent_id,
    sessionId: row.session_id,
    agentName: row.agent_name,
    event: row.event,
    lane: row.lane,
    origin: row.origin,
    receivedAt: row.received_at,
    toolUseId: row.tool_use_id,
    tool: row.tool_name,
    verdict: row.verdict,
    revision: row.revision,
    durationUs: row.duration_us,
    hooks: storedHooks.parse(JSON.parse(row.hooks)).map((hook) => ({
      name: hook.name,
      policy: hook.policy,
      revision: hook.revision,
      type: hook.type,
      outcome: hook.outcome,
      said: hook.said,
      failure: hook.failure ?? null,
      startedMs: hook.startedMs,
      durationMs: hook.durationMs,
    })),
    route: CONTROL_EVENTS.includes(row.event) ? routeLine(row) : null,
    instructions: instructionsIn(row.answer),
    input: row.input,
    answer: row.answer,
    isDecision: row.is_decision,
    isCall: row.event === "after_llm_call",
    isCompaction: COMPACTIONS.has(row.event),
  };
}
