/** The table of applied migrations, in the format of `prisma migrate`, and the folder of the migrations. */
import { fileURLToPath } from "node:url";
import type { Client } from "pg";

export const MIGRATIONS = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

/** Held while the book changes. Any number will do, as long as every node uses the same one. */
export const MIGRATION_LOCK = 7_361_900_420;

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

/** The checksums of the applied migrations, by name. */
export async function readBook(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    `SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}
