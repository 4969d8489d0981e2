/**
 * The long parts of migrations, which run after the start while gates are answered. A migration leaves out the
 * statement that such a part replaces, so that neither a start nor a gate of another node waits for it. Each part runs
 * in steps; a killed process loses only its current step, and the next start continues after the last completed one. A
 * part is done when `upgrade_step` says so; running it again is harmless.
 */
import type { Client } from "pg";

export interface Backfill {
  readonly name: string;
  readonly migration: string;
  /** The omitted statement of the migration, as written there. */
  readonly replaces: string;
  /** Runs one step; true when nothing is left. */
  step(client: Client): Promise<boolean>;
}

/** Empty: the first release has no earlier data. */
export const BACKFILLS: readonly Backfill[] = [];

/**
 * The text of a migration without the statements that backfills run. Errors: such a statement is missing or was
 * changed.
 */
export function withoutBackfills(name: string, sql: string, backfills: readonly Backfill[]): string {
  return backfills
    .filter(({ migration }) => migration === name)
    .reduce((text, { replaces }) => {
      if (!text.includes(replaces)) throw new Error(`${name} does not hold the statement that a backfill replaces`);
      return text.replace(replaces, "");
    }, sql);
}

/** The backfills that are not done, in order. */
export async function pendingBackfills(client: Client, backfills: readonly Backfill[]): Promise<Backfill[]> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM upgrade_step WHERE finished_at IS NOT NULL");
  const finished = new Set(rows.map(({ name }) => name));
  return backfills.filter(({ name }) => !finished.has(name));
}

/** Runs the steps of each part until nothing is left or `signal` aborts. The caller holds the lock of backfills. */
export async function backfill(client: Client, parts: readonly Backfill[], signal: AbortSignal): Promise<void> {
  for (const { name, step } of parts) {
    await client.query("INSERT INTO upgrade_step (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
    for (let isDone = false; !isDone; ) {
      if (signal.aborted) return;
      isDone = await step(client);
    }
    await client.query("UPDATE upgrade_step SET finished_at = now(), position = NULL WHERE name = $1", [name]);
  }
}
