/**
 * Counts of hook outcomes by the revision of their policy, per hour and day. A cell keeps at most `REVISION_SLOTS`
 * revisions: a revision takes the slot of its number, and the newest of a slot counts the others as earlier. The result
 * is the same for any order of arrival.
 */
import type { Send } from "../platform/db.ts";
import type { HookRow } from "./hook-rows.ts";
import { insertRows, type Table } from "./insert-rows.ts";
import type { ProjectedRecord } from "./tables.ts";

export const REVISION_SLOTS = 16;
/** The version of this rule. Version 1 stands for records from before revisions were counted. */
export const REVISION_RULE_VERSION = 2;

interface RevisionCell {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly hook: HookRow;
  readonly slot: number;
  revision: number;
  count: number;
  /** Runs of older revisions in this slot. */
  earlier: number;
}

export interface RevisionSums {
  readonly hours: readonly RevisionCell[];
  readonly days: readonly RevisionCell[];
}

/** Sums that entries are added to; sorted by their keys, so that concurrent batches lock rows in one order. */
export function createRevisionSums() {
  const hours = new Map<string, RevisionCell>();
  return {
    add({ record, occurredAt, hooks }: ProjectedRecord): void {
      if (hooks.length === 0) return;
      const { workspaceId } = record;
      const bucket = `${occurredAt.slice(0, 13)}:00:00Z`;
      for (const hook of hooks) {
        const { revision } = hook;
        merge(hours, { workspaceId, bucket, hook, slot: revision % REVISION_SLOTS, revision, count: 1, earlier: 0 });
      }
    },
    result(): RevisionSums {
      const days = new Map<string, RevisionCell>();
      for (const cell of hours.values()) merge(days, { ...cell, bucket: `${cell.bucket.slice(0, 10)}T00:00:00Z` });
      return { hours: sorted(hours), days: sorted(days) };
    },
  };
}

/** As the table's tail merges stored rows. */
function merge(into: Map<string, RevisionCell>, cell: RevisionCell): void {
  const key = `${cell.workspaceId}${cell.bucket}${cell.hook.key}\0${cell.slot}`;
  const known = into.get(key);
  if (known === undefined) {
    into.set(key, cell);
    return;
  }
  known.earlier += cell.earlier;
  if (cell.revision === known.revision) known.count += cell.count;
  else if (cell.revision < known.revision) known.earlier += cell.count;
  else {
    known.earlier += known.count;
    known.count = cell.count;
    known.revision = cell.revision;
  }
}

const sorted = (sums: Map<string, RevisionCell>): RevisionCell[] =>
  [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);

const tableOf = (name: "hook_revision_hour" | "hook_revision_day"): Table<RevisionCell> => ({
  name,
  columns: {
    workspace_id: ["uuid", (c) => c.workspaceId],
    bucket: ["timestamptz", (c) => c.bucket],
    policy: ["text", (c) => c.hook.policy],
    event: ["text", (c) => c.hook.event],
    hook: ["text", (c) => c.hook.hook],
    outcome: ["text", (c) => c.hook.outcome],
    latency: ["int2", (c) => c.hook.latency],
    slot: ["int2", (c) => c.slot],
    revision: ["int4", (c) => c.revision],
    count: ["int8", (c) => c.count],
    earlier: ["int8", (c) => c.earlier],
  },
  tail: `ON CONFLICT (workspace_id, bucket, policy, event, hook, outcome, latency, slot) DO UPDATE SET
    revision = greatest(${name}.revision, excluded.revision),
    count = CASE WHEN ${name}.revision >= excluded.revision THEN ${name}.count ELSE 0 END
      + CASE WHEN excluded.revision >= ${name}.revision THEN excluded.count ELSE 0 END,
    earlier = ${name}.earlier + excluded.earlier
      + CASE WHEN ${name}.revision < excluded.revision THEN ${name}.count ELSE 0 END
      + CASE WHEN excluded.revision < ${name}.revision THEN excluded.count ELSE 0 END`,
});
export const revisionTables = { hour: tableOf("hook_revision_hour"), day: tableOf("hook_revision_day") };

/** Two statements for a batch, none for a batch without hooks. */
export function writeRevisionSums(send: Send, { hours, days }: RevisionSums): void {
  void insertRows(send, revisionTables.hour, hours);
  void insertRows(send, revisionTables.day, days);
}
