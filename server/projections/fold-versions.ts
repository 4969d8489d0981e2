/**
 * The version of the rule that computes each derived table's rows from log rows. A change of a rule's result for
 * recorded rows must increase it. Stored rows of that table from before then count as "of an older rule", not as
 * altered.
 */
import type { Pool } from "../platform/db.ts";
import {
  DECISION_RULE_VERSION,
  HOOK_RULE_VERSION,
  REVISION_RULE_VERSION,
  ROLLUP_RULE_VERSION,
  rowTables,
  sessionsTable,
  sumTables,
} from "../recording/index.ts";
import type { Snapshot } from "./repository.ts";

const FIRST = 1;
/** Tables whose rule has changed since the first version. */
const VERSIONS: Readonly<Partial<Record<string, number>>> = {
  tool_decision: DECISION_RULE_VERSION,
  rollup_minute: ROLLUP_RULE_VERSION,
  rollup_hour: ROLLUP_RULE_VERSION,
  rollup_day: ROLLUP_RULE_VERSION,
  hook_hour: HOOK_RULE_VERSION,
  hook_day: HOOK_RULE_VERSION,
  hook_revision_hour: REVISION_RULE_VERSION,
  hook_revision_day: REVISION_RULE_VERSION,
};

export const DERIVED_TABLES: readonly string[] = [...rowTables, ...sumTables, sessionsTable].map(({ name }) => name);

export const foldVersionOf = (table: string): number => VERSIONS[table] ?? FIRST;

/** Stores, when the projector starts, that the present rules compute the rows from now on. */
export async function noteFoldVersions(pool: Pool, versions = VERSIONS): Promise<void> {
  const changed = DERIVED_TABLES.filter((table) => (versions[table] ?? FIRST) > FIRST);
  await pool.query(
    `INSERT INTO projection_fold (table_name, version) SELECT * FROM unnest($1::text[], $2::int[]) ON CONFLICT DO NOTHING`,
    [changed, changed.map((table) => versions[table])],
  );
}

/** For each table whose present rule is not as old as the table: since when, in milliseconds. */
export async function findFoldChanges(reader: Snapshot): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ name: string; since: Date }>(
    `SELECT table_name AS name, since FROM projection_fold
     JOIN unnest($1::text[], $2::int[]) AS present (name, number) ON name = table_name AND number = version`,
    [DERIVED_TABLES, DERIVED_TABLES.map(foldVersionOf)],
  );
  return new Map(rows.map(({ name, since }) => [name, since.getTime()]));
}

export const OLDER_RULE = "of an older rule than the present one, and not rebuilt";
