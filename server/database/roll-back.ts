/**
 * The way back to the release before this one. Its migrations only add to the schema, which the former release can work on: they
 * are set aside in the book, so that it starts, and what it needs besides is done (`back.sql` beside a migration). The next start
 * of this release takes them up again (migrate.ts), with what the former one did not know of (`again.sql`).
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg, { type Client } from "pg";
import { StartupError } from "../platform/env.ts";
import { MIGRATION_LOCK, MIGRATIONS, readMigrationFile, setAside } from "./migration-book.ts";

/** The newest migration of the release that can be gone back to, which is commit 66edbaa. */
export const FORMER_RELEASE = "20261122120610_alerts";
/** The first words of a migration that takes something away: behind it there is no way back. */
const CONTRACTS = "-- Contract:";

/**
 * The migrations that were set aside, the newest first; all of them or none. Nobody else may work on the database.
 *
 * Errors: a `StartupError` with the reason.
 */
export async function rollBackUpgrade(url: string, directory: string = MIGRATIONS): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: "quarterdeck rollback" });
  client.on("error", () => undefined); // a lost connection is reported by the query that meets it
  await client.connect();
  try {
    await requireNobody(client);
    await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
    await client.query("BEGIN");
    const names = await listNewer(client);
    for (const name of names) await undo(client, name, directory);
    await client.query("COMMIT");
    return names;
  } finally {
    await client.end().catch(() => undefined); // what is not committed is undone
  }
}

async function requireNobody(client: Client): Promise<void> {
  const { rows: locked } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [
    MIGRATION_LOCK,
  ]);
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND application_name LIKE 'quarterdeck%'`,
  );
  if (locked[0]?.mine !== true || rowCount !== 0)
    throw new StartupError("A server works on this database. Stop every node first.");
}

async function listNewer(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     AND migration_name >= $1 ORDER BY migration_name DESC`,
    [FORMER_RELEASE],
  );
  const names = rows.map(({ name }) => name);
  if (names.pop() !== FORMER_RELEASE)
    throw new StartupError("This database is from before the release that this one goes back to.");
  if (names.length === 0) throw new StartupError("This database is as the former release left it. Nothing was done.");
  return names;
}

async function undo(client: Client, name: string, directory: string): Promise<void> {
  const sql = await readFile(join(directory, name, "migration.sql"), "utf8");
  if (sql.startsWith(CONTRACTS))
    throw new StartupError(`The migration ${name} took away what the former release needs: there is no way back.`);
  const back = await readMigrationFile(directory, name, "back.sql");
  if (back !== null)
    await client.query(back).catch((error: Error) => {
      throw new StartupError(`The migration ${name} cannot be set aside: ${error.message}. Nothing was done.`);
    });
  await setAside(client, name);
}
