/** The database this installation uses: the embedded PostgreSQL, or the one DATABASE_URL names; migrated either way. */
import pg from "pg";
import { type Env, StartupError } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import { APPLICATION, admitApplication } from "./application-role.ts";
import { type EmbeddedState, embeddedUrl, startEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { checkSessions } from "./session-pooling-check.ts";

export interface RunningDatabase {
  /** For the application. */
  readonly url: string;
  /** For what changes tables or takes them whole: migrations, backups. */
  readonly ownerUrl: string;
  /** An external PostgreSQL always counts as running: its state is unknown without a query. */
  status(): EmbeddedState;
  stop(): Promise<void>;
}

export interface DatabaseLocation {
  /** The result of `prepareDataDirectory`, locked. */
  readonly dataDir: string;
  readonly socketDir: string;
  readonly onInitialise?: () => void;
  /** The number of other processes that share it; each takes a few connections. */
  readonly processes?: number;
  /** Leaves the database unchanged: the caller migrates its tables. */
  readonly isUnmigrated?: true;
}

const NAME = "quarterdeck";
const VERSION_MIN = 150_000;
/**
 * Connections of the console, the jobs, the scans and the command line; and of one gateway process, which has twelve.
 */
const CONNECTIONS = 80;
const CONNECTIONS_OF_ONE = 15;

/** The addresses that `startDatabase` will return, for processes that start at the same time. */
export function databaseAddresses(
  env: Pick<Env, "databaseUrl">,
  socketDir: string,
): Pick<RunningDatabase, "url" | "ownerUrl"> {
  const { databaseUrl } = env;
  if (databaseUrl !== undefined) return { url: databaseUrl, ownerUrl: databaseUrl };
  return { url: embeddedUrl(socketDir, NAME, APPLICATION), ownerUrl: embeddedUrl(socketDir, NAME) };
}

/** Returns once the database answers and has every migration. Errors: a `StartupError`. */
export async function startDatabase(
  env: Pick<Env, "databaseUrl"> & Partial<Pick<Env, "databaseReadUrl">>,
  log: Log,
  place: DatabaseLocation,
): Promise<RunningDatabase> {
  const isOwn = env.databaseUrl === undefined;
  requireReadable(env);
  const running = isOwn ? await startOwn(log, place) : await reachExternal(env.databaseUrl);
  if (place.isUnmigrated) return running;
  try {
    const applied = await migrate(running.ownerUrl);
    if (applied.length > 0) log.info({ applied }, "migrated the database");
    if (isOwn) await withClient(running.ownerUrl, admitApplication);
    else await withClient(running.url, (client) => warnOfBypass(client, log));
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function startOwn(log: Log, place: DatabaseLocation): Promise<RunningDatabase> {
  const { processes = 1 } = place;
  const settings = processes > 1 ? { max_connections: String(CONNECTIONS + processes * CONNECTIONS_OF_ONE) } : {};
  const postgres = await startEmbedded({ ...place, log, settings });
  try {
    await createIfMissing(postgres.url("postgres"), NAME);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const { socketDir } = place;
  return {
    ...databaseAddresses({ databaseUrl: undefined }, socketDir),
    status: () => postgres.state(),
    stop: () => postgres.stop(),
  };
}

async function createIfMissing(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
  });
}

/** Resolves when the address of a replica can be used. Errors: a `StartupError`, or those of the connection. */
export const checkReplica = (url: string): Promise<void> =>
  checkSessions((work) => withClient(url, work), "DATABASE_READ_URL");

function requireReadable({
  databaseUrl,
  databaseReadUrl,
}: Pick<Env, "databaseUrl"> & Partial<Pick<Env, "databaseReadUrl">>): void {
  if (databaseReadUrl === undefined) return;
  if (databaseUrl === undefined)
    throw new StartupError("DATABASE_READ_URL names a replica of the PostgreSQL that DATABASE_URL names: set both.");
  if (!isAddress(databaseReadUrl))
    throw new StartupError(
      "DATABASE_READ_URL must be a PostgreSQL address such as postgresql://user:password@host:5432/database.",
    );
}

const isAddress = (url: string): boolean => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);

async function reachExternal(url: string): Promise<RunningDatabase> {
  if (!isAddress(url)) {
    throw new StartupError(
      "DATABASE_URL must be a PostgreSQL address such as postgresql://user:password@host:5432/database.",
    );
  }
  const inWords = (error: unknown) => {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`DATABASE_URL does not work: ${complaint(error, new URL(url))}.`);
  };
  const version = await withClient(url, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    return rows[0]?.version ?? 0;
  }).catch(inWords);
  if (version < VERSION_MIN) {
    const major = Math.floor(version / 10_000);
    throw new StartupError(`DATABASE_URL names a PostgreSQL ${major}; Quarterdeck needs 15 or newer.`);
  }
  await checkSessions((work) => withClient(url, work)).catch(inWords);
  return { url, ownerUrl: url, status: () => ({ state: "running" }), stop: async () => undefined };
}

async function warnOfBypass(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ role: string }>(
    `SELECT rolname AS role FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)`,
  );
  for (const { role } of rows)
    log.warn({ role }, "the role of DATABASE_URL passes row-level security; run quarterdeck doctor for what to do");
}

/** The reason for a failed connection, in words that never contain the password. */
function complaint(error: unknown, url: URL): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const place = url.host || "the socket it names";
  switch (code) {
    case "ECONNREFUSED":
      return `nothing listens at ${place}`;
    case "ENOENT":
      return "there is no socket where it points";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host ${url.hostname} is unknown`;
    case "28P01":
    case "28000":
      return `${place} does not accept the user ${url.username || "it names"} with that password`;
    case "3D000":
      return `${place} has no database ${decodeURIComponent(url.pathname.slice(1))}; create it first`;
    default: {
      const message = error instanceof Error ? error.message : String(error);
      return /timeout/.test(message) ? `${place} does not answer` : message.replace(/\.$/, "");
    }
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  client.on("error", () => undefined); // the failing query reports it
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
