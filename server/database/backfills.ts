/**
 * The long parts of migrations, made after the start while gates are answered. A migration leaves out the statement that such a
 * part replaces, so that neither a start nor a gate of another node waits for it. Each part is taken in steps; a killed process
 * loses the step under way, and the next start goes on after the last one. A part is done when `upgrade_step` says so, and doing
 * it again does no harm.
 */
import type { Client } from "pg";

export interface Backfill {
  readonly name: string;
  readonly migration: string;
  /** The statement of the migration that is left out, as it is written there. */
  readonly replaces: string;
  /** Takes one step; true when nothing is left. */
  step(client: Client): Promise<boolean>;
}

/** Empty: the first release has no earlier data. */
export const BACKFILLS: readonly Backfill[] = [];

/** The text of a migration without what a backfill makes. Errors: the statement is not there as it was. */
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

/** Takes the steps of each part until nothing is left or `signal` aborts. The caller holds the lock of backfills. */
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
