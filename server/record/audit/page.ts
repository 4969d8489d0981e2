/** The acts of a workspace as the audit page shows them. */

import { type ChainedEntry, canonicalJson, entryHashOf, FIRST_HASH } from "../../audit/chain.ts";
import { BATCH_KIND } from "../../audit/chain-batch.ts";
import { giveNames, nameReader } from "../../audit/mentions.ts";
import { type NamePart, namesOf } from "../../audit/person-names.ts";
import { type StoredRow, toChainedEntry } from "../../audit/stored-entries.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { listNamesOf } from "../names-repository.ts";
import { listEntries } from "../repository.ts";
import type { AuditFacets, AuditRange, AuditView, BatchesView, EntryDetail, ListAudit } from "../schema.ts";
import { textsOf } from "../verification/texts.ts";
import * as pages from "./page-repository.ts";

/** One page, the newest first. */
export async function list(db: Database, workspaceId: string, input: ListAudit) {
  // One row more than the page, to know whether another page follows.
  const found = await pages.list(db.pool, workspaceId, input, input.limit + 1);
  const rows = found.slice(0, input.limit);
  const next = found.length > input.limit ? Number(rows.at(-1)?.seq) : null;
  return {
    rows: await viewsOf(db, workspaceId, rows),
    next,
    batches: await batchesOf(db, workspaceId, input, rows, next),
  };
}

/** An entry's number is below this. */
const SEQ_MAX = 9_007_199_254_740_991;

/**
 * The batches that a list without a filter leaves out: between two of its entries, above the first and, on the last
 * page, below the last.
 */
async function batchesOf(
  db: Database,
  workspaceId: string,
  { range, filters, cursor }: ListAudit,
  rows: readonly StoredRow[],
  next: number | null,
): Promise<BatchesView[]> {
  if ([filters.kind, filters.actor, filters.target].some((values) => values.length > 0)) return [];
  const bounds = [cursor ?? SEQ_MAX, ...rows.map(({ seq }) => Number(seq)), ...(next === null ? [0] : [])];
  const pairs = bounds.flatMap((above, at) => {
    const below = bounds[at + 1];
    return below === undefined || above - below < 2 ? [] : [{ below, above }];
  });
  return pairs.length === 0 ? [] : pages.listBatchesBetween(db.pool, workspaceId, range, pairs);
}

async function viewsOf(db: Database, workspaceId: string, rows: readonly StoredRow[]): Promise<AuditView[]> {
  const names = await pages.findNames(
    db.pool,
    workspaceId,
    rows.flatMap(({ target }) => target ?? []),
  );
  const parts = await listNamesOf(
    db.pool,
    workspaceId,
    rows.flatMap(({ seq, kind }) => (kind === BATCH_KIND ? [] : [Number(seq)])),
  );
  return rows.map((row) => viewOf(toChainedEntry(row), names, parts.get(Number(row.seq)) ?? []));
}

/**
 * `names` are the objects' present names, for entries from before names were stored; `parts` are the names of people
 * that still exist.
 */
function viewOf(entry: ChainedEntry, names: ReadonlyMap<string, string>, parts: readonly NamePart[]): AuditView {
  const { seq, at, kind, from, target, body, changes } = entry;
  const recorded = membersOf(body);
  const written = namesOf(recorded);
  const read = written === null ? null : nameReader(written, parts);
  const members = recorded === null || read === null ? recorded : giveNames(recorded, read);
  const actor = entry.actor && { ...entry.actor, name: read?.(entry.actor.id) ?? entry.actor.name };
  const [type = "", ...id] = (target ?? "").split("/");
  const own = typeof members?.name === "string" ? members.name : null;
  return {
    seq,
    at: new Date(at),
    kind,
    actor,
    from,
    target:
      target === null ? null : { type, id: id.join("/"), name: written?.objects[target] ?? names.get(target) ?? own },
    body: members,
    changes: changesOf(changes),
  };
}

function changesOf(text: string | null): AuditView["changes"] {
  const members = text === null ? null : membersOf(text);
  if (members === null) return null;
  const pairs = Object.entries(members).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null) return [];
    const { before, after } = value as { before?: unknown; after?: unknown }; // an object has members of unknown types
    return [[name, { before: before ?? null, after: after ?? null }] as const];
  });
  return Object.fromEntries(pairs);
}

function membersOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    // Holds: checked just before.
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export async function facets(db: Database, workspaceId: string, range: AuditRange): Promise<AuditFacets> {
  const rows = await pages.listFacets(db.pool, workspaceId, range);
  const of = (field: pages.FacetRow["field"]) =>
    rows.filter((row) => row.field === field).map(({ value, count }) => ({ value, count }));
  return { kind: of("kind"), actor: of("actor"), target: of("target") };
}

/** One entry with its place in the chain. Errors: `entry_not_found`. */
export async function get(db: Database, workspaceId: string, seq: number): Promise<EntryDetail> {
  const around = { after: Math.max(0, seq - 2), to: seq + 1, limit: 3 };
  const [entries, vouching] = await Promise.all([
    listEntries(db.pool, workspaceId, around),
    pages.findVouching(db.pool, workspaceId, seq),
  ]);
  const entry = entries.find((one) => one.seq === seq);
  if (!entry) throw new AppError("entry_not_found", String(seq));
  const previous = seq === 1 ? FIRST_HASH : (entries.find((one) => one.seq === seq - 1)?.hash ?? "");
  const names = await pages.findNames(db.pool, workspaceId, entry.target === null ? [] : [entry.target]);
  const parts = await listNamesOf(db.pool, workspaceId, [seq]);
  return {
    ...viewOf(entry, names, parts.get(seq) ?? []),
    hash: entry.hash,
    previous,
    chain: entry.chain,
    holds: entryHashOf(entry, previous) === entry.hash,
    checkpoint: vouching,
    raw: JSON.stringify(JSON.parse(canonicalJson({ ...entry, body: membersOf(entry.body) ?? entry.body })), null, 2),
    texts: await textsOf(db, workspaceId, entry),
    neighbours: entries.filter((one) => one.seq !== seq).map(({ seq: at, kind, hash }) => ({ seq: at, kind, hash })),
  };
}
