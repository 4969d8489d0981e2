/**
 * Sums of model calls by the principal that they were made for, as they were reported. Calls of an unknown person are in
 * none of them: they are the difference to the sums of all calls.
 */
import type { Send } from "../platform/db.ts";
import { insertRows, type Table } from "./insert-rows.ts";
import { addCounts, type Counts, type RollupCount } from "./rollup-counts.ts";
import type { ProjectedRecord } from "./tables.ts";

export const SPEND_COUNTS = [
  "calls_priced",
  "calls_free",
  "calls_unpriced",
  "calls_without_usage",
  "cost_nano",
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
] as const satisfies readonly RollupCount[];

export interface SpendBucket {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly modelId: string;
  readonly principalId: string;
  readonly counts: Counts;
}

export interface SpendSums {
  readonly minutes: readonly SpendBucket[];
  readonly hours: readonly SpendBucket[];
  readonly days: readonly SpendBucket[];
}

/** Sums that entries are added to; sorted by their keys, so that concurrent batches lock rows in one order. */
export function createSpendSums() {
  const minutes = new Map<string, SpendBucket>();
  const hours = new Map<string, SpendBucket>();
  const days = new Map<string, SpendBucket>();
  return {
    /** `counts` are those of the entry. */
    add({ record, projection, agentName, occurredAt }: ProjectedRecord, counts: Counts): void {
      const { workspaceId, agentId, principal } = record;
      if (principal === undefined || projection.call === null) return;
      const of = {
        workspaceId,
        agentId,
        agentName,
        modelId: projection.call.modelId,
        principalId: principal.id,
        counts,
      };
      add(minutes, { ...of, bucket: `${occurredAt.slice(0, 16)}:00Z` });
      add(hours, { ...of, bucket: `${occurredAt.slice(0, 13)}:00:00Z` });
      add(days, { ...of, bucket: `${occurredAt.slice(0, 10)}T00:00:00Z` });
    },
    result: (): SpendSums => ({ minutes: sorted(minutes), hours: sorted(hours), days: sorted(days) }),
  };
}

function add(into: Map<string, SpendBucket>, one: SpendBucket): void {
  const key = JSON.stringify([one.workspaceId, one.bucket, one.agentId, one.agentName, one.modelId, one.principalId]);
  const known = into.get(key);
  if (known) addCounts(known.counts, one.counts);
  else into.set(key, { ...one, counts: { ...one.counts } });
}

const sorted = (sums: Map<string, SpendBucket>): SpendBucket[] =>
  [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);

const tableOf = (unit: "minute" | "hour" | "day"): Table<SpendBucket> => ({
  name: `spend_${unit}`,
  columns: {
    workspace_id: ["uuid", (b) => b.workspaceId],
    bucket: ["timestamptz", (b) => b.bucket],
    agent_id: ["uuid", (b) => b.agentId],
    agent_name: ["text", (b) => b.agentName],
    model_id: ["text", (b) => b.modelId],
    principal_id: ["uuid", (b) => b.principalId],
    ...Object.fromEntries(
      SPEND_COUNTS.map((name) => [name, ["int8", (b: SpendBucket) => b.counts[name] ?? 0n] as const]),
    ),
  },
  tail: `ON CONFLICT (workspace_id, bucket, agent_id, agent_name, model_id, principal_id) DO UPDATE SET
    ${SPEND_COUNTS.map((name) => `${name} = spend_${unit}.${name} + excluded.${name}`).join(", ")}`,
});
export const spendTables = { minute: tableOf("minute"), hour: tableOf("hour"), day: tableOf("day") };

/** A batch without such calls costs no statement. */
export function writeSpendSums(send: Send, { minutes, hours, days }: SpendSums): void {
  void insertRows(send, spendTables.minute, minutes);
  void insertRows(send, spendTables.hour, hours);
  void insertRows(send, spendTables.day, days);
}
