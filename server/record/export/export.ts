/** An export in pages: each is a self-contained run of lines, so that memory holds only one of them. */

import { type ChainedEntry, FIRST_HASH } from "../../audit/chain.ts";
import { type DispatchLine, EXPORT_VERSION, type ExportHead, type ExportLine } from "../../audit/export-lines.ts";
import type { HeldRow } from "../../audit/verify-batches.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database, Pool } from "../../platform/db.ts";
import { listNames, type NamesBySeq } from "../names-repository.ts";
import * as evidence from "../repository.ts";
import type { ExportPage, ExportPageInput, ExportStart } from "../schema.ts";
import { batchOf, type RangeLimits, type ReadRows, readRange } from "../verification/chain-ranges.ts";
import { hasUnproven } from "../verification/stray-scan-repository.ts";
import { findStrays, STRAYS_BEGIN } from "../verification/strays.ts";

/** A page is one text in memory, here and in its reader. */
const LIMITS = {
  none: { entries: 500, rows: 0, bytes: 0 },
  rows: { entries: 500, rows: 1_000, bytes: 8 * 1024 * 1024 },
  leaves: { entries: 500, rows: 4_000, bytes: 32 * 1024 * 1024 },
} as const satisfies Record<string, RangeLimits>;
const WINDOW_ROWS = 20_000;

const line = (value: ExportLine): string => `${JSON.stringify(value)}\n`;

/** The start of an export: its head and the keys. The entries are fixed by it: later ones are not part of it. */
export async function startExport(db: Database, workspaceId: string, asked: ExportStart): Promise<ExportPage> {
  const head = await evidence.findHead(db.pool, workspaceId);
  if (!head) throw new AppError("not_found");
  const from = asked.from ?? 1;
  const to = Math.min(asked.to ?? head.seq, head.seq);
  const before = from === 1 ? null : await evidence.findEntry(db.pool, workspaceId, from - 1);
  const name = await evidence.findWorkspaceName(db.pool, workspaceId);
  const keys = await evidence.listKeys(db.pool, workspaceId);
  const first: ExportHead = {
    type: "export",
    // Older programs prove what holds no dispatches.
    version: asked.dispatches === "rows" ? EXPORT_VERSION : 1,
    workspace: workspaceId,
    name,
    exportedAt: new Date().toISOString(),
    from,
    to,
    previous: before?.hash ?? FIRST_HASH,
    dispatches: asked.dispatches !== "none",
  };
  const text = [
    line(first),
    ...keys.map(({ id, publicKey, since }) => line({ type: "key", id, publicKey, since: since.toISOString() })),
  ].join("");
  return { text, next: { after: from - 1, to, entries: 0 }, total: Math.max(0, to - from + 1) };
}

/** The lines after a position. The last page gives the number of entries and the chain's head. */
export function exportPage(
  db: Database,
  workspaceId: string,
  asked: ExportPageInput,
  windowRows = WINDOW_ROWS,
): Promise<ExportPage> {
  return asked.strays === undefined
    ? entriesPage(db.pool, workspaceId, asked)
    : straysPage(db.pool, workspaceId, asked, windowRows);
}

async function entriesPage(pool: Pool, workspaceId: string, asked: ExportPageInput): Promise<ExportPage> {
  const { after, to, entries: before, dispatches, isWhole } = asked;
  const read = dispatches === "none" ? null : dispatches === "rows" ? evidence.listDispatches : listLeaves;
  const limits = LIMITS[dispatches];
  const { entries, rows } = await readRange<DispatchRow>(pool, workspaceId, { after, to, limits }, read);
  const last = entries.at(-1);
  const range = { after, to: last?.seq ?? to };
  const checkpoints = new Map(
    (await evidence.listCheckpoints(pool, workspaceId, range)).map((one) => [one.seq, one] as const),
  );
  const names = await listNames(pool, workspaceId, range);
  const lines: string[] = [];
  for (const entry of entries) {
    lines.push(line(entryLineOf(entry, names)));
    const vouching = checkpoints.get(entry.seq);
    if (vouching) lines.push(line(vouching));
    for (const row of rows.get(batchOf(entry)?.id ?? "") ?? []) lines.push(line(row));
  }
  const count = before + entries.length;
  const isMore = last !== undefined && last.seq < to;
  if (isMore || (dispatches !== "none" && isWhole)) {
    const next = { after: isMore ? last.seq : to, to, entries: count };
    return { text: lines.join(""), next: isMore ? next : { ...next, strays: STRAYS_BEGIN }, total: null };
  }
  lines.push(await endLine(pool, workspaceId, to, count));
  return { text: lines.join(""), next: null, total: null };
}

/** The dispatches of a window that no batch names. */
async function straysPage(
  pool: Pool,
  workspaceId: string,
  asked: ExportPageInput,
  windowRows: number,
): Promise<ExportPage> {
  const { to, entries, strays: after = STRAYS_BEGIN } = asked;
  const unproven = await hasUnproven(pool, workspaceId);
  const found = await findStrays(pool, workspaceId, { after, rows: windowRows, hasUnproven: unproven });
  const rows = found.strays.map(({ id, batch, place }) =>
    line({ type: "held", id, batch: batch ?? NO_BATCH, place, leaf: null, isErased: false }),
  );
  const text = rows.join("");
  if (found.next !== null) return { text, next: { after: to, to, entries, strays: found.next }, total: null };
  return { text: text + (await endLine(pool, workspaceId, to, entries)), next: null, total: null };
}

/** An entry as a line of the export, with the names stored outside it. */
export function entryLineOf(entry: ChainedEntry, names: NamesBySeq): ExportLine {
  const parts = names.get(entry.seq);
  return { type: "entry", ...entry, ...(parts && { names: [...parts] }) };
}

const NO_BATCH = "00000000-0000-0000-0000-000000000000";

type DispatchRow = DispatchLine | ({ readonly type: "held" } & HeldRow);

const listLeaves: ReadRows<DispatchRow> = async (pool, workspaceId, of, limit) =>
  (await evidence.listHeld(pool, workspaceId, of, limit)).map((row) => ({ type: "held", ...row }));

async function endLine(pool: Pool, workspaceId: string, to: number, entries: number): Promise<string> {
  const head = await evidence.findHead(pool, workspaceId);
  if (head !== null && head.seq === to) return line({ type: "end", entries, ...head });
  const last = await evidence.findLastEntry(pool, workspaceId, to);
  return line({ type: "end", entries, seq: last?.seq ?? 0, hash: last?.hash ?? FIRST_HASH });
}
