/**
 * Applies prisma/migrations: in order, once, each in its own transaction, by one process at a time. It keeps the same
 * table as `prisma migrate`, so that `prisma migrate status` agrees.
 */
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg, { type Client } from "pg";
import { StartupError } from "../platform/env.ts";
import { BACKFILLS, withoutBackfills } from "./backfills.ts";
import { BOOK, MIGRATION_LOCK, MIGRATIONS, readBook } from "./migration-book.ts";

const LOCK_WAIT_MS = 60_000;
/** For a table that others read or write. */
const TABLE_WAIT_MS = 2_000;
const TRY_PAUSE_MS = 500;
/** About five minutes. */
const TRIES_MAX = 120;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Returns the names of the migrations applied now. With `only`, the others are left for later: a backup is restored
 * into the tables it was written from, even if newer migrations exist.
 *
 * Errors: a `StartupError` when the database holds a migration that this version does not know, when an applied one was
 * edited since, or when one fails; the database is then as it was after the last successful one.
 */
export async function migrate(
  url: string,
  directory: string = MIGRATIONS,
  only?: ReadonlySet<string>,
  backfills = BACKFILLS,
): Promise<string[]> {
  const wanted = await readMigrations(directory);
  const client = new pg.Client({
    connectionString: url,
    application_name: "quarterdeck migrate",
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => undefined); // a query reports a lost connection
  await client.connect();
  try {
    await client.query(`SET statement_timeout = ${LOCK_WAIT_MS}`);
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query("SET statement_timeout = 0");
    // Under row-level security, a migration needs the scope of all workspaces.
    await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
    await client.query(BOOK);
    const applied = await readBook(client);
    checkHistory(wanted, applied);
    const isAsked = ({ name }: Migration) => only === undefined || only.has(name);
    const pending = wanted.filter((migration) => !applied.has(migration.name) && isAsked(migration));
    for (const { name, sql, checksum } of pending)
      await applyPatiently(client, { name, sql: withoutBackfills(name, sql, backfills), checksum });
    return pending.map((migration) => migration.name);
  } finally {
    await client.end().catch(() => undefined); // the advisory lock ends with the session
  }
}

/** Every migration of this version, in order. */
export async function readMigrations(directory: string = MIGRATIONS): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(directory, name, "migration.sql"));
      return { name, sql: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}

function checkHistory(wanted: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const known = new Map(wanted.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = known.get(name);
    if (migration === undefined) {
      throw new StartupError(
        `The database was written by a newer Quarterdeck (it has the migration ${name}, which this version does not know). Start that version, or use another database.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new StartupError(
        `The migration ${name} was edited after this database applied it. Restore prisma/migrations/${name}/migration.sql and write the change as a new migration.`,
      );
    }
  }
}

/**
 * A migration may need a lock that a reader holds, and all later queries queue behind it. So it gives up after two
 * seconds and tries again once the others have run.
 */
async function applyPatiently(client: Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    if (await apply(client, migration)) return;
    if (tries === TRIES_MAX)
      throw new StartupError(
        `The migration ${migration.name} could not lock its tables for ${TRIES_MAX} times. End what has read them for so long, and start again.`,
      );
    await delay(TRY_PAUSE_MS);
  }
}

/** False when other transactions held the tables that it needs; then nothing was changed. */
async function apply(client: Client, { name, sql, checksum }: Migration): Promise<boolean> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
    await client.query(sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
    return true;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (error instanceof pg.DatabaseError && error.code === "55P03") return false;
    const isDiskFull = error instanceof pg.DatabaseError && error.code === "53100";
    const why = isDiskFull ? "the disk is full" : error instanceof Error ? error.message : String(error);
    throw new StartupError(`The migration ${name} failed and was undone: ${why}.`);
  }
}
