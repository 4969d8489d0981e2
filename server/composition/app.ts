/**
 * The parts of a process that answers, put together in order and taken down in reverse. The gateway and the console
 * are handed the result; nothing here knows of HTTP.
 */

import { join } from "node:path";
import {
  builtinKind,
  CONCURRENCY_LIMITS,
  type ConcurrencyLimits,
  type Confinement,
  commandKind,
  createBreakers,
  createConcurrencyLimit,
  systemClock as hookClock,
  isContained,
  type ModelClient,
  maskText,
  modelKind,
  type RepeatGuard,
  redactText,
  type Spawner,
  serverBuiltins,
  startSpawner,
} from "@quarterdeck/hooks";
import { createCredentialThrottle } from "../access/credential-throttle.ts";
import { createStreams, STREAM_LIMITS } from "../access/streams.ts";
import { createAuthenticator } from "../agents/authenticate.ts";
import { type ApprovalGate, createApprovalGate } from "../approvals/service.ts";
import { createBudgetGuards } from "../budgets/service.ts";
import { answerCircuits } from "../circuit-breakers/service.ts";
import { createDispatcher } from "../dispatches/service.ts";
import { createShadowRunner } from "../dispatches/shadow-runner.ts";
import { answerTelemetry } from "../doctor/service.ts";
import { startUptime } from "../doctor/uptime/service.ts";
import { createDrillCalls } from "../drills/service.ts";
import { answerCaughtUp, createBus, untilHeardEverywhere } from "../events/service.ts";
import { createExceptionsInForce } from "../exceptions/service.ts";
import { createExecutorCalls, createHaltsInForce } from "../halts/service.ts";
import { createModelClients } from "../judges/workspace-model-clients.ts";
import { createShedding } from "../load-shedding/service.ts";
import { createAccounts, type PasswordHash } from "../people/service.ts";
import { createAnswerKeys } from "../platform/answer-keys.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import { inheritedEnvironment } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import { inInstallation } from "../platform/scope.ts";
import type { Secrets } from "../platform/secrets.ts";
import { shareOf } from "../platform/share.ts";
import { databaseSocketDirs } from "../platform/socket-dir.ts";
import { singleProcess, type WorkerRpc } from "../platform/worker-rpc.ts";
import { createPlayground } from "../playground/service.ts";
import {
  type CaseGate,
  createClientSigns,
  createPlans,
  createPlaygroundExecutor,
  raiseSequences,
} from "../policies/service.ts";
import { createJudgeTrials } from "../prompts/service.ts";
import { createRecorder, type Recorder } from "../recording/service.ts";
import { createRepeatGuards } from "../runaway-rules/service.ts";
import { createObservations } from "../shadow-mode/service.ts";
import type { Telemetry } from "../telemetry/service.ts";
import { answerRecordsWaiting, createJobs } from "./jobs.ts";

export interface AppOptions {
  readonly db: Database;
  /** Where what is recorded is written; the database's own pool when absent. */
  readonly recording?: Pool;
  /** The same database, for the one connection that listens. */
  readonly databaseUrl: string;
  /** Absolute. Hooks are kept out of it. */
  readonly dataDir: string;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly url: string;
  /** As QUARTERDECK_ALLOW_PRIVATE_MODELS is written; absent: not set. */
  readonly privateModels?: string;
  /** As QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS is written; `none` when absent. */
  readonly privateWebhooks?: string;
  /** As QUARTERDECK_ALLOW_PRIVATE_SIGN_ON is written; `none` when absent. */
  readonly privateSignOn?: string;
  /** As QUARTERDECK_ALLOW_PRIVATE_MAIL is written; absent: not set. */
  readonly privateMail?: string;
  /** Where checkpoints are written; within the data directory when absent. */
  readonly checkpointDir?: string | undefined;
  readonly observer?: AppObserver;
  /** Where what is recorded goes besides; absent: nowhere. */
  readonly telemetry?: Telemetry;
  /** The processes that answer beside this one; none when absent. */
  readonly workerRpc?: WorkerRpc;
  /** False for a process that answers no agents: it does not note that this installation can record. */
  readonly records?: boolean;
  /** The limits on hooks under way; the usual ones when absent. */
  readonly roomLimits?: ConcurrencyLimits;
  /** Runs command hooks where no sandbox works; they are refused when absent. */
  readonly runsHooksWithoutSandbox?: boolean;
  /** The network of hooks with `network: true`; "own" when absent. */
  readonly hookNetwork?: "own" | "host";
  /** The address that the gateway listens on; this machine alone when absent. */
  readonly host?: string;
  /** Keeps passwords as the account library does when absent; only tests give another, as no setting reaches it. */
  readonly passwordHash?: PasswordHash;
  /** The secrets that came from the environment, by the variable's name. */
  readonly given?: Readonly<Record<string, string | undefined>>;
}

