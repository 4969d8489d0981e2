/** An export in pages: each a run of lines that stands on its own, so that nobody holds more than one of them. */
import type { ChainedEntry } from "../audit/chain.ts";
import { FIRST_HASH } from "../audit/chain.ts";
import { BATCH_KIND } from "../audit/chain-batch.ts";
import { EXPORT_VERSION, type ExportHead, type ExportLine } from "../audit/export-lines.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Pool } from "../platform/db.ts";
import * as evidence from "./repository.ts";
import type { ExportPage, ExportPageInput, ExportStart } from "./schema.ts";

const PAGE_ENTRIES = 500;
/** One batch may hold 512 rows of some kilobytes each. */
const PAGE_ROWS = 1_000;
const PAGE_LEAVES = 20_000;
const STRAYS_MAX = 100;

const line = (value: ExportLine): string => `${JSON.stringify(value)}\n`;

/** What begins an export: its head and the keys. The entries are fixed by it: those that come later are not part of it. */
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

/** The lines after a place. The last page says how many entries there were and what the chain's head is. */
export async function exportPage(db: Database, workspaceId: string, asked: ExportPageInput): Promise<ExportPage> {
  const { after, to, entries: told, dispatches } = asked;
  const listed = await evidence.listEntries(db.pool, workspaceId, { after, to, limit: PAGE_ENTRIES });
  const entries = within(listed, dispatches === "rows" ? PAGE_ROWS : PAGE_LEAVES);
  const last = entries.at(-1);
  const range = { after, to: last?.seq ?? to };
  const checkpoints = new Map(
    (await evidence.listCheckpoints(db.pool, workspaceId, range)).map((one) => [one.seq, one] as const),
  );
  const rows = dispatches === "none" ? null : await rowsOf(db.pool, workspaceId, entries, dispatches);
  const lines: string[] = [];
  for (const entry of entries) {
    lines.push(line({ type: "entry", ...entry }));
    const vouching = checkpoints.get(entry.seq);
    if (vouching) lines.push(line(vouching));
    for (const row of rows?.get(batchOf(entry)?.id ?? "") ?? []) lines.push(row);
  }
  const count = told + entries.length;
  if (last !== undefined && last.seq < to)
    return { text: lines.join(""), next: { after: last.seq, to, entries: count }, total: null };
  if (dispatches !== "none" && asked.isWhole)
    for (const stray of await evidence.listStrays(db.pool, workspaceId, STRAYS_MAX))
      lines.push(line({ type: "held", ...stray }));
  const head = await evidence.findHead(db.pool, workspaceId);
  const ending = head !== null && head.seq === to ? head : { seq: last?.seq ?? after, hash: last?.hash ?? FIRST_HASH };
  lines.push(line({ type: "end", entries: count, ...ending }));
  return { text: lines.join(""), next: null, total: null };
}

async function rowsOf(
  pool: Pool,
  workspaceId: string,
  entries: readonly ChainedEntry[],
  dispatches: "rows" | "leaves",
): Promise<Map<string, string[]>> {
  const batches = entries.flatMap((entry) => batchOf(entry)?.id ?? []);
  const found =
    dispatches === "rows"
      ? await evidence.listDispatches(pool, workspaceId, batches)
      : (await evidence.listHeld(pool, workspaceId, batches)).map((row) => ({ type: "held" as const, ...row }));
  const rows = new Map<string, string[]>();
  for (const row of found) {
    const of = rows.get(row.batch) ?? [];
    rows.set(row.batch, of);
    of.push(line(row));
  }
  return rows;
}

/** So many entries from the first on that their dispatches do not become too many at once; one at least. */
export function within(entries: readonly ChainedEntry[], rowsMax: number): ChainedEntry[] {
  let rows = 0;
  const taken: ChainedEntry[] = [];
  for (const entry of entries) {
    rows += batchOf(entry)?.count ?? 0;
    // A number that was given twice is told twice: a page never ends between.
    if (rows > rowsMax && taken.length > 0 && taken.at(-1)?.seq !== entry.seq) break;
    taken.push(entry);
  }
  return taken;
}

const BATCH = /"batch":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;

/** The batch that an entry speaks of, read leniently: an entry that was tampered with is exported all the same. */
export function batchOf({ kind, body }: ChainedEntry): { id: string; count: number } | null {
  if (kind !== BATCH_KIND) return null;
  const id = BATCH.exec(body)?.[1];
  if (id === undefined) return null;
  return { id, count: Number(/"count":(\d{1,9})/.exec(body)?.[1] ?? 1) };
}
