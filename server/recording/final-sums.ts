/** Counts of final decisions from the log only: by their whole key except `by_judge`, which needs a lookup. Pure. */

import { finalDecisionKeys, isFinalDecision } from "./final-decisions.ts";
import type { Table } from "./insert-rows.ts";
import type { ProjectedRecord } from "./tables.ts";

interface FinalCell {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly keys: ReturnType<typeof finalDecisionKeys>;
  count: number;
}
export interface FinalSums {
  readonly hours: readonly FinalCell[];
  readonly days: readonly FinalCell[];
}

export function createFinalSums() {
  const hours = new Map<string, FinalCell>();
  const days = new Map<string, FinalCell>();
  return {
    add(entry: ProjectedRecord): void {
      if (!isFinalDecision(entry)) return;
      addTo(hours, entry, `${entry.occurredAt.slice(0, 13)}:00:00Z`);
      addTo(days, entry, `${entry.occurredAt.slice(0, 10)}T00:00:00Z`);
    },
    result: (): FinalSums => ({ hours: [...hours.values()], days: [...days.values()] }),
  };
}

function addTo(cells: Map<string, FinalCell>, entry: ProjectedRecord, bucket: string): void {
  const { workspaceId, agentId } = entry.record;
  const { agentName } = entry;
  const keys = finalDecisionKeys(entry);
  const key = JSON.stringify([bucket, agentId, agentName, keys]);
  const known = cells.get(key);
  if (known) known.count += 1;
  else cells.set(key, { workspaceId, bucket, agentId, agentName, keys, count: 1 });
}

const tableOf = (unit: "hour" | "day"): Table<FinalCell> => ({
  name: `decision_${unit}`,
  columns: {
    workspace_id: ["uuid", (c) => c.workspaceId],
    bucket: ["timestamptz", (c) => c.bucket],
    agent_id: ["uuid", (c) => c.agentId],
    agent_name: ["text", (c) => c.agentName],
    tool_name: ["text", (c) => c.keys.toolName],
    source: ["text", (c) => c.keys.source],
    verdict: ["text", (c) => c.keys.verdict],
    count: ["int8", (c) => c.count],
  },
});
export const finalTables = { hour: tableOf("hour"), day: tableOf("day") };
