/**
 * The supervisor that `npm start` runs: database, pages, what a node does once (first run, record keeping, demo) and the public
 * port, in this order, and down again in the other. It answers requests itself, unless GATEWAY_WORKERS asks for several
 * processes: then it hands them the connections.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  lockDataDirectory,
  prepareDataDirectory,
  prepareSocketDirectory,
  requireFinishedRestore,
} from "./database/data-directory.ts";
import { databaseAddresses, type RunningDatabase, startDatabase } from "./database/service.ts";
import { startPages } from "./gateway/pages.ts";
import { checkPort } from "./gateway/start.ts";
import { startWorkers } from "./gateway/workers.ts";
import { isContained } from "./hooks/index.ts";
import { env as readEnv, StartupError } from "./platform/env.ts";
import { log as processLog } from "./platform/log.ts";
import { tellNodeState } from "./platform/node-state.ts";
import { inWorkspace } from "./platform/scope.ts";
import { openSecrets } from "./platform/secrets.ts";
import { alone, createExchange, type Exchange } from "./platform/siblings.ts";
import type { Place, Services } from "./serving.ts";

/** Requests under way get this long to finish; the whole shutdown may take twice as long. */
const DRAIN_MS = 5_000;
/** A worker also writes what waits and closes its connections. */
const WORKERS_DRAIN_MS = DRAIN_MS + 2_000;
const SHUTDOWN_MS_MAX = 10_000;
const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

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
  await requireFinishedRestore(dataDir);
  const socketDir = await prepareSocketDirectory(dataDir);
  const secrets = await openSecrets(dataDir, env);

  // The pages and PostgreSQL are processes of their own: they start while this one loads the rest of itself.
  const pagesSocket = join(socketDir, "pages.sock");
  const environment = { DATABASE_URL: databaseAddresses(env, socketDir).url, QUARTERDECK_DATA_DIR: dataDir };
  const pages = startPages({ socketPath: pagesSocket, development, log, environment });
  started.push({ name: "pages", stop: () => pages.stop() });
  const onInitialise = () => tell("creating the database");
  const [postgres, parts] = await Promise.all([
    startDatabase(env, log, { dataDir, socketDir, onInitialise, processes: env.workers }).then((running) => {
      started.push({ name: "PostgreSQL", stop: () => running.stop() });
      return running;
    }),
    loadParts(),
  ]);
  const { reachDatabase, startServices, openGateway, ensureFirstRun, startDemo } = parts;
  const databaseUrl = postgres.url;
  const exchange = env.workers > 1 ? createExchange(env.workers) : null;
  const place: Place = { env, databaseUrl, dataDir, secrets, log, siblings: exchange ?? alone() };
  const database = reachDatabase(place);
  started.push({ name: "connections", stop: () => database.close() });

  const { workspaceId, linkToken } = await ensureFirstRun(database);
  const services = await startServices(place, database);
  const { running } = services;
  started.push({ name: "services", stop: () => running.close() });
  await running.raiseSequences();

  await pages.ready;
  const checks = { database: () => stateOf(postgres) ?? database.pool.query("SELECT 1").then(() => null) };
  const opening = { draining: draining.signal, pagesSocket, development, checks };
  const gateway = await (exchange
    ? startPool(place, services, postgres, exchange, { pagesSocket, environment })
    : openGateway(place, services, opening));
  started.push({ name: "gateway", stop: () => gateway.drain(exchange ? WORKERS_DRAIN_MS : DRAIN_MS) });
  // What a node does once, however many processes answer.
  running.app.record.start();
  running.app.webhooks.start();
  running.app.alerts.start();
  running.app.looking.start();
  running.joining.start();
  if (process.argv.includes("--demo")) {
    const demo = inWorkspace(workspaceId, () => startDemo(running.app, workspaceId));
    started.push({ name: "demo", stop: () => demo.stop() });
  }
  const { host } = env;
  tell(`ready at http://${host.includes(":") ? `[${host}]` : host}:${gateway.port}`);
  if (linkToken !== null) tell(`sign in once at ${env.url}/sign-in?token=${linkToken}`);
  process.send?.("ready");
}

/** The larger part of the program. Loading it takes a second, in which PostgreSQL and the pages can start. */
async function loadParts() {
  const [serving, people, demo] = await Promise.all([
    import("./serving.ts"),
    import("./people/service.ts"),
    import("./demo/service.ts"),
  ]);
  return { ...serving, ...people, ...demo };
}

/** Several processes that answer. This one keeps its services, for what a node does once, and tells the others how things stand. */
async function startPool(
  { env }: Place,
  { running, metrics }: Services,
  postgres: RunningDatabase,
  exchange: Exchange,
  { pagesSocket, environment }: { pagesSocket: string; environment: Readonly<Record<string, string>> },
) {
  const workers = await startWorkers({
    count: env.workers,
    entry: WORKER,
    args: [pagesSocket, ...(development ? ["--dev"] : [])],
    environment,
    exchange,
    log,
  });
  metrics.watch(() => ({
    telemetryDropped: running.app.telemetry?.state().dropped ?? 0,
    recordsWaiting: running.recorder.waiting,
    requestsUnderWay: 0,
    hooksRunning: running.spawner.load.running,
    hooksWaiting: running.spawner.load.waiting,
    isSandboxed: isContained(running.app.confinement),
  }));
  metrics.watchWorkers(() => workers.state());
  tellNodeState(exchange, () => ({ database: stateOf(postgres), workers: workers.state() }));
  return workers;
}

/** What is wrong with a database of our own, as it says itself. */
function stateOf(postgres: RunningDatabase): string | null {
  const status = postgres.status();
  return status.state === "running" ? null : status.says;
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
