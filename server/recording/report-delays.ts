/** The delays of reported events, summed per agent and hour. Minimum, maximum and sum do not depend on the order. */
import type { Table } from "./insert-rows.ts";
import type { ProjectedRecord } from "./tables.ts";

export interface ReportDelaySums {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly agentId: string;
  reports: number;
  minMs: number;
  maxMs: number;
  sumMs: number;
}

/** A century: a clock that far off says nothing more by being further. */
const DELAY_MAX_MS = 3_155_760_000_000;

/** Sums that entries are added to; sorted by key, so that concurrent batches lock rows in one order. */
export function createReportDelaySums() {
  const sums = new Map<string, ReportDelaySums>();
  function add({ record }: ProjectedRecord): void {
    if (record.origin !== "report") return;
    const receivedMs = record.receivedAt.getTime();
    const lateMs = receivedMs - record.occurredAt.getTime();
    const delayMs = Math.min(Math.max(lateMs, -DELAY_MAX_MS), DELAY_MAX_MS);
    const bucketMs = receivedMs - (receivedMs % 3_600_000);
    const { workspaceId, agentId } = record;
    const key = `${workspaceId} ${bucketMs} ${agentId}`;
    const known = sums.get(key);
    if (known) {
      known.reports += 1;
      known.minMs = Math.min(known.minMs, delayMs);
      known.maxMs = Math.max(known.maxMs, delayMs);
      known.sumMs += delayMs;
    } else {
      const bucket = new Date(bucketMs).toISOString();
      sums.set(key, { workspaceId, bucket, agentId, reports: 1, minMs: delayMs, maxMs: delayMs, sumMs: delayMs });
    }
  }
  const result = (): ReportDelaySums[] => [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  return { add, result };
}

export const reportDelayTable: Table<ReportDelaySums> = {
  name: "report_hour",
  columns: {
    workspace_id: ["uuid", (r) => r.workspaceId],
    bucket: ["timestamptz", (r) => r.bucket],
    agent_id: ["uuid", (r) => r.agentId],
    reports: ["int8", (r) => r.reports],
    delay_min_ms: ["int8", (r) => r.minMs],
    delay_max_ms: ["int8", (r) => r.maxMs],
    delay_sum_ms: ["int8", (r) => r.sumMs],
  },
  tail: `ON CONFLICT (workspace_id, bucket, agent_id) DO UPDATE SET
    reports = report_hour.reports + excluded.reports,
    delay_min_ms = least(report_hour.delay_min_ms, excluded.delay_min_ms),
    delay_max_ms = greatest(report_hour.delay_max_ms, excluded.delay_max_ms),
    delay_sum_ms = report_hour.delay_sum_ms + excluded.delay_sum_ms`,
};
