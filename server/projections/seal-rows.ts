/**
 * The rows of a day as a seal counts and digests them: after their log is gone, they must not change.
 *
 * The digest omits values that may change later. Names and words can be erased, so rows of a sum that differ only by a
 * name are added up. Corrections are recorded in the ledger and in the chain, so sums and sessions are digested without
 * them. Values that are null, zero, false or empty are omitted, so that a new column changes no seal.
 */
import { createHash } from "node:crypto";
import {
  CORRECTIONS_SQL,
  type CorrectionRow,
  correctionOf,
  SESSION_CORRECTIONS_SQL,
  sumByBucket,
  UNITS,
} from "../costs/index.ts";
import {
  type AllSums,
  type DerivedTable,
  rowTables,
  sessionsTable,
  sumTables,
  type TextRow,
} from "../recording/index.ts";
import type { Span } from "./log-queries.ts";
import type { Snapshot } from "./repository.ts";

/** Rows that arrived after a seal: they are in the stored rows and not in the seal. */
export interface LateRows {
  /** Ids of dispatches. */
  readonly ids: ReadonlySet<string>;
  /** Short digests of their sessions' keys. */
  readonly sessions: ReadonlySet<string>;
  readonly sums: AllSums;
}

export interface SealRow {
  /** For people: the columns of the key, without a name. */
  readonly key: string;
  readonly keyDigest: Buffer;
  readonly digest: Buffer;
}

type Shape = Pick<DerivedTable<never>, "name" | "key" | "columns">;

/** Sums by minute are kept only for days, and never sealed. */
export const SEALED_TABLES: readonly string[] = [
  ...rowTables.map(({ name }) => name),
  ...sumTables.map(({ name }) => name).filter((name) => !name.endsWith("_minute")),
  sessionsTable.name,
];

export function readSealRows(
  reader: Snapshot,
  span: Span,
  table: string,
  late: LateRows | null,
): AsyncGenerator<SealRow> {
  const rows = rowTables.find(({ name }) => name === table);
  if (rows) return rowsOf(reader, span, rows, late);
  const sums = sumTables.find(({ name }) => name === table);
  return sums ? sumsOf(reader, span, sums, late) : sessionsOf(reader, span);
}

async function* rowsOf(
  reader: Snapshot,
  { workspaceId, from, to }: Span,
  table: (typeof rowTables)[number],
  late: LateRows | null,
): AsyncGenerator<SealRow> {
  const which = `occurred_at >= $2 AND occurred_at < $3 ORDER BY ${table.key.join(", ")}`;
  for await (const page of reader.stored(table, which, [workspaceId, from, to]))
    for (const row of page) if (!late?.ids.has(row[1] ?? "")) yield sealRow(table, row);
}

async function* sumsOf(
  reader: Snapshot,
  span: Span,
  table: (typeof sumTables)[number],
  late: LateRows | null,
): AsyncGenerator<SealRow> {
  const { workspaceId, from, to } = span;
  const cells = createCells(table);
  for await (const page of reader.stored(table, "bucket >= $2 AND bucket < $3", [workspaceId, from, to]))
    for (const row of page) cells.add(table.sealed(row), 1n);
  if (late) for (const row of table.rowsOf(late.sums)) cells.add(table.sealed(row), -1n);
  for await (const row of correctionsOf(reader, span, table)) cells.add(row, -1n);
  for (const row of cells.rows()) yield sealRow(table, row);
}

/** Adds rows up by their key without the name. Every other column is a count. */
function createCells({ key, columns }: Shape) {
  const nameAt = columns.findIndex(({ name }) => name === "agent_name");
  const counted = columns.flatMap((_, at) => (at < key.length ? [] : [at]));
  const cells = new Map<string, { readonly row: (string | null)[]; readonly counts: bigint[] }>();
  return {
    add(row: TextRow, factor: bigint): void {
      const named = row.map((value, at) => (at === nameAt ? "" : value));
      const id = JSON.stringify(named.slice(0, key.length));
      const cell = cells.get(id) ?? { row: named, counts: counted.map(() => 0n) };
      cells.set(id, cell);
      for (const [place, at] of counted.entries())
        cell.counts[place] = (cell.counts[place] ?? 0n) + factor * BigInt(row[at] ?? 0);
    },
    /** Omits rows that are zero, such as a row that consists of a correction only. */
    *rows(): Generator<TextRow> {
      const ordered = [...cells].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [, { row, counts }] of ordered) {
        if (counts.every((count) => count === 0n)) continue;
        for (const [place, at] of counted.entries()) row[at] = String(counts[place] ?? 0n);
        yield row;
      }
    },
  };
}

