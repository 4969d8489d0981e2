/**
 * The common part of a node's processes: their paths, their database connection, and the services of those that answer
 * requests.
 */
import { setPriority } from "node:os";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isContained } from "@quarterdeck/hooks";
import { checkReplica, prepareDataDirectory } from "../database/index.ts";
import { asAppError } from "../errors/app-error.ts";
import { type Database, type DatabaseOptions, openDatabase, openPool, type Pool, withReplica } from "../platform/db.ts";
import { type Env, env as readEnv, StartupError } from "../platform/env.ts";
import { type Log, log as processLog } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import { openSecrets, type Secrets } from "../platform/secrets.ts";
import { databaseSocketDirs } from "../platform/socket-dir.ts";
import { oneOfWorkers, type WorkerRpc } from "../platform/worker-rpc.ts";
import type { RoleProcess } from "../processes/index.ts";
import { rememberWrites } from "../processes/index.ts";
import { findLongestLag } from "../projectors/index.ts";
import { findProgress } from "../streams/index.ts";
import { type AppObserver, type AppOptions, type RunningApp, startApp } from "./app.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

export interface ProcessInfo {
  readonly env: Env;
  readonly databaseUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly workerRpc: WorkerRpc;
}

export interface Services {
  readonly running: RunningApp;
  readonly metrics: Metrics;
  readonly database: Database;
}

/** The place of a process that the supervisor started; `workers` of them do the same. */
export async function readProcessInfo(role: RoleProcess, workers = 1): Promise<ProcessInfo> {
  const env = readEnv();
  const { databaseUrl } = env;
  if (databaseUrl === undefined) throw new StartupError("A process of a role is started by its supervisor alone.");
  const dataDir = await prepareDataDirectory(env.dataDir);
  const secrets = await openSecrets(dataDir, env);
  return { env, databaseUrl, dataDir, secrets, log: processLog(), workerRpc: oneOfWorkers(role.line, workers) };
}

/**
 * `priority` applies to the process and, with the embedded PostgreSQL, to its backend processes; a gate's when absent.
 */
export function reachDatabase(
  { databaseUrl, dataDir, log }: Pick<ProcessInfo, "databaseUrl" | "dataDir" | "log">,
  {
    priority,
    ...options
  }: Pick<DatabaseOptions, "connectionsMax" | "waitingMax" | "isPlannedOnce"> & { readonly priority?: number },
): Database {
  if (priority !== undefined) setPriority(priority);
  const giving = backendPriority({ databaseUrl, dataDir }, priority);
  return openDatabase(databaseUrl, { ...options, ...giving, onConnectionError: onConnectionError(log) });
}

/** Connections alone, with a priority of PostgreSQL's processes for them that is not this process's own. */
export function reachPool(
  { databaseUrl, dataDir, log }: Pick<ProcessInfo, "databaseUrl" | "dataDir" | "log">,
  { priority, ...options }: Pick<DatabaseOptions, "connectionsMax" | "waitingMax"> & { readonly priority: number },
): Pool {
  const giving = backendPriority({ databaseUrl, dataDir }, priority);
  return openPool(databaseUrl, { ...options, ...giving, onConnectionError: onConnectionError(log) });
}

/** Processes of a PostgreSQL that is not ours have no number that means anything here. */
function backendPriority({ databaseUrl, dataDir }: Pick<ProcessInfo, "databaseUrl" | "dataDir">, priority?: number) {
  const isOurs = databaseSocketDirs(databaseUrl).some((folder) => folder.startsWith(`${dataDir}/`));
  return isOurs && priority !== undefined ? { backendPriority: priority } : {};
}

/** The database with the replica that pages read from, where DATABASE_READ_URL names one. */
export function reachReplica(
  database: Database,
  { env: { databaseReadUrl }, log }: Pick<ProcessInfo, "env" | "log">,
  options: Pick<DatabaseOptions, "connectionsMax" | "waitingMax">,
): Database {
  if (databaseReadUrl === undefined) return database;
  return withReplica(database, databaseReadUrl, {
    ...options,
    onConnectionError: onConnectionError(log),
    check: () => checkReplica(databaseReadUrl),
    isBusy: (error) => asAppError(error).code === "database_busy",
    onChange: ({ state, says }) => {
      if (says === null) log.info("pages read from the replica");
      else log.warn({ state, says }, "pages read from the primary, not from the replica");
    },
  });
}

