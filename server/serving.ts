/** The services of one process and, where it answers requests, its share of the public port. */
import { resolve } from "node:path";
import { type RunningApp, startApp } from "./app.ts";
import { AppError } from "./errors/app-error.ts";
import { BODY_LIMITS, bodyShare, createBodyBudgets } from "./gateway/body.ts";
import { createConnectionLimit, UNPROVEN_OF_ONE_MAX } from "./gateway/connection-limit.ts";
import type { ReadinessCheck } from "./gateway/health.ts";
import { createHostRule } from "./gateway/hosts.ts";
import { createMetrics, type Metrics } from "./gateway/metrics.ts";
import { createRoutes } from "./gateway/routes.ts";
import { type Gateway, startGateway } from "./gateway/start.ts";
import { isContained } from "./hooks/index.ts";
import { type Database, openDatabase } from "./platform/db.ts";
import type { Env } from "./platform/env.ts";
import type { Log } from "./platform/log.ts";
import { addressList } from "./platform/outgoing/address-rule.ts";
import type { Secrets } from "./platform/secrets.ts";
import type { Siblings } from "./platform/siblings.ts";

export interface Place {
  readonly env: Env;
  readonly databaseUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly siblings: Siblings;
}

export interface Services {
  readonly running: RunningApp;
  readonly metrics: Metrics;
  readonly database: Database;
}

export function reachDatabase({ databaseUrl, log }: Pick<Place, "databaseUrl" | "log">): Database {
  return openDatabase(databaseUrl, {
    onConnectionError: (err) => log.warn({ err }, "a database connection broke"),
  });
}

export async function startServices(place: Place, database: Database): Promise<Services> {
  const { env, databaseUrl, dataDir, secrets, log, siblings } = place;
  const metrics = createMetrics(siblings);
  // Loaded only when it is wanted.
  const telemetry = env.telemetry && (await import("./telemetry/service.ts")).createTelemetry(env.telemetry, log);
  const running = await startApp({
    ...(telemetry ? { telemetry } : {}),
    db: database,
    databaseUrl,
    dataDir,
    log,
    secrets,
    siblings,
    url: env.url,
    ...(env.privateModels === undefined ? {} : { privateModels: env.privateModels }),
    privateWebhooks: env.privateWebhooks,
    privateSignOn: env.privateSignOn,
    ...(env.privateMail === undefined ? {} : { privateMail: env.privateMail }),
    trustedProxies: env.trustedProxies,
    ...(env.checkpointDir === undefined ? {} : { checkpointDir: resolve(env.checkpointDir) }),
    host: env.host,
    runsHooksWithoutSandbox: env.runsHooksWithoutSandbox,
    given: {
      QUARTERDECK_TOKEN: env.token,
      QUARTERDECK_SESSION_SECRET: env.sessionSecret,
      QUARTERDECK_CREDENTIAL_KEY: env.credentialKey,
    },
    observer: metrics,
  });
  return { running, metrics, database };
}

export interface Opening {
  /** Aborted when the shutdown begins. */
  readonly draining: AbortSignal;
  readonly pagesSocket: string;
  readonly development: boolean;
  /** Besides what is asked everywhere: the database and the spawner. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/** From here on requests are answered. */
export async function openGateway(
  { env, log, siblings }: Place,
  services: Services,
  opening: Opening,
): Promise<Gateway> {
  const { running, metrics, database } = services;
  const { draining, pagesSocket, development } = opening;
  const { spawner } = running;
  const checks: Record<string, ReadinessCheck> = {
    database: () => database.pool.query("SELECT 1").then(() => null),
    spawner: () => (spawner.pid === undefined ? "The process that starts hook commands is being restarted." : null),
    recording: () => running.recorder.failure,
    bus: () =>
      running.app.bus.isCurrent()
        ? null
        : "Changes made by other processes do not arrive; nothing is answered from memory.",
    ...opening.checks,
  };
  const { host, port, url } = env;
  const { workers } = siblings;
  const bodies = createBodyBudgets(bodyShare(BODY_LIMITS, workers));
  const isProxy = addressList(env.trustedProxies, "QUARTERDECK_TRUSTED_PROXIES");
  const connectionLimit = createConnectionLimit(isProxy, Math.ceil(UNPROVEN_OF_ONE_MAX / workers));
  const onProven = connectionLimit.prove;
  const ending = new AbortController();
  const onEnding = () => ending.abort(new AppError("draining"));
  const signals = { draining, ending: ending.signal };
  const routes = createRoutes({ app: running.app, metrics, checks, ...signals, bodies, onProven });
  metrics.watch(() => ({
    telemetryDropped: running.app.telemetry?.state().dropped ?? 0,
    recordsWaiting: running.recorder.waiting,
    requestsUnderWay: routes.underWay(),
    hooksRunning: spawner.load.running,
    hooksWaiting: spawner.load.waiting,
    isSandboxed: isContained(running.app.confinement),
  }));
  const hosts = createHostRule({ url, host, allowed: env.allowedHosts });
  const { whenceOf } = running.app;
  const shared = { url, hosts, whenceOf, bodies, connectionLimit, onEnding, workers };
  return startGateway({ host, port, log, routes: routes.handler, pagesSocket, development, ...shared });
}
