/** The record in the database against its proof: every entry, and every dispatch against its leaf. */
import type { Checkpoint, PublicKey } from "../audit/checkpoint.ts";
import { createVerifier, type Report } from "../audit/verify.ts";
import type { HeldRow } from "../audit/verify-batches.ts";
import type { Database, PoolClient } from "../platform/db.ts";
import { batchOf, within } from "./export.ts";
import * as evidence from "./repository.ts";

const PAGE_ENTRIES = 500;
/** Leaves are made in the database; so many at a time stay well within a statement's time. */
const PAGE_ROWS = 4_000;
const STRAYS_MAX = 100;

export interface StoredOptions {
  readonly keys: readonly PublicKey[];
  readonly outside: readonly Checkpoint[] | null;
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/** All of one moment: what is recorded meanwhile is not part of it. Errors: the signal's reason. */
export function verifyStored(db: Database, workspaceId: string, options: StoredOptions): Promise<Report> {
  return evidence.transaction(db.pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const head = (await evidence.findHead(client, workspaceId)) ?? { seq: 0, hash: "" };
    const { keys, outside } = options;
    const verifier = createVerifier({
      workspace: workspaceId,
      from: 1,
      previous: null,
      keys,
      outside,
      dispatches: "all",
    });
    // Beyond the head nothing should be; what is there all the same is told.
    const to = Number.MAX_SAFE_INTEGER;
    for (const one of await evidence.listCheckpoints(client, workspaceId, { after: 0, to })) verifier.inside(one);
    for (let after = 0; ; ) {
      options.signal?.throwIfAborted();
      const listed = await evidence.listEntries(client, workspaceId, { after, to, limit: PAGE_ENTRIES });
      const entries = within(listed, PAGE_ROWS);
      const last = entries.at(-1);
      if (!last) break;
      const rows = await rowsByBatch(
        client,
        workspaceId,
        entries.flatMap((entry) => batchOf(entry)?.id ?? []),
      );
      for (const entry of entries) {
        verifier.entry(entry);
        const id = batchOf(entry)?.id ?? "";
        for (const row of rows.get(id) ?? []) verifier.row(row);
        rows.delete(id);
      }
      after = last.seq;
      options.onProgress?.(after, head.seq);
    }
    for (const { id } of await evidence.listStrays(client, workspaceId, STRAYS_MAX)) verifier.stray(id);
    verifier.head(head.seq, head.hash);
    return verifier.end();
  });
}

async function rowsByBatch(client: PoolClient, workspaceId: string, batches: readonly string[]) {
  const rows = new Map<string, HeldRow[]>();
  for (const row of await evidence.listHeld(client, workspaceId, batches)) {
    const of = rows.get(row.batch) ?? [];
    rows.set(row.batch, of);
    of.push(row);
  }
  return rows;
}
