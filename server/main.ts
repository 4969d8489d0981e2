/**
 * The supervisor that `npm start` runs, and the gateway's process: database, pages and public port, in this order,
 * and down again in the other.
 */
import { join, resolve } from "node:path";
import type { RunningApp } from "./app.ts";
import { lockDataDirectory, prepareDataDirectory, prepareSocketDirectory } from "./database/data-directory.ts";
import { databaseAddresses, type RunningDatabase, startDatabase } from "./database/service.ts";
import type { ReadinessCheck } from "./gateway/health.ts";
import { startPages } from "./gateway/pages.ts";
import { checkPort, startGateway } from "./gateway/start.ts";
import type { Database } from "./platform/db.ts";
import { env as readEnv, StartupError } from "./platform/env.ts";
import { log as processLog } from "./platform/log.ts";
import { inWorkspace } from "./platform/scope.ts";
import { openSecrets } from "./platform/secrets.ts";

/** Requests under way get this long to finish; the whole shutdown may take twice as long. */
const DRAIN_MS = 5_000;
const SHUTDOWN_MS_MAX = 10_000;

const development = process.argv.includes("--dev");
const log = processLog();
/** Aborted when the shutdown begins: event streams and long polls end themselves then. */
const draining = new AbortController();
/** What was started, to be stopped in the opposite order. */
const started: { readonly name: string; stop(): unknown }[] = [];

async function start(): Promise<void> {
  const env = readEnv();
  await checkPort(env);
  const dataDir = await prepareDataDirectory(env.dataDir);
  started.push({ name: "lock", stop: await lockDataDirectory(dataDir) });
  const socketDir = await prepareSocketDirectory(dataDir);
  const secrets = await openSecrets(dataDir, env);

  // The pages and PostgreSQL are processes of their own: they start while this one loads the rest of itself.
  const pagesSocket = join(socketDir, "pages.sock");
  const environment = { DATABASE_URL: databaseAddresses(env, socketDir).url, QUARTERDECK_DATA_DIR: dataDir };
  const pages = startPages({ socketPath: pagesSocket, development, log, environment });
  started.push({ name: "pages", stop: () => pages.stop() });
  const onInitialise = () => tell("creating the database");
  const [postgres, parts] = await Promise.all([
    startDatabase(env, log, { dataDir, socketDir, onInitialise }).then((running) => {
      started.push({ name: "PostgreSQL", stop: () => running.stop() });
      return running;
    }),
    loadParts(),
  ]);
  const { openDatabase, startApp, createMetrics, createRoutes, ensureFirstRun, startDemo } = parts;
  const database = openDatabase(postgres.url, {
    onConnectionError: (err) => log.warn({ err }, "a database connection broke"),
  });
  started.push({ name: "connections", stop: () => database.close() });

  const { workspaceId, linkToken } = await ensureFirstRun(database);
  const metrics = createMetrics();
  const databaseUrl = postgres.url;
  const running = await startApp({
    db: database,
    databaseUrl,
    dataDir,
    log,
    secrets,
    url: env.url,
    privateModels: env.privateModels,
    privateWebhooks: env.privateWebhooks,
    privateSignOn: env.privateSignOn,
    trustedProxies: env.trustedProxies,
    ...(env.checkpointDir === undefined ? {} : { checkpointDir: resolve(env.checkpointDir) }),
    host: env.host,
    given: {
      QUARTERDECK_TOKEN: env.token,
      QUARTERDECK_SESSION_SECRET: env.sessionSecret,
      QUARTERDECK_CREDENTIAL_KEY: env.credentialKey,
    },
    observer: metrics,
  });
  started.push({ name: "services", stop: () => running.close() });
  const checks = readiness(database, postgres, running);
  const routes = createRoutes({ app: running.app, metrics, checks, draining: draining.signal });
  metrics.watch(() => ({
    recordsWaiting: running.recorder.waiting,
    requestsUnderWay: routes.underWay(),
    hooksRunning: running.spawner.load.running,
    hooksWaiting: running.spawner.load.waiting,
    sandbox: running.app.sandbox,
  }));

  await pages.ready;
  const { host, port } = env;
  const gateway = await startGateway({ host, port, log, routes: routes.handler, pagesSocket, development });
  started.push({ name: "gateway", stop: () => gateway.drain(DRAIN_MS) });
  running.app.record.start();
  if (process.argv.includes("--demo")) {
    const demo = inWorkspace(workspaceId, () => startDemo(running.app, workspaceId));
    started.push({ name: "demo", stop: () => demo.stop() });
  }
  tell(`ready at http://${host.includes(":") ? `[${host}]` : host}:${gateway.port}`);
  if (linkToken !== null) tell(`sign in once at ${env.url}/sign-in?token=${linkToken}`);
  process.send?.("ready");
}

/** The larger part of the program. Loading it takes a second, in which PostgreSQL and the pages can start. */
async function loadParts() {
  const [db, app, metrics, routes, people, demo] = await Promise.all([
    import("./platform/db.ts"),
    import("./app.ts"),
    import("./gateway/metrics.ts"),
    import("./gateway/routes.ts"),
    import("./people/service.ts"),
    import("./demo/service.ts"),
  ]);
  return { ...db, ...app, ...metrics, ...routes, ...people, ...demo };
}

function readiness(
  database: Database,
  postgres: RunningDatabase,
  { spawner }: RunningApp,
): Record<string, ReadinessCheck> {
  return {
    async database() {
      const status = postgres.status();
      if (status.state !== "running") return status.says;
      await database.pool.query("SELECT 1");
      return null;
    },
    spawner: () => (spawner.pid === undefined ? "The process that starts hook commands is being restarted." : null),
  };
}

let stopping: Promise<number> | undefined;

/** Everything down, last started first. Resolves to the exit code; a second call joins the first. */
function stop(code: number): Promise<number> {
  stopping ??= (async () => {
    draining.abort();
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
// npm start's own process is gone, even by kill -9: nobody is left to stop us.
process.on("disconnect", () => void stopAndExit(0));
process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "an error nobody caught");
  void stopAndExit(1);
});

try {
  await start();
} catch (error) {
  // What was half started fails when it is told to stop; that is no news.
  if (stopping !== undefined) await stopping;
  else if (error instanceof StartupError) console.error(`quarterdeck: ${error.message}`);
  else if (isFullDisk(error)) console.error("quarterdeck: The disk is full. Free some space and start again.");
  else log.fatal({ err: error }, "the start failed");
  await stopAndExit(1);
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT", "53100"].includes(String(error.code)); // the last is PostgreSQL's
}
