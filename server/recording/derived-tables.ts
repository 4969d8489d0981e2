/**
 * The tables that can be rebuilt from the log, each with its key, its columns, and the rows that entries or sums
 * produce.
 */
import type { Sums } from "./batch.ts";
import { type FinalSums, finalTables } from "./final-sums.ts";
import { hookTables, listNotableHooks, outcomeTable } from "./hook-tables.ts";
import type { Table } from "./insert-rows.ts";
import { judgeCallTable, judgeTables } from "./judge-calls.ts";
import { revisionTables } from "./revision-sums.ts";
import { SHADOW_JUDGE_POSITION_MIN } from "./shadow-judge-calls.ts";
import { spendTables } from "./spend-sums.ts";
import {
  callTable,
  compactionTable,
  dayTable,
  decisionTable,
  hourTable,
  minuteTable,
  type ProjectedRecord,
  sessionTable,
} from "./tables.ts";

/** A row in PostgreSQL's own texts: the columns of the key, then the others. */
export type TextRow = readonly (string | null)[];

export interface DerivedTable<Source> {
  readonly name: string;
  /** Without `workspace_id`. The first column is the row's time; the others distinguish rows of one instant. */
  readonly key: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** SQL condition for the stored rows that can be compared. */
  readonly condition: string;
  /**
   * True if several stored rows share a key, because they differ by values that are not in the log. They are added up.
   */
  readonly isSummed: boolean;
  /** The row as seals add it up: every column that is not in the key is a count. */
  sealed(row: TextRow): TextRow;
  /** Computed on demand: a day has many sums. */
  rowsOf(source: Source): Iterable<TextRow>;
}

function derived<Source, Row>(
  table: Table<Row>,
  key: readonly string[],
  rowsOf: (source: Source) => readonly Row[],
  {
    words = [],
    condition = "true",
    isSummed = false,
    sealed = (row) => row,
  }: {
    words?: readonly string[];
    condition?: string;
    isSummed?: boolean;
    sealed?: (row: TextRow) => TextRow;
  } = {},
): DerivedTable<Source> {
  const others = Object.keys(table.columns).filter((name) => ![...key, ...words, "workspace_id"].includes(name));
  const columns = [...key, ...others].map((name) => {
    const [type, value] = table.columns[name] ?? missing(table.name, name);
    return { name, type, value };
  });
  return {
    name: table.name,
    key,
    columns: columns.map(({ name, type }) => ({ name, type })),
    condition,
    isSummed,
    sealed,
    *rowsOf(source) {
      for (const row of rowsOf(source)) yield columns.map(({ type, value }) => textOf(type, value(row)));
    },
  };
}

function missing(table: string, column: string): never {
  throw new Error(`${table} has no column ${column}`);
}

/** `value` as PostgreSQL writes a column of this type; instants as ISO text with microseconds. */
function textOf(type: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (type === "timestamptz") return instantText(String(value));
  return String(value);
}

/** Buckets are written without parts of a second, instants with milliseconds. */
const instantText = (iso: string): string =>
  iso.length === 20 ? iso.replace("Z", ".000000Z") : new Date(iso).toISOString().replace("Z", "000Z");

const DISPATCH = ["occurred_at", "dispatch_id"] as const;
const PLACED = [...DISPATCH, "place"] as const;

/** A row or several for a dispatch. */
export const rowTables: readonly DerivedTable<readonly ProjectedRecord[]>[] = [
  derived(
    decisionTable,
    DISPATCH,
    (entries: readonly ProjectedRecord[]) => entries.filter((e) => e.projection.decision),
    {
      words: ["reason", "excerpt"],
    },
  ),
  derived(callTable, DISPATCH, (entries: readonly ProjectedRecord[]) => entries.filter((e) => e.projection.call)),
  derived(
    compactionTable,
    DISPATCH,
    (entries: readonly ProjectedRecord[]) => entries.filter((e) => e.projection.compaction),
    {
      words: ["effect_text", "summary"],
    },
  ),
  derived(
    judgeCallTable,
    PLACED,
    (entries: readonly ProjectedRecord[]) =>
      entries.flatMap((entry) => entry.judges.map((judge) => ({ entry, judge }))),
    { condition: `place < ${SHADOW_JUDGE_POSITION_MIN}` },
  ),
  derived(outcomeTable, PLACED, listNotableHooks),
];

const CELL = ["bucket", "agent_id", "agent_name", "model_id"] as const;
const SPEND = [...CELL, "principal_id"] as const;
const JUDGE = ["bucket", "policy", "hook", "model", "cause"] as const;
const HOOK = ["bucket", "policy", "event", "hook", "outcome", "latency"] as const;
const REVISION = [...HOOK, "slot"] as const;
const FINAL = ["bucket", "agent_id", "agent_name", "tool_name", "source", "verdict"] as const;
/** A later arrival can move runs between slots and from a revision to the earlier ones, so a seal has their sum only. */
const WITHOUT_REVISION = {
  sealed: (row: TextRow): TextRow => {
    const [count, earlier] = row.slice(-2);
    return [...row.slice(0, HOOK.length), "0", "0", String(BigInt(count ?? 0) + BigInt(earlier ?? 0)), "0"];
  },
};
export type AllSums = Sums & { readonly finals: FinalSums };

export const sumTables: readonly DerivedTable<AllSums>[] = [
  derived(minuteTable, CELL, (sums: AllSums) => sums.minutes),
  derived(hourTable, CELL, (sums: AllSums) => sums.hours),
  derived(dayTable, CELL, (sums: AllSums) => sums.days),
  derived(spendTables.minute, SPEND, (sums: AllSums) => sums.spend.minutes),
  derived(spendTables.hour, SPEND, (sums: AllSums) => sums.spend.hours),
  derived(spendTables.day, SPEND, (sums: AllSums) => sums.spend.days),
  derived(judgeTables.minute, JUDGE, (sums: AllSums) => sums.judges.minutes),
  derived(judgeTables.hour, JUDGE, (sums: AllSums) => sums.judges.hours),
  derived(judgeTables.day, JUDGE, (sums: AllSums) => sums.judges.days),
  derived(hookTables.hour, HOOK, (sums: AllSums) => sums.hooks.hours),
  derived(hookTables.day, HOOK, (sums: AllSums) => sums.hooks.days),
  derived(revisionTables.hour, REVISION, (sums: AllSums) => sums.revisions.hours, WITHOUT_REVISION),
  derived(revisionTables.day, REVISION, (sums: AllSums) => sums.revisions.days, WITHOUT_REVISION),
  derived(finalTables.hour, FINAL, (sums: AllSums) => sums.finals.hours, { isSummed: true }),
  derived(finalTables.day, FINAL, (sums: AllSums) => sums.finals.days, { isSummed: true }),
];

export const sessionsTable: DerivedTable<Sums["sessions"]> = derived(
  sessionTable,
  ["agent_id", "session_id"],
  (sessions: Sums["sessions"]) => sessions,
);