/** Sums that corrections have added to a table's cells, as rows of it. */
async function* correctionsOf(
  reader: Snapshot,
  { workspaceId, from, to }: Span,
  { name, columns }: Shape,
): AsyncGenerator<TextRow> {
  const unit = UNITS.find((one) => name === `rollup_${one}`);
  if (unit === undefined) return;
  for await (const page of reader.pages<CorrectionRow>(CORRECTIONS_SQL, [workspaceId, from, to]))
    for (const { bucket, agentId, agentName, modelId, sums } of sumByBucket(page.map(correctionOf), unit)) {
      const values: Readonly<Record<string, string>> = {
        ...{ bucket: bucket.replace("Z", "000Z"), agent_id: agentId, agent_name: agentName, model_id: modelId },
        ...{ calls_priced: String(sums.priced), calls_free: String(sums.free), calls_unpriced: String(sums.unpriced) },
        cost_nano: String(sums.corrected_nano),
      };
      yield columns.map((column) => values[column.name] ?? "0");
    }
}

interface SessionMoves {
  readonly agent_id: string;
  readonly session_id: string;
  readonly priced: string;
  readonly free: string;
  readonly unpriced: string;
  readonly nano: string;
}

async function* sessionsOf(reader: Snapshot, { workspaceId, from, to }: Span): AsyncGenerator<SealRow> {
  const which = `last_at >= $2 AND last_at < $3 ORDER BY agent_id, session_id COLLATE "C"`;
  const { columns } = sessionsTable;
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const [agentAt, idAt] = [at("agent_id"), at("session_id")];
  for await (const page of reader.stored(sessionsTable, which, [workspaceId, from, to])) {
    const moves = await reader.all<SessionMoves>(SESSION_CORRECTIONS_SQL, [
      workspaceId,
      page.map((row) => row[agentAt]),
      page.map((row) => row[idAt]),
    ]);
    const known = new Map(moves.map((move) => [`${move.agent_id} ${move.session_id}`, move]));
    for (const row of page) {
      const move = known.get(`${row[agentAt]} ${row[idAt]}`);
      const before = [...row];
      const take = (name: string, moved = "0") => {
        before[at(name)] = String(BigInt(row[at(name)] ?? 0) - BigInt(moved));
      };
      take("calls_priced", move?.priced);
      take("calls_free", move?.free);
      take("calls_unpriced", move?.unpriced);
      take("cost_nano", move?.nano);
      yield sealRow(sessionsTable, before);
    }
  }
}

const NOTHING = new Set([null, "", "0", "false"]);

function sealRow({ name, key, columns }: Shape, row: TextRow): SealRow {
  const pairs = columns.flatMap(({ name: column }, at) =>
    column === "agent_name" ? [] : [[column, row[at] ?? null] as const],
  );
  const keyed = pairs.filter(([column]) => key.includes(column));
  const valued = pairs.filter(([column, value]) => !key.includes(column) && !NOTHING.has(value));
  const sorted = valued.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    key: keyed.map(([column, value]) => `${column}=${value ?? ""}`).join(" "),
    keyDigest: sha256([name, keyed]),
    digest: sha256([name, keyed, sorted]),
  };
}

export const sessionKeyDigest = (agentId: string, sessionId: string): Buffer =>
  sha256([
    sessionsTable.name,
    [
      ["agent_id", agentId],
      ["session_id", sessionId],
    ],
  ]);

const sha256 = (value: unknown): Buffer => createHash("sha256").update(JSON.stringify(value)).digest();
