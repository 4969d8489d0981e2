/**
 * The supervisor that `npm start` runs. It starts the database, then a process for each role (gateway, console, jobs with scans).
 * It restarts each process separately when it dies, and stops all of them at the end. It does none of their work, because it must
 * pass connections to the gateway without delay.
 *
 * --role gateway|console|jobs   only this role, with the shared PostgreSQL of DATABASE_URL
 * --demo, --dev                 as for `npm start`
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startBackfill } from "./database/background-backfill.ts";
import {
  lockDataDirectory,
  prepareDataDirectory,
  prepareSocketDirectory,
  requireFinishedRestore,
} from "./database/data-directory.ts";
import { databaseAddresses, type RunningDatabase, startDatabase } from "./database/index.ts";
import { checkPort } from "./gateway/check-port.ts";
import { type Env, env as readEnv, StartupError } from "./platform/env.ts";
import { log as processLog } from "./platform/log.ts";
import { answerNodeState, type ProcessKind, ROLES, type Role } from "./platform/node-state.ts";
import { openSecrets } from "./platform/secrets.ts";

import { startRoles } from "./processes/roles.ts";

/** The time for a process to finish its requests, flush its writes and close its connections. */
const ROLE_END_MS = 7_000;
const SHUTDOWN_MS_MAX = 12_000;
const programOf = (path: string) => fileURLToPath(path);
const ENTRIES: Readonly<Record<ProcessKind, string>> = {
  gateway: programOf(new URL("./gateway-process.ts", import.meta.url).href),
  console: programOf(new URL("./console-process.ts", import.meta.url).href),
  jobs: programOf(new URL("./jobs-process.ts", import.meta.url).href),
  scans: programOf(new URL("./scans-process.ts", import.meta.url).href),
};

const log = processLog();
/** The started parts, to be stopped in reverse order. */
const started: { readonly name: string; stop(): unknown }[] = [];

async function start(): Promise<void> {
  const env = readEnv();
  const only = roleOf(env);
  if (only !== "jobs") await checkPort(env);
  const dataDir = await prepareDataDirectory(env.dataDir);
  started.push({ name: "lock", stop: await lockDataDirectory(dataDir) });
  await requireFinishedRestore(dataDir);
  const socketDir = await prepareSocketDirectory(dataDir);
  // Created here once, before several processes look for them.
  await openSecrets(dataDir, env);

  // Starts everything at once: PostgreSQL takes about as long as loading the processes.
  const onInitialise = () => tell("creating the database");
  const database = startDatabase(env, log, { dataDir, socketDir, onInitialise, processes: env.workers });
  started.push({ name: "PostgreSQL", stop: async () => (await database.catch(() => null))?.stop() });
  let postgres: RunningDatabase | undefined;
  const roles = startRoles({
    ...planOf(only, join(socketDir, "console.sock")),
    gateways: env.workers,
    entries: ENTRIES,
    environment: {
      DATABASE_URL: databaseAddresses(env, socketDir).url,
      QUARTERDECK_DATA_DIR: dataDir,
      GATEWAY_WORKERS: String(env.workers),
      NODE_ENV: process.argv.includes("--dev") ? "development" : "production",
      NEXT_TELEMETRY_DISABLED: "1",
    },
    database,
    log,
  });
  started.push({ name: "processes", stop: () => roles.end(ROLE_END_MS) });
  answerNodeState(roles.exchange, () => ({ database: postgres ? stateOf(postgres) : null, roles: roles.state() }));
  postgres = await database;
  const ready = await roles.ready;
  const port = z.object({ port: z.number() }).safeParse(ready.gateway?.[0]).data?.port;
  const { host } = env;
  if (port !== undefined) tell(`ready at http://${host.includes(":") ? `[${host}]` : host}:${port}`);
  else tell("the jobs are at work");
  const linkToken = z.object({ linkToken: z.string() }).safeParse(ready.jobs?.[0]).data?.linkToken;
  if (linkToken !== undefined) tell(`sign in once at ${env.url}/sign-in?token=${linkToken}`);
  process.send?.("ready");
  // The slow part of an upgrade runs now, while the server answers requests.
  const backfill = startBackfill(postgres.ownerUrl, log);
  started.push({ name: "the upgrade", stop: () => backfill.stop() });
}

/** The role in `--role`; null for all roles. Errors: a `StartupError`. */
function roleOf({ databaseUrl }: Pick<Env, "databaseUrl">): Role | null {
  const { role: named } = parseArgs({ options: { role: { type: "string" } }, strict: false }).values;
  if (named === undefined) return null;
  const role = ROLES.find((one) => one === named);
  if (role === undefined) throw new StartupError(`--role must be one of ${ROLES.join(", ")}.`);
  if (databaseUrl === undefined)
    throw new StartupError("One role alone needs the PostgreSQL that the others use: set DATABASE_URL.");
  return role;
}

/** The processes to start. The console has no port of its own: a gateway that answers no agents is in front of it. */
function planOf(only: Role | null, consoleSocket: string) {
  const flags = process.argv.slice(2).filter((flag) => flag === "--dev" || flag === "--demo");
  switch (only) {
    case null:
      return { roles: ["jobs", "scans", "console", "gateway"] as const, consoleSocket, flags };
    case "console":
      return { roles: ["console", "gateway"] as const, consoleSocket, flags: [...flags, "--front"] };
    case "jobs":
      return { roles: ["jobs", "scans"] as const, consoleSocket: "", flags };
    case "gateway":
      return { roles: [only], consoleSocket: "", flags };
  }
}

/** The error of our own database, in its own words; null if it runs. */
function stateOf(postgres: RunningDatabase): string | null {
  const status = postgres.status();
  return status.state === "running" ? null : status.says;
}

let stopping: Promise<number> | undefined;

/** Stops everything, last started first. Resolves to the exit code. A second call joins the first. */
function stop(code: number): Promise<number> {
  stopping ??= (async () => {
    const limit = setTimeout(() => {
      log.error("the shutdown took too long and was cut short");
      process.exit(1);
    }, SHUTDOWN_MS_MAX);
    let exitCode = code;
    for (const { name, stop: stopIt } of started.reverse()) {
      try {
        await stopIt();
      } catch (error) {
        exitCode ||= 1;
        log.error({ err: error }, `${name} did not stop cleanly`);
      }
    }
    clearTimeout(limit);
    return exitCode;
  })();
  return stopping;
}

async function stopAndExit(code: number): Promise<void> {
  process.exit(await stop(code));
}

function tell(sentence: string): void {
  console.log(`quarterdeck: ${sentence}`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stopAndExit(0));
// The parent process (npm start) is gone, perhaps by kill -9, so no signal will follow.
process.on("disconnect", () => void stopAndExit(0));
process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "an error nobody caught");
  void stopAndExit(1);
});

try {
  await start();
} catch (error) {
  // A half-started part fails when it is stopped, which is expected.
  if (stopping !== undefined) await stopping;
  else if (error instanceof StartupError) console.error(`quarterdeck: ${error.message}`);
  else if (isFullDisk(error)) console.error("quarterdeck: The disk is full. Free some space and start again.");
  else log.fatal({ err: error }, "the start failed");
  await stopAndExit(1);
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT", "53100"].includes(String(error.code)); // the last is PostgreSQL's
}
