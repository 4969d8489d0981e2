/**
 * A gateway process: it answers agents and dispatches, and forwards what is the console's. Started by the supervisor
 * (server/main.ts); argv is where the console listens ("" when it runs elsewhere), "--dev", and "--front" for a process that
 * only forwards.
 *
 * Its connections are its own: two to write records, a few for keys, plans and budgets, one that listens.
 */
import { createClientInfoReader } from "./access/client-info.ts";
import {
  onConnectionError,
  type ProcessInfo,
  reachDatabase,
  readProcessInfo,
  startServices,
  watch,
} from "./composition/serving.ts";
import { AppError } from "./errors/app-error.ts";
import { BODY_LIMITS, createBodyBudgets, divideBodyLimits } from "./gateway/body.ts";
import { createConnectionLimit, UNPROVEN_OF_ONE_MAX } from "./gateway/connection-limit.ts";
import { frontRoutes } from "./gateway/front.ts";
import type { ReadinessCheck } from "./gateway/health.ts";
import { createHostRule } from "./gateway/hosts.ts";
import { createRoutes, type Routes } from "./gateway/routes.ts";
import { type RequestHandler, startGateway } from "./gateway/start.ts";
import { createAnswerKeys } from "./platform/answer-keys.ts";
import { closePool, type Database, openPool } from "./platform/db.ts";
import { env as readEnv } from "./platform/env.ts";
import { askNodeState } from "./platform/node-state.ts";
import { addressList } from "./platform/outgoing/address-rule.ts";
import { type RoleProcess, runRole } from "./processes/role-process.ts";

const DRAIN_MS = 5_000;
const READING = { connectionsMax: 6, waitingMax: 512, isPlannedOnce: true };
/** One transaction is under way at a time; the other connection makes partitions. */
const WRITING_CONNECTIONS_MAX = 2;

const [consoleSocket = ""] = process.argv.slice(2);
const development = process.argv.includes("--dev");
const isFront = process.argv.includes("--front");

async function start(role: RoleProcess): Promise<{ readonly port: number }> {
  const place = await readProcessInfo(role, readEnv().workers);
  const database = reachDatabase(place, READING);
  await role.begin;
  role.onEnd("connections", () => database.close());
  const edge = edgeOf(place);
  const ending = new AbortController();
  const checks = { database: () => checkDatabase(place, database) };
  const { handler: routes, onRefused }: AgentSide = isFront
    ? { handler: frontRoutes({ checks, draining: role.draining, log: place.log }) }
    : await agentRoutes(place, database, role, edge, ending.signal, checks);
  const { env, log, workerRpc } = place;
  const gateway = await startGateway({
    ...edge,
    host: env.host,
    port: env.port,
    url: env.url,
    log,
    routes,
    ...(onRefused ? { onRefused } : {}),
    development,
    consoleSocket: consoleSocket === "" ? null : consoleSocket,
    workers: workerRpc.workers,
    onEnding: () => ending.abort(new AppError("draining")),
  });
  role.onEnd("gateway", () => gateway.drain(DRAIN_MS));
  return { port: gateway.port };
}

/** The limits and rules before every request, as a gateway's share of them. */
function edgeOf({ env, secrets, workerRpc: { workers } }: ProcessInfo) {
  const isProxy = addressList(env.trustedProxies, "QUARTERDECK_TRUSTED_PROXIES");
  return {
    bodies: createBodyBudgets(divideBodyLimits(BODY_LIMITS, workers)),
    connectionLimit: createConnectionLimit(isProxy, Math.ceil(UNPROVEN_OF_ONE_MAX / workers)),
    hosts: createHostRule({ url: env.url, host: env.host, allowed: env.allowedHosts }),
    whenceOf: createClientInfoReader(isProxy),
    answerKeys: createAnswerKeys(secrets.agentAnswerSecret),
  };
}

interface AgentSide {
  readonly handler: RequestHandler;
  readonly onRefused?: Routes["refused"];
}

/** Everything that agents ask. */
async function agentRoutes(
  place: ProcessInfo,
  database: Database,
  role: RoleProcess,
  { bodies, connectionLimit, whenceOf }: ReturnType<typeof edgeOf>,
  ending: AbortSignal,
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<AgentSide> {
  const { databaseUrl, log } = place;
  const writing = {
    connectionsMax: WRITING_CONNECTIONS_MAX,
    isPlannedOnce: true,
    onConnectionError: onConnectionError(log),
  };
  const recording = openPool(databaseUrl, writing);
  role.onEnd("writing connections", () => closePool(recording));
  const services = await startServices(place, database, { recording });
  const { running, metrics } = services;
  const { app, spawner, recorder } = running;
  role.onEnd("services", () => running.close());
  const routes = createRoutes({
    app,
    metrics,
    whenceOf,
    bodies,
    draining: role.draining,
    ending,
    onProven: connectionLimit.prove,
    checks: {
      ...checks,
      spawner: () => (spawner.pid === undefined ? "The process that starts hook commands is being restarted." : null),
      recording: () => recorder.failure,
      bus: () => (app.bus.isCurrent() ? null : NOT_CURRENT),
    },
  });
  watch(services, routes.underWay);
  return { handler: routes.handler, onRefused: routes.refused };
}

const NOT_CURRENT = "Changes made by other processes do not arrive.";

async function checkDatabase({ workerRpc }: ProcessInfo, database: Database): Promise<string | null> {
  const trouble = (await askNodeState(workerRpc))?.database ?? null;
  if (trouble === null) await database.pool.query("SELECT 1");
  return trouble;
}

await runRole(start);
