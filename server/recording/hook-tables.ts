/**
 * The tables of hook outcomes: counts per hour and day, and one row for each outcome that may be looked up
 * individually.
 */

import { type HookRow, isNotableHook } from "./hook-rows.ts";
import type { Table } from "./insert-rows.ts";
import type { ProjectedRecord } from "./tables.ts";

interface HookCell {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly hook: HookRow;
  count: number;
}
export interface HookSums {
  readonly hours: readonly HookCell[];
  readonly days: readonly HookCell[];
}

/** Sums that entries are added to; sorted by their keys, so that concurrent batches lock rows in one order. */
export function createHookSums() {
  const hours = new Map<string, Map<string, HookCell>>();
  function addEntry({ record, occurredAt, hooks }: ProjectedRecord): void {
    if (hooks.length === 0) return;
    const { workspaceId } = record;
    const bucket = `${occurredAt.slice(0, 13)}:00:00Z`;
    const cells = cellsOf(hours, workspaceId, bucket);
    for (const hook of hooks) add(cells, { workspaceId, bucket, hook, count: 1 });
  }
  function result(): HookSums {
    const days = new Map<string, Map<string, HookCell>>();
    for (const cells of hours.values())
      for (const cell of cells.values()) {
        const bucket = `${cell.bucket.slice(0, 10)}T00:00:00Z`;
        add(cellsOf(days, cell.workspaceId, bucket), { ...cell, bucket });
      }
    return { hours: sorted(hours), days: sorted(days) };
  }
  return { add: addEntry, result };
}

// Two steps: most hooks of a batch share their hour, and a short key is cheaper than one that repeats it.
function cellsOf(buckets: Map<string, Map<string, HookCell>>, workspaceId: string, bucket: string) {
  const key = workspaceId + bucket;
  const known = buckets.get(key) ?? new Map<string, HookCell>();
  buckets.set(key, known);
  return known;
}

function add(into: Map<string, HookCell>, cell: HookCell): void {
  const known = into.get(cell.hook.key);
  if (known) known.count += cell.count;
  else into.set(cell.hook.key, cell);
}

function sorted(buckets: Map<string, Map<string, HookCell>>): HookCell[] {
  const inOrder = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder(buckets).flatMap(([, cells]) => inOrder(cells).map(([, cell]) => cell));
}

const cellTable = (name: "hook_hour" | "hook_day"): Table<HookCell> => ({
  name,
  columns: {
    workspace_id: ["uuid", (c) => c.workspaceId],
    bucket: ["timestamptz", (c) => c.bucket],
    policy: ["text", (c) => c.hook.policy],
    event: ["text", (c) => c.hook.event],
    hook: ["text", (c) => c.hook.hook],
    outcome: ["text", (c) => c.hook.outcome],
    latency: ["int2", (c) => c.hook.latency],
    count: ["int8", (c) => c.count],
  },
  tail: `ON CONFLICT (workspace_id, bucket, policy, event, hook, outcome, latency) DO UPDATE SET
    count = ${name}.count + excluded.count`,
});
export const hookTables = { hour: cellTable("hook_hour"), day: cellTable("hook_day") };

interface Notable {
  readonly entry: ProjectedRecord;
  readonly hook: HookRow;
}

export const listNotableHooks = (entries: readonly ProjectedRecord[]): Notable[] =>
  entries.flatMap((entry) => entry.hooks.filter(isNotableHook).map((hook) => ({ entry, hook })));

export const outcomeTable: Table<Notable> = {
  name: "hook_outcome",
  columns: {
    workspace_id: ["uuid", (n) => n.entry.record.workspaceId],
    occurred_at: ["timestamptz", (n) => n.entry.occurredAt],
    dispatch_id: ["uuid", (n) => n.entry.record.id],
    place: ["int4", (n) => n.hook.place],
    agent_id: ["uuid", (n) => n.entry.record.agentId],
    agent_name: ["text", (n) => n.entry.agentName],
    session_id: ["text", (n) => n.entry.projection.sessionId],
    event: ["text", (n) => n.entry.record.event],
    tool_name: ["text", (n) => n.entry.projection.toolName],
    tool_use_id: ["text", (n) => n.entry.projection.toolUseId],
    policy: ["text", (n) => n.hook.policy],
    revision: ["int4", (n) => n.hook.revision],
    hook: ["text", (n) => n.hook.hook],
    outcome: ["text", (n) => n.hook.outcome],
    is_judge: ["bool", (n) => n.hook.isJudge],
    is_deciding: ["bool", (n) => n.hook.isDeciding],
  },
};