export const onConnectionError =
  (log: Log) =>
  (err: Error): void =>
    log.warn({ err }, "a database connection broke");

export interface Duty {
  /** Where a role that answers agents writes records; null for any other. */
  readonly recording: Pool | null;
  /** The pool for reported events; the database's own pool when absent. */
  readonly reporting?: Pool;
  /** The pool that live lists are followed with; the database's own pool when absent. */
  readonly following?: Pool;
}

export async function startServices(
  place: ProcessInfo,
  database: Database,
  { recording, reporting, following }: Duty,
): Promise<Services> {
  const { env, databaseUrl, dataDir, secrets, log, workerRpc } = place;
  const metrics = createMetrics(workerRpc);
  // Loaded only when telemetry is configured, in processes that record.
  const isExported = env.telemetry !== undefined && recording !== null;
  const telemetry = isExported ? (await import("../telemetry/index.ts")).createTelemetry(env.telemetry, log) : null;
  const running = await startApp({
    ...(telemetry ? { telemetry } : {}),
    ...(recording
      ? { recording, watchesDelays: true }
      : { records: false, ...(reporting && { recording: reporting }) }),
    ...(following && { following }),
    ...outwardOf(env),
    db: database,
    databaseUrl,
    dataDir,
    log,
    secrets,
    workerRpc,
    host: env.host,
    runsHooksWithoutSandbox: env.runsHooksWithoutSandbox,
    hookNetwork: env.hookNetwork,
    given: {
      QUARTERDECK_TOKEN: env.token,
      QUARTERDECK_SESSION_SECRET: env.sessionSecret,
      QUARTERDECK_CREDENTIAL_KEY: env.credentialKey,
    },
    observer: recording === null ? metrics : observed(metrics, rememberWrites(workerRpc)),
  });
  return { running, metrics, database };
}

/** A slow database must not delay readers of other figures. */
const LOOK_MS = 1_000;

function lookInTime<T>(look: () => Promise<T>): Promise<T | null> {
  const found = inInstallation(look).catch(() => null);
  return Promise.race([found, setTimeout(LOOK_MS, null, { ref: false })]);
}

/** The metrics, and the pace of scans, which slow down when writes take long. */
const observed = (metrics: Metrics, noteWrite: (durationMs: number) => void): AppObserver => ({
  dispatched: metrics.dispatched,
  judgeFailed: metrics.judgeFailed,
  committed(records, durationMs) {
    metrics.committed(records, durationMs);
    noteWrite(durationMs);
  },
});

/** Counts of this process, read on each scrape. */
export function watch({ running, metrics, database }: Services, requestsUnderWay: () => number): void {
  const { spawner, recorder, app } = running;
  metrics.watch(() => ({
    telemetryDropped: app.telemetry?.state().dropped ?? 0,
    recordsWaiting: recorder.waiting,
    requestsUnderWay: requestsUnderWay(),
    hooksRunning: spawner.load.running,
    hooksWaiting: spawner.load.waiting,
    isSandboxed: isContained(app.confinement),
    pressure: app.pressure.level,
    figuresBehindMs: () => lookInTime(() => findLongestLag(database.pool)),
    streams: () => lookInTime(() => findProgress(database.pool)),
  }));
}

/** Where this installation is reached, and where it may reach out to. */
export const outwardOf = (
  env: Env,
): Pick<AppOptions, "url" | "privateModels" | "privateMail" | "privateWebhooks" | "privateSignOn" | "checkpointDir"> & {
  readonly privateWebhooks: string;
} => ({
  url: env.url,
  privateWebhooks: env.privateWebhooks,
  privateSignOn: env.privateSignOn,
  ...(env.privateModels === undefined ? {} : { privateModels: env.privateModels }),
  ...(env.privateMail === undefined ? {} : { privateMail: env.privateMail }),
  ...(env.checkpointDir === undefined ? {} : { checkpointDir: resolve(env.checkpointDir) }),
});
