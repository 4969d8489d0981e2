/**
 * A day's seal: the number of rows in each derived table, their digest, and the result of the day's check against its
 * log. It is made while the log exists, stored as an entry of the chain, and afterwards the rows are compared with it.
 */
import { createHash } from "node:crypto";
import type { AuditEntry } from "../audit/entries.ts";
import { foldVersionOf } from "./fold-versions.ts";
import { leftOutOf } from "./left-out.ts";
import type { Gone, Span } from "./log-queries.ts";
import type { Snapshot } from "./repository.ts";
import type { DayCheck } from "./schema.ts";
import { type LateRows, readSealRows, SEALED_TABLES, type SealRow, sessionKeyDigest } from "./seal-rows.ts";

export type SealEntry = Extract<AuditEntry, { kind: "projections_sealed" }>;

/** Rows of one table and day with a digest each; above this number, only one digest of all rows is kept. */
const LISTED_MAX = 50_000;
const SHORT_BYTES = 8;

export interface TableSeal {
  readonly table: string;
  readonly rows: number;
  readonly sha256: string;
  /** Short digests of key and row, one row after the other; null when there are too many. */
  readonly list: Buffer | null;
  /** Keys in readable form, by their short digest; empty when there are too many. */
  readonly keys: ReadonlyMap<string, string>;
}

export interface DaySeal {
  readonly entry: SealEntry;
  readonly tables: readonly TableSeal[];
}

/** Seals the tables whose rows still exist; tables that other retention rules have emptied are omitted. */
export async function createSeal(
  reader: Snapshot,
  span: Span,
  { check, gone, nowMs }: { readonly check: DayCheck; readonly gone: Gone; readonly nowMs: number },
): Promise<DaySeal> {
  const out = leftOutOf({ from: span.from, nowMs, hasForgottenNames: false }, gone);
  const upTo = await findProjectedSeq(reader, span.workspaceId);
  const tables: TableSeal[] = [];
  for (const name of SEALED_TABLES)
    if (!out.some(({ table }) => table === name)) tables.push(await sealTable(reader, span, name, null));
  const entry: SealEntry = {
    kind: "projections_sealed",
    version: 1,
    day: check.day,
    upTo,
    state: stateOf(check),
    differing: check.differing,
    tables: tables.map(({ table, rows, sha256 }) => ({ table, fold: foldVersionOf(table), rows, sha256 })),
  };
  return { entry, tables };
}

/** A day sealed again for late records keeps the state of its first seal. */
const stateOf = ({ state, seal }: DayCheck): SealEntry["state"] =>
  seal === null ? (state === "gone" || state === "sealed" ? "unchecked" : state) : seal.state;

/** The number up to which the chain is in the derived rows, as the snapshot sees them. */
async function findProjectedSeq(reader: Snapshot, workspaceId: string): Promise<number> {
  const sql = "SELECT seq::float8 AS seq FROM projection_cursor WHERE workspace_id = $1";
  const rows = await reader.all<{ seq: number }>(sql, [workspaceId]);
  return rows[0]?.seq ?? 0;
}

export async function sealTable(
  reader: Snapshot,
  span: Span,
  table: string,
  late: LateRows | null,
): Promise<TableSeal> {
  const whole = createHash("sha256");
  const parts: Buffer[] = [];
  const keys = new Map<string, string>();
  let rows = 0;
  for await (const row of readSealRows(reader, span, table, late)) {
    rows += 1;
    whole.update(row.digest);
    if (rows > LISTED_MAX) continue;
    parts.push(shortOf(row));
    keys.set(row.keyDigest.toString("hex", 0, SHORT_BYTES), row.key);
  }
  const isListed = rows <= LISTED_MAX;
  return {
    ...{ table, rows, sha256: whole.digest("hex") },
    list: isListed ? Buffer.concat(parts) : null,
    keys: isListed ? keys : new Map(),
  };
}

const shortOf = ({ keyDigest, digest }: SealRow): Buffer =>
  Buffer.concat([keyDigest.subarray(0, SHORT_BYTES), digest.subarray(0, SHORT_BYTES)]);

/** The short digest of a session's key. */
export const shortSessionKey = (agentId: string, sessionId: string): string =>
  sessionKeyDigest(agentId, sessionId).toString("hex", 0, SHORT_BYTES);

/** A list of `TableSeal` as a map from key to row. */
export function parseSealRows(list: Buffer): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const width = 2 * SHORT_BYTES;
  for (let at = 0; at + width <= list.length; at += width)
    rows.set(list.toString("hex", at, at + SHORT_BYTES), list.toString("hex", at + SHORT_BYTES, at + width));
  return rows;
}
