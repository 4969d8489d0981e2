/**
 * Compares stored sessions with the log. A session is compared on the day of its last event, as a whole; one that began
 * earlier is read again from its beginning.
 */
import { createSums, type SessionSums, sessionsTable, type TextRow } from "../recording/index.ts";
import type { Differences } from "./compare.ts";
import { correctSessions } from "./corrections.ts";
import { asErased, type ErasedName } from "./erased-names.ts";
import { readEntry } from "./log-entry.ts";
import { locateSessionLogs, readLife, type Span } from "./log-queries.ts";
import type { Snapshot } from "./repository.ts";
import type { DayCheck } from "./schema.ts";

/** Sessions whose rows are read together. */
const STEP = 500;
/** More events of one session are not read again. */
export const LIFE_ROWS_MAX = 200_000;

interface Of {
  readonly span: Span;
  /** The sessions with events in the span. */
  readonly sessions: readonly SessionSums[];
  /** True for a session whose rows in the span are not all readable. */
  readonly isIncomplete: (agentId: string, sessionId: string) => boolean;
  /** The instant before which the log is gone. */
  readonly goneBefore: string | null;
  readonly names: readonly ErasedName[];
}

type LeftOut = { -readonly [Name in keyof DayCheck["sessionsLeftOut"]]: number };

export async function compareSessions(reader: Snapshot, differences: Differences, of: Of): Promise<LeftOut> {
  const leftOut: LeftOut = { continuing: 0, incomplete: 0 };
  for (const step of inSteps(of.sessions)) {
    const whole: SessionSums[] = [];
    const began = await firstInstants(reader, of.span.workspaceId, step);
    for (const { agentId, sessionId, hasEarlier, hasLater } of await locateSessionLogs(reader, of.span, step)) {
      const own = step.find((one) => one.agentId === agentId && one.sessionId === sessionId);
      const firstAt = began.get(nameOf(agentId, sessionId)) ?? null;
      const isCut = firstAt !== null && of.goneBefore !== null && firstAt < of.goneBefore;
      if (hasLater) leftOut.continuing += 1;
      else if (own === undefined || isCut || of.isIncomplete(agentId, sessionId)) leftOut.incomplete += 1;
      else {
        const life = hasEarlier ? await lifeOf(reader, of, own) : own;
        if (life === null) leftOut.incomplete += 1;
        else whole.push(life);
      }
    }
    await correctSessions(reader, of.span.workspaceId, whole);
    const computed = sessionsTable.rowsOf(whole);
    await differences.compare(sessionsTable, computed, flat(storedOf(reader, of.span.workspaceId, whole)));
  }
  leftOut.incomplete += await compareStrays(reader, differences, of);
  return leftOut;
}

/**
 * Lists rows that end in the span and are not in the log; returns the number of those whose log rows are all
 * unreadable.
 */
async function compareStrays(
  reader: Snapshot,
  differences: Differences,
  { span, sessions, goneBefore }: Of,
): Promise<number> {
  let unreadable = 0;
  const known = new Set(sessions.map(({ agentId, sessionId }) => nameOf(agentId, sessionId)));
  const { workspaceId, from, to } = span;
  const [agentAt, idAt, firstAt] = ["agent_id", "session_id", "first_at"].map((name) =>
    sessionsTable.columns.findIndex((column) => column.name === name),
  ) as [number, number, number];
  for await (const page of reader.stored(sessionsTable, "last_at >= $2 AND last_at < $3", [workspaceId, from, to])) {
    const unknown = page.filter((row) => {
      const isCut = goneBefore !== null && (row[firstAt] ?? "") < goneBefore;
      return !isCut && !known.has(nameOf(row[agentAt] ?? "", row[idAt] ?? ""));
    });
    const asked = unknown.map((row) => ({ agentId: row[agentAt] ?? "", sessionId: row[idAt] ?? "" }));
    const coverage = await locateSessionLogs(reader, span, asked);
    unreadable += coverage.filter(({ hasOwn }) => hasOwn).length;
    const covered = new Set(
      coverage
        .filter(({ hasEarlier, hasOwn, hasLater }) => hasEarlier || hasOwn || hasLater)
        .map(({ agentId, sessionId }) => nameOf(agentId, sessionId)),
    );
    // A session whose log is on another day is listed there.
    const strays = unknown.filter((row) => !covered.has(nameOf(row[agentAt] ?? "", row[idAt] ?? "")));
    await differences.compare(sessionsTable, [], listed(strays));
  }
  return unreadable;
}

/** Null when its log is not all there to be read. */
async function lifeOf(reader: Snapshot, { span, names }: Of, own: SessionSums): Promise<SessionSums | null> {
  const sums = createSums();
  let count = 0;
  for await (const page of readLife(reader, span, own, LIFE_ROWS_MAX + 1))
    for (const row of page) {
      const read = readEntry(span.workspaceId, asErased(row, names));
      count += 1;
      if (typeof read === "string" || count > LIFE_ROWS_MAX) return null;
      sums.add(read.entry);
    }
  return sums.result().sessions[0] ?? null;
}

type Named = readonly Pick<SessionSums, "agentId" | "sessionId">[];
const NAMED = "(agent_id, session_id) IN (SELECT * FROM unnest($2::uuid[], $3::text[]))";
const namesOf = (workspaceId: string, sessions: Named): unknown[] => [
  workspaceId,
  sessions.map(({ agentId }) => agentId),
  sessions.map(({ sessionId }) => sessionId),
];

const storedOf = (reader: Snapshot, workspaceId: string, sessions: Named) =>
  reader.stored(sessionsTable, NAMED, namesOf(workspaceId, sessions));

async function firstInstants(reader: Snapshot, workspaceId: string, sessions: Named): Promise<Map<string, string>> {
  const rows = await reader.all<{ agent_id: string; session_id: string; first_at: Date }>(
    `SELECT agent_id, session_id, first_at FROM session WHERE workspace_id = $1 AND ${NAMED}`,
    namesOf(workspaceId, sessions),
  );
  return new Map(rows.map((row) => [nameOf(row.agent_id, row.session_id), row.first_at.toISOString()]));
}

export const nameOf = (agentId: string, sessionId: string): string => `${agentId} ${sessionId}`;

function* inSteps<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += STEP) yield all.slice(at, at + STEP);
}

async function* flat(pages: AsyncIterable<readonly TextRow[]>): AsyncGenerator<TextRow> {
  for await (const page of pages) yield* page;
}

async function* listed(rows: readonly TextRow[]): AsyncGenerator<TextRow> {
  yield* rows;
}
