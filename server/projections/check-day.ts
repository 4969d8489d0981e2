/**
 * Recomputes the figures of one UTC day from its log, with the functions that recorded them, and lists each stored row
 * that differs. Changes nothing.
 */
import {
  createFinalSums,
  createSums,
  isCounted,
  type ProjectedRecord,
  rowTables,
  sumTables,
  type TextRow,
} from "../recording/index.ts";
import { createDifferences, type Differences } from "./compare.ts";
import { compareSeal } from "./compare-seal.ts";
import { correctCells } from "./corrections.ts";
import { asErased, type ErasedName, findErasedNames } from "./erased-names.ts";
import { findFoldChanges, OLDER_RULE } from "./fold-versions.ts";
import { leftOutOf } from "./left-out.ts";
import { readEntry } from "./log-entry.ts";
import { findGone, readLog, readObservedJudges, type Span } from "./log-queries.ts";
import { createOlderRows, type OlderRows } from "./older-rows.ts";
import type { Snapshot } from "./repository.ts";
import type { DayCheck } from "./schema.ts";
import { findSeal } from "./seal-repository.ts";
import { compareSessions } from "./sessions.ts";

export async function checkDay(
  reader: Snapshot,
  workspaceId: string,
  day: string,
  nowMs = Date.now(),
): Promise<DayCheck> {
  const span = spanOf(workspaceId, day);
  const gone = await findGone(reader, workspaceId);
  if (gone.log !== null && span.from < gone.log) {
    const seal = await findSeal(reader, workspaceId, day);
    return seal === null ? logIsGone(day) : compareSeal(reader, span, { seal, gone, nowMs });
  }
  const names = await findErasedNames(reader, span);
  const notCompared = leftOutOf({ from: span.from, nowMs, hasForgottenNames: names === null }, gone);
  const isCompared = ({ name }: { readonly name: string }) => !notCompared.some(({ table }) => table === name);
  const differences = createDifferences();
  const log = await compareRows(reader, differences, { ...span, names: names ?? [] }, isCompared);
  for await (const judged of readObservedJudges(reader, span)) log.sums.addJudges(judged);
  const sums = { ...log.sums.result(), finals: log.finals.result() };
  await correctCells(reader, span, sums);
  for (const table of sumTables.filter(isCompared)) {
    const stored = flat(reader.stored(table, "bucket >= $2 AND bucket < $3", [workspaceId, span.from, span.to]));
    await differences.compare(table, table.rowsOf(sums), stored, log.older.holds(table.name));
  }
  const sessionsLeftOut = isCompared({ name: "session" })
    ? await compareSessions(reader, differences, {
        span,
        sessions: sums.sessions,
        isIncomplete: log.older.hasSession,
        goneBefore: gone.log,
        names: names ?? [],
      })
    : { continuing: 0, incomplete: 0 };
  // A rule that changed since is no reason to call a row altered.
  for (const [table, sinceMs] of await findFoldChanges(reader))
    if (log.earliestMs < sinceMs && differences.setAside(table)) notCompared.push({ table, reason: OLDER_RULE });
  return viewOf(day, { dispatches: log.dispatches, older: log.older, sessionsLeftOut, notCompared, differences });
}

const DAY_MS = 86_400_000;

export function spanOf(workspaceId: string, day: string): Span {
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  return { workspaceId, from: new Date(fromMs).toISOString(), to: new Date(fromMs + DAY_MS).toISOString() };
}

/** Compares the rows of each dispatch page by page, and adds its entries up. */
async function compareRows(
  reader: Snapshot,
  differences: Differences,
  { names, ...span }: Span & { readonly names: readonly ErasedName[] },
  isCompared: (table: { readonly name: string }) => boolean,
) {
  const sums = createSums();
  const finals = createFinalSums();
  const older = createOlderRows();
  const values = [span.workspaceId, span.from, span.to];
  const tables = rowTables.filter(isCompared).map((table) => {
    const which = `occurred_at >= $2 AND occurred_at < $3 ORDER BY ${table.key.join(", ")}`;
    return { table, upTo: inStep(reader.stored(table, which, values)) };
  });
  let dispatches = 0;
  let earliestMs = Number.POSITIVE_INFINITY;
  for await (const page of readLog(reader, span)) {
    const entries: ProjectedRecord[] = [];
    const left = new Set<string>();
    for (const row of page) {
      const read = readEntry(span.workspaceId, asErased(row, names));
      earliestMs = Math.min(earliestMs, row.received_at.getTime());
      if (typeof read === "object") {
        if (isCounted(read.entry)) entries.push(read.entry);
      } else {
        older.add(row);
        left.add(row.id);
      }
      if (read === "unreadable") differences.unreadable("dispatch", `occurred_at=${row.at} id=${row.id}`, "facts");
    }
    for (const entry of entries) {
      sums.add(entry);
      finals.add(entry);
    }
    dispatches += page.length;
    const last = page.at(-1);
    const end = last === undefined ? null : placeOf([last.at, last.id]);
    for (const { table, upTo } of tables)
      await differences.compare(table, table.rowsOf(entries), upTo(end), (row) => left.has(row[1] ?? ""));
  }
  for (const { table, upTo } of tables) await differences.compare(table, [], upTo(null));
  return { sums, finals, older, dispatches, earliestMs };
}

/** A dispatch's place in the log's order, which is PostgreSQL's of time and id. */
const placeOf = (row: TextRow): string => `${row[0]} ${row[1]}`;

/** Reads ordered rows up to a key and continues there with the next call; null reads all the rest. */
function inStep(pages: AsyncGenerator<TextRow[]>) {
  let page: TextRow[] = [];
  let at = 0;
  return async function* upTo(place: string | null): AsyncGenerator<TextRow> {
    for (;;) {
      for (; at < page.length; at += 1) {
        const row = page[at] ?? [];
        if (place !== null && placeOf(row) > place) return;
        yield row;
      }
      const next = await pages.next();
      if (next.done) return;
      page = next.value;
      at = 0;
    }
  };
}

async function* flat(pages: AsyncIterable<readonly TextRow[]>): AsyncGenerator<TextRow> {
  for await (const page of pages) yield* page;
}

const NOTHING = { rows: 0, minutes: 0, hours: 0 };

const logIsGone = (day: string): DayCheck => ({
  ...{ day, state: "gone", dispatches: 0, older: NOTHING, sessionsLeftOut: { continuing: 0, incomplete: 0 } },
  ...{ seal: null, notCompared: [], tables: [], differences: [], differing: 0 },
});

interface Found extends Pick<DayCheck, "dispatches" | "sessionsLeftOut" | "notCompared"> {
  readonly older: OlderRows;
  readonly differences: Differences;
}

function viewOf(day: string, { older, differences, dispatches, ...found }: Found): DayCheck {
  const result = differences.result();
  const counts = older.counts();
  const isOlder =
    (dispatches > 0 && counts.rows === dispatches) || found.notCompared.some(({ reason }) => reason === OLDER_RULE);
  const state = result.differing > 0 ? "different" : isOlder ? "older" : "equal";
  return { day, state, seal: null, dispatches, older: counts, ...found, ...result };
}
