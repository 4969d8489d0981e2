/** The book of applied migrations, as `prisma migrate` keeps it, and the folder that they are read from. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";

export const MIGRATIONS = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

/** Held by whoever changes the book. Any number will do, as long as every node takes the same one. */
export const MIGRATION_LOCK = 7_361_900_420;

/** In `logs` of a migration that a roll back set aside: to the former release it was never applied, and its tables are there. */
export const SET_ASIDE = "set aside by quarterdeck upgrade rollback";

export const BOOK = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

export interface Book {
  /** Checksums by name. */
  readonly applied: ReadonlyMap<string, string>;
  readonly setAside: ReadonlyMap<string, string>;
}

export async function readBook(client: Client): Promise<Book> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; is_applied: boolean }>(
    `SELECT migration_name, checksum, rolled_back_at IS NULL AS is_applied FROM "_prisma_migrations"
     WHERE finished_at IS NOT NULL AND (rolled_back_at IS NULL OR logs = $1)`,
    [SET_ASIDE],
  );
  const those = (isApplied: boolean) =>
    new Map(rows.flatMap((row) => (row.is_applied === isApplied ? [[row.migration_name, row.checksum] as const] : [])));
  return { applied: those(true), setAside: those(false) };
}

/** Within the transaction that does what its `back.sql` says. `since` is -infinity where nobody knows when that was. */
export async function setAside(client: Client, name: string, since: "now" | "-infinity" = "now"): Promise<void> {
  await client.query(
    `UPDATE "_prisma_migrations" SET rolled_back_at = $3, logs = $2
     WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    [name, SET_ASIDE, since],
  );
}

/** Within the transaction that does what its `again.sql` says. */
export async function takeUpAgain(client: Client, name: string): Promise<void> {
  await client.query(
    `UPDATE "_prisma_migrations" SET rolled_back_at = NULL, logs = NULL WHERE migration_name = $1 AND logs = $2`,
    [name, SET_ASIDE],
  );
}

/** Null when the migration has no such file. */
export async function readMigrationFile(
  directory: string,
  name: string,
  file: "back.sql" | "again.sql",
): Promise<string | null> {
  return readFile(join(directory, name, file), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
