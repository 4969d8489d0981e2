/** Rows without readable facts: they cannot be rebuilt, so buckets and sessions with such rows are left out. */
import type { TextRow } from "../recording/index.ts";
import type { LogRow } from "./log-queries.ts";
import type { DayCheck } from "./schema.ts";
import { nameOf } from "./sessions.ts";

const UNITS = ["minute", "hour", "day"] as const;
const LENGTHS = { minute: 16, hour: 13, day: 10 } as const;

export type OlderRows = ReturnType<typeof createOlderRows>;

export function createOlderRows() {
  const buckets = { minute: new Set<string>(), hour: new Set<string>(), day: new Set<string>() };
  const sessions = new Set<string>();
  let rows = 0;
  return {
    add({ at, agent_id, session_id }: LogRow): void {
      rows += 1;
      sessions.add(nameOf(agent_id, session_id));
      for (const unit of UNITS) buckets[unit].add(at.slice(0, LENGTHS[unit]));
    },
    /** True for a row of this table, named for its unit, whose bucket holds such rows. */
    holds(table: string): (row: TextRow) => boolean {
      const unit = UNITS.find((one) => table.endsWith(`_${one}`)) ?? "day";
      return (row) => buckets[unit].has((row[0] ?? "").slice(0, LENGTHS[unit]));
    },
    hasSession: (agentId: string, sessionId: string): boolean => sessions.has(nameOf(agentId, sessionId)),
    counts: (): DayCheck["older"] => ({ rows, minutes: buckets.minute.size, hours: buckets.hour.size }),
  };
}