/** Told what happens, for the metrics. */
export interface AppObserver {
  dispatched(event: string, verdict: string, durationMs: number): void;
  judgeFailed(cause: string): void;
  committed(records: number, durationMs: number): void;
}

/** Hooks of observed policies under way; a few dispatches' worth. */
const OBSERVED_ROOM: ConcurrencyLimits = { hooksMax: 64, perTenantMax: 48 };
/** Hook commands that run at once on a node; a process of several still runs a few. */
const COMMANDS_MAX = 32;
const COMMANDS_OF_ONE_MIN = 4;

/** Everything the edges work with, and two handles for those who look after it. */
export async function startApp(options: AppOptions) {
  const {
    db,
    databaseUrl,
    dataDir,
    log,
    secrets,
    url,
    observer,
    telemetry,
    privateModels,
    privateWebhooks = "none",
    privateSignOn = "none",
    privateMail,
    checkpointDir,
    host = "127.0.0.1",
    given = {},
    workerRpc = singleProcess(),
    records = true,
    runsHooksWithoutSandbox = false,
    hookNetwork = "own",
  } = options;
  const { workers } = workerRpc;
  const { roomLimits = shareOf(CONCURRENCY_LIMITS, workers) } = options;
  const providers = addressRule(privateSignOn, VARIABLES.signOn);
  const scratchDir = join(dataDir, "scratch");
  const bus = createBus(databaseUrl, log);
  const spawner = await startSpawner({
    sandbox: runsHooksWithoutSandbox ? "auto_or_none" : "auto",
    hookNetwork,
    scratchDir,
    hiddenDirs: [dataDir, ...databaseSocketDirs(databaseUrl)],
    concurrencyMax: Math.max(COMMANDS_OF_ONE_MIN, Math.ceil(COMMANDS_MAX / workers)),
    onRestart: (reason) => log.error({ reason }, "the spawner is started again"),
  }).catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  const { credentialKey } = secrets;
  const models = createModelClients({ db, bus, log, clock: systemClock, credentialKey, privateModels, workers });
  const commands = commandKind(spawner, { place: "isolated" });
  const toLog = { log: (builtin: string, text: string) => log.warn({ builtin }, text) };
  const tried = builtinKind(serverBuiltins(), toLog);
  const budgetGuards = createBudgetGuards({ pool: db.pool, bus, clock: systemClock });
  const repeatGuards = createRepeatGuards({ db, bus, clock: systemClock });
  const kindsAsking = (client: ModelClient, builtins = tried) => [
    commands,
    builtins,
    modelKind(client, { redact: redactText }),
  ];
  const guardedBy = (workspaceId: string, repeats: RepeatGuard) =>
    builtinKind(serverBuiltins({ budgets: budgetGuards.guardOf(workspaceId), repeats }), toLog);
  const guarded = (workspaceId: string) => guardedBy(workspaceId, repeatGuards.guardOf(workspaceId));
  const observedGuards = (workspaceId: string) => guardedBy(workspaceId, repeatGuards.observedGuardOf(workspaceId));
  const kindsOf = (workspaceId: string) => kindsAsking(models.clientOf(workspaceId), guarded(workspaceId));
  const room = createConcurrencyLimit(roomLimits);
  const breakers = createBreakers(hookClock, { onChange: (workspaceId) => bus.tell(workspaceId, ["circuits"]) });
  answerCircuits(workerRpc, breakers);
  answerCaughtUp(workerRpc, bus);
  const place = { env: ownEnvironment(), workingDir: "/" };
  const environment = { kindsOf, clock: hookClock, ...place, room };
  // A policy that is only observed asks, waits and fails apart from those in force.
  const observedModels = createModelClients({
    db,
    bus,
    log,
    clock: systemClock,
    credentialKey,
    privateModels,
    workers,
  });
  const observedEnvironment = {
    ...environment,
    kindsOf: (workspaceId: string) => kindsAsking(observedModels.clientOf(workspaceId), observedGuards(workspaceId)),
    room: createConcurrencyLimit(shareOf(OBSERVED_ROOM, workers)),
    breakers: createBreakers(hookClock),
  };
  const plans = createPlans({ db, bus, log, ...environment, breakers, observedEnvironment });
  // A trial spends and repeats nothing, so no guard is asked.
  const trials = createPlaygroundExecutor({
    ...environment,
    kindsOf: (workspaceId) => kindsAsking(models.clientOf(workspaceId)),
  });
  const told = {
    committed: (records: number, durationMs: number) => observer?.committed(records, durationMs),
    ...(telemetry ? { stored: telemetry.take } : {}),
  };
  const recorder = createRecorder(options.recording ?? db.pool, bus, log, told);
  answerRecordsWaiting(workerRpc, () => recorder.waiting);
  const shedding = createShedding({ pool: db.pool, bus, log, clock: systemClock, queue: () => recorder.fullness });
  const mask = { json: maskText, text: redactText };
  const observations = createObservations(db.pool, bus, log);
  const observing = createShadowRunner({ observations, clock: systemClock, log, mask });
  const outward = { privateWebhooks, ...(privateMail === undefined ? {} : { privateMail }) };
  const jobs = createJobs({ db, bus, log, secrets, workerRpc, dataDir, url, checkpointDir, ...outward });
  const { record, mailer } = jobs.services;
  const approvals = createApprovalGate({ pool: db.pool, bus, log, workers });
  const exceptions = createExceptionsInForce({ pool: db.pool, bus, log });
  const halts = createHaltsInForce(db.pool, bus);
  const dispatcher = createDispatcher({
    approvals,
    exceptions,
    drills: createDrillCalls(db.pool),
    repeatGuards,
    pool: db.pool,
    plans,
    halts,
    recorder,
    observing,
    clock: systemClock,
    mask,
    isRaw: record.raw.isOn,
    answerKey: secrets.answerKey,
    ...(observer ? { observer } : {}),
  });
  const uptime = records ? startUptime({ pool: db.pool, log }) : null;
  const judgeTrials = createJudgeTrials({ db, bus, models, log });
  if (telemetry) answerTelemetry(workerRpc, telemetry.state);
  const answerKeys = createAnswerKeys(secrets.agentAnswerSecret);
  const authenticator = createAuthenticator(db, bus);
  const accounts = createAccounts({
    db,
    log,
    url,
    secrets,
    workerRpc,
    mailer,
    providers,
    passwordHash: options.passwordHash,
  });
  const { confinement } = spawner;
  warnOfSandbox(confinement, log);
  const bench = createPlayground({
    db,
    kindsAsking,
    clientOf: models.clientOf,
    clock: hookClock,
    ...place,
    room,
    isContained: isContained(confinement),
  });
  const cases: CaseGate = bench.gate;
  const running = {
    authenticator,
    answerKeys,
    credentials: createCredentialThrottle(workerRpc),
    accounts,
    plans,
    clientSigns: createClientSigns(db, bus, log),
    executorCalls: createExecutorCalls(db, bus, log, halts),
    trials,
    bench,
    cases,
    dispatcher,
    breakers,
    models,
    judgeTrials,
    shedding,
    streams: createStreams(STREAM_LIMITS, workers),
  };
  const machine = { dataDir, host, given };
  const app = {
    telemetry: telemetry ?? null,
    db,
    bus,
    changes: bus,
    untilHeardEverywhere: () => untilHeardEverywhere(workerRpc),
    log,
    secrets,
    workerRpc,
    ...running,
    ...jobs.services,
    url,
    providers,
    machine,
    confinement,
  };
  return {
    app,
    spawner: spawner as Pick<Spawner, "pid" | "load">,
    recorder: recorder as Pick<Recorder, "waiting" | "failure">,
    approvals: approvals as Pick<ApprovalGate, "waiting">,
    /** Work that nobody waits for, in this process; where there are several, in the jobs' alone. */
    startJobs: () => {
      jobs.start();
      jobs.startScans();
    },
    /** Puts the counters of what is in force ahead of all that agents have seen, also when the database was put back. */
    raiseSequences: () => inInstallation(() => raiseSequences(db, bus)),
    /** After the last request: writes what waits, then ends what listens and what runs. The database stays open. */
    async close(): Promise<void> {
      await jobs.close();
      await approvals.close();
      await judgeTrials.close();
      await recorder.flush();
      await uptime?.stop();
      await shedding.close();
      await observing.close();
      await observations.flush();
      await telemetry?.close();
      models.close();
      observedModels.close();
      await Promise.allSettled([bus.close(), spawner.close()]);
    },
  };
}

/** Operators must see it in the log too: without a sandbox hooks are refused, or read everything. */
function warnOfSandbox({ sandbox, reasons, features, network, networkReason }: Confinement, log: Log): void {
  if (sandbox === "missing") log.error({ reasons }, "no sandbox works here: command hooks are refused");
  if (sandbox === "none") log.error("command hooks run without a sandbox and read whatever this server reads");
  if (!isContained({ sandbox })) return;
  if (!features.includes("seccomp")) log.warn("command hooks run without a filter of system calls");
  if (network === "host") log.warn("hooks with network: true reach the services on this machine's loopback");
  if (network === "refused") log.info({ reason: networkReason }, "hooks with network: true are refused");
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

function ownEnvironment(): Record<string, string> {
  const entries = Object.entries(inheritedEnvironment());
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
