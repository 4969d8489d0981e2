/**
 * Compares a day whose log is gone with its seal. This verifies nothing against the log, and the result never claims
 * so.
 */
import { createFinalSums, createSums, isCounted, type ProjectedRecord } from "../recording/index.ts";
import { foldVersionOf, OLDER_RULE } from "./fold-versions.ts";
import { leftOutOf } from "./left-out.ts";
import { readEntry } from "./log-entry.ts";
import { type Gone, readLate, type Span } from "./log-queries.ts";
import type { Snapshot } from "./repository.ts";
import type { DayCheck, Difference, TableCheck } from "./schema.ts";
import { parseSealRows, sealTable, shortSessionKey, type TableSeal } from "./seal.ts";
import { findList, type StoredSeal } from "./seal-repository.ts";
import { type LateRows, SEALED_TABLES } from "./seal-rows.ts";

const FIRST = 20;
/** The number of events after the seal that can be subtracted again. */
const LATE_MAX = 100_000;

export async function compareSeal(
  reader: Snapshot,
  span: Span,
  { seal, gone, nowMs }: { readonly seal: StoredSeal; readonly gone: Gone; readonly nowMs: number },
): Promise<DayCheck> {
  const late = await readLateRows(reader, span, seal.entry.upTo);
  const notCompared: DayCheck["notCompared"] = [];
  const tables: TableCheck[] = [];
  const differences: Difference[] = [];
  const reasonOf = reasonsAgainst(span, seal, { gone, nowMs, hasTooManyLate: late === "too many" });
  let continuing = 0;
  for (const name of SEALED_TABLES) {
    const sealed = seal.entry.tables.find(({ table }) => table === name);
    const reason = reasonOf(name);
    if (sealed === undefined || reason !== null || late === "too many") {
      notCompared.push({ table: name, reason: reason ?? "not in the seal: gone before it was made" });
      continue;
    }
    const present = await sealTable(reader, span, name, late);
    const list = await findList(reader, span.workspaceId, seal, name);
    // Sessions may continue after the seal; without their list, it is unknown which did.
    if (name === "session" && list === null) {
      notCompared.push({ table: name, reason: "more sessions than are told apart" });
      continue;
    }
    const isChanged = present.sha256 !== sealed.sha256;
    const moved = name === "session" && isChanged ? await sessionsGoneOn(reader, span, late) : NOBODY;
    const found = compareTable(present, sealed, list, moved);
    continuing += found.continuing;
    tables.push(found.check);
    differences.push(...found.differences);
  }
  const differing = tables.reduce((sum, one) => sum + one.differing + one.missing + one.extra, 0);
  const whenSealed = seal.entry.state === "different" ? seal.entry.differing : 0;
  return {
    day: seal.entry.day,
    state: differing + whenSealed > 0 ? "different" : "sealed",
    seal: { entry: seal.seq, at: seal.at, state: seal.entry.state, differing: whenSealed },
    dispatches: late === "too many" ? 0 : late.ids.size,
    older: { rows: 0, minutes: 0, hours: 0 },
    sessionsLeftOut: { continuing, incomplete: 0 },
    ...{ notCompared, tables, differences, differing: differing + whenSealed },
  };
}

interface Against {
  readonly gone: Gone;
  readonly nowMs: number;
  readonly hasTooManyLate: boolean;
}

function reasonsAgainst({ from }: Span, { at, entry }: StoredSeal, { gone, nowMs, hasTooManyLate }: Against) {
  const out = leftOutOf({ from, nowMs, hasForgottenNames: false }, gone);
  return (name: string): string | null => {
    const left = out.find(({ table }) => table === name);
    if (left) return left.reason;
    if (gone.demo !== null && gone.demo > at) return "the demo was removed after the seal, and rows of it with it";
    if (hasTooManyLate) return `more than ${LATE_MAX.toLocaleString("en-US")} events came after the seal`;
    const sealed = entry.tables.find(({ table }) => table === name);
    return sealed && sealed.fold !== foldVersionOf(name) ? `sealed ${OLDER_RULE}` : null;
  };
}

const NOBODY: ReadonlySet<string> = new Set();

/** Errors: none; a table without a list of its rows is one difference. */
function compareTable(
  present: TableSeal,
  sealed: { readonly rows: number; readonly sha256: string },
  list: Buffer | null,
  moved: ReadonlySet<string>,
) {
  const { table } = present;
  const check = { table, compared: Math.max(present.rows, sealed.rows), differing: 0, missing: 0, extra: 0 };
  if (present.sha256 === sealed.sha256 && present.rows === sealed.rows)
    return { check, differences: [], continuing: 0 };
  const differences: Difference[] = [];
  const keep = (kind: Difference["kind"], key: string, stored: string | null, computed: string | null) => {
    if (differences.length < FIRST) differences.push({ table, key, kind, column: null, stored, computed });
  };
  let continuing = 0;
  if (list !== null && present.list !== null) {
    const before = parseSealRows(list);
    const after = parseSealRows(present.list);
    for (const [key, row] of after) {
      const was = before.get(key);
      if (was === row) continue;
      if (moved.has(key)) {
        continuing += 1;
        continue;
      }
      check[was === undefined ? "extra" : "differing"] += 1;
      keep(was === undefined ? "extra" : "differs", present.keys.get(key) ?? key, null, null);
    }
    for (const key of before.keys()) {
      if (after.has(key)) continue;
      if (moved.has(key)) continuing += 1;
      else {
        check.missing += 1;
        keep("missing", `sealed row ${key}`, null, null);
      }
    }
  }
  const isNamed = check.differing + check.missing + check.extra + continuing > 0;
  if (!isNamed) {
    check.differing = Math.max(1, Math.abs(present.rows - sealed.rows));
    keep("differs", "the table as a whole", digestText(present), digestText(sealed));
  }
  return { check, differences, continuing };
}

const digestText = ({ rows, sha256 }: { readonly rows: number; readonly sha256: string }): string =>
  `${rows} rows, SHA-256 ${sha256.slice(0, 16)}`;

/**
 * Short keys of sessions that continued after the seal: their rows moved with them, and are compared with a later day
 * or not at all.
 */
async function sessionsGoneOn(
  reader: Snapshot,
  { workspaceId, to }: Span,
  { sessions }: LateRows,
): Promise<ReadonlySet<string>> {
  const keys = new Set(sessions);
  const pages = reader.pages<{ agent_id: string; session_id: string }>(
    "SELECT agent_id, session_id FROM session WHERE workspace_id = $1 AND first_at < $2 AND last_at >= $2",
    [workspaceId, to],
  );
  for await (const page of pages) for (const row of page) keys.add(shortSessionKey(row.agent_id, row.session_id));
  return keys;
}

async function readLateRows(reader: Snapshot, span: Span, upTo: number): Promise<LateRows | "too many"> {
  const ids = new Set<string>();
  const sessions = new Set<string>();
  const [sums, finals] = [createSums(), createFinalSums()];
  for await (const page of readLate(reader, span, upTo)) {
    const entries: ProjectedRecord[] = [];
    for (const row of page) {
      ids.add(row.id);
      sessions.add(shortSessionKey(row.agent_id, row.session_id));
      const read = readEntry(span.workspaceId, row);
      if (typeof read === "object" && isCounted(read.entry)) entries.push(read.entry);
    }
    for (const entry of entries) {
      sums.add(entry);
      finals.add(entry);
    }
    if (ids.size > LATE_MAX) return "too many";
  }
  return { ids, sessions, sums: { ...sums.result(), finals: finals.result() } };
}
