/**
 * The parts of a process that answers requests, started in order and stopped in reverse. The gateway and the console
 * receive the result; this module does not depend on HTTP.
 */

import { type ConcurrencyLimits, type Confinement, isContained, type Spawner } from "@quarterdeck/hooks";
import { createCredentialThrottle } from "../access/credential-throttle.ts";
import { createStreams, STREAM_LIMITS } from "../access/streams.ts";
import { createAuthenticator } from "../agents/index.ts";
import { type ApprovalGate, createApprovalGate } from "../approvals/index.ts";
import { mergeBudgets } from "../budgets/index.ts";
import { answerCircuits } from "../circuit-breakers/index.ts";
import { createCallFollower } from "../decisions/index.ts";
import { createDeviceLogins } from "../device-login/index.ts";
import { createCallJudge, createDispatcher } from "../dispatches/index.ts";
import { answerTelemetry, startUptime } from "../doctor/index.ts";
import { createDrillCalls } from "../drills/index.ts";
import { answerCaughtUp, type Bus, createBus, untilHeardEverywhere } from "../events/index.ts";
import { createExceptionsInForce } from "../exceptions/index.ts";
import { createExecutorCalls, createHaltsInForce } from "../halts/index.ts";
import { createShedding } from "../load-shedding/index.ts";
import { createMaskingInForce, type MaskingInForce } from "../masking/index.ts";
import { createAccounts, type PasswordHash } from "../people/index.ts";
import { createAnswerKeys } from "../platform/answer-keys.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import { inInstallation } from "../platform/scope.ts";
import type { Secrets } from "../platform/secrets.ts";
import { singleProcess, type WorkerRpc } from "../platform/worker-rpc.ts";
import { createClientSigns, mergeAssignments, raiseSequences } from "../policies/index.ts";
import { createPressure, watchDelays } from "../pressure/index.ts";
import { createStatedPeople } from "../principals/index.ts";
import { createJudgeChecks, createJudgeTrials } from "../prompts/index.ts";
import { createRecorder, type Recorder } from "../recording/index.ts";
import { createRequestLog } from "../request-log/index.ts";
import { createObservations, createShadowRunner, type ShadowRunner } from "../shadow-mode/index.ts";
import type { Telemetry } from "../telemetry/index.ts";
import { gateStepsOf } from "./gate-steps.ts";
import { createHookRooms, createSampleTools, startHookSpawner } from "./hook-rooms.ts";
import { answerRecordsWaiting, createJobs } from "./jobs.ts";
import { createParts } from "./parts.ts";

export interface AppOptions {
  readonly db: Database;
  /** The pool that records are written with; the database's own pool when absent. */
  readonly recording?: Pool;
  /** The pool that live lists of calls are followed with; the database's own pool when absent. */
  readonly following?: Pool;
  /** The same database, for the one connection that listens. */
  readonly databaseUrl: string;
  /** Absolute. Hooks have no access to it. */
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
  /** The exporter that also receives recorded events; absent: no export. */
  readonly telemetry?: Telemetry;
  /** The other processes of this node; absent in a single process. */
  readonly workerRpc?: WorkerRpc;
  /** False for a process that answers no agents: it does not note that this installation can record. */
  readonly records?: boolean;
  /** True for a process whose gates make others give way; false when absent. */
  readonly watchesDelays?: boolean;
  /** The limits on running hooks; the default ones when absent. */
  readonly roomLimits?: ConcurrencyLimits;
  /** Runs command hooks where no sandbox works; they are refused when absent. */
  readonly runsHooksWithoutSandbox?: boolean;
  /** The network of hooks with `network: true`; "own" when absent. */
  readonly hookNetwork?: "own" | "host";
  /** The address that the gateway listens on; this machine alone when absent. */
  readonly host?: string;
  /** The password hash; the account library's own when absent. Only tests set another. */
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

/** Everything the edges work with, and handles for those who look after it. */
export async function startApp(options: AppOptions) {
  const { db, databaseUrl, dataDir, log, secrets, url, observer, telemetry = null, records = true } = options;
  const { privateSignOn = "none", host = "127.0.0.1", given = {}, workerRpc = singleProcess() } = options;
  const { workers } = workerRpc;
  const { pool } = db;
  const bus = createBus(databaseUrl, log);
  const spawner = await startHookSpawner(options, workers).catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  const { confinement } = spawner;
  warnOfSandbox(confinement, log);
  const masking = createMaskingInForce({ pool, bus, log, clock: systemClock });
  const rooms = createHookRooms({ ...options, bus, spawner, workerRpc, masking });
  const { plans, models } = rooms;
  const recorder = createRecorder(options.recording ?? pool, bus, log, {
    committed: (count, durationMs) => observer?.committed(count, durationMs),
    ...(telemetry ? { stored: telemetry.take } : {}),
  });
  const requestLog = createRequestLog({ pool, log, clock: systemClock });
  const pressure = createPressure({ workerRpc, bus });
  const expectedMs = () => delays?.expectedMs ?? 0;
  const shedding = createShedding({ pool, bus, log, clock: systemClock, pressure, expectedMs });
  const callFollower = createCallFollower({ pool: options.following ?? pool, bus, log, pressure });
  const observations = createObservations(pool, bus, log);
  const observing = createShadowRunner({ observations, clock: systemClock, log, masking });
  const jobs = createJobs({
    ...options,
    privateWebhooks: options.privateWebhooks ?? "none",
    bus,
    pressure,
    workerRpc,
    startSpawner: async () => spawner,
  });
  const { record, mailer } = jobs.services;
  const { approvals, halts, dispatcher } = createGates(options, {
    ...{ bus, workers, rooms, recorder, observing, record, masking },
  });
  const gateDelays = () => ({
    startingMs: dispatcher.startingMs,
    gateWaitMs: recorder.gateWaitMs,
    commitMs: recorder.commitMs,
  });
  const delays = options.watchesDelays === true ? watchDelays({ pressure, delays: gateDelays }) : null;
  const uptime = records ? startUptime({ pool, log }) : null;
  const judgeTrials = createJudgeTrials({ db, bus, models, log });
  const judgeChecks = createJudgeChecks({ db, bus, models, log });
  const providers = addressRule(privateSignOn, VARIABLES.signOn);
  answerCircuits(workerRpc, rooms.breakers);
  answerCaughtUp(workerRpc, bus);
  answerRecordsWaiting(workerRpc, () => recorder.waiting);
  if (telemetry) answerTelemetry(workerRpc, telemetry.state);
  const app = {
    ...{ db, bus, changes: bus, log, secrets, workerRpc, url, providers, telemetry, confinement },
    ...{ plans, models, breakers: rooms.breakers, trials: rooms.trials, bench: rooms.bench, judgeTrials, judgeChecks },
    ...{ dispatcher, masking, shedding, pressure, requestLog, machine: { dataDir, host, given } },
    ...jobs.services,
    sampleTools: createSampleTools(models, async () => spawner),
    untilHeardEverywhere: () => untilHeardEverywhere(workerRpc),
    authenticator: createAuthenticator(db, bus),
    answerKeys: createAnswerKeys(secrets.agentAnswerSecret),
    credentials: createCredentialThrottle(workerRpc),
    deviceLogins: createDeviceLogins({ db, bus, url, secrets }),
    accounts: createAccounts({ ...options, workerRpc, mailer, providers, masking }),
    clientSigns: createClientSigns(db, bus, log),
    statedPeople: createStatedPeople({ db, masking, bus }),
    mergeSteps: [mergeBudgets, mergeAssignments],
    executorCalls: createExecutorCalls(db, bus, log, halts),
    cases: { ...rooms.bench.gate, findPrograms: rooms.findPrograms },
    findPrograms: rooms.findPrograms,
    streams: createStreams(STREAM_LIMITS, workers),
    callFollower,
  };
  const parts = createParts([
    { name: "spawner", stop: () => spawner.close() },
    { name: "bus", stop: () => bus.close() },
    { name: "models", stop: async () => rooms.close() },
    { name: "telemetry", stop: () => telemetry?.close() },
    { name: "live calls", stop: () => callFollower.close() },
    { name: "observations", stop: () => observations.flush() },
    { name: "masking", stop: () => masking.flush() },
    { name: "shadow mode", stop: () => observing.close() },
    { name: "request log", stop: () => requestLog.close() },
    { name: "load shedding", stop: () => shedding.close() },
    { name: "pressure", stop: async () => pressure.close() },
    { name: "delays", stop: async () => delays?.close() },
    { name: "uptime", stop: () => uptime?.stop() },
    // Before the parts that it notifies and reads: waiting records are written first.
    { name: "recorder", stop: () => recorder.flush() },
    { name: "judge trials", stop: () => judgeTrials.close() },
    { name: "judge checks", stop: () => judgeChecks.close() },
    { name: "approvals", stop: () => approvals.close() },
    { name: "jobs", start: () => jobs.start(), stop: () => jobs.close() },
    { name: "scans", start: () => jobs.startScans() },
  ]);
  return {
    app,
    spawner: spawner as Pick<Spawner, "pid" | "load">,
    recorder: recorder as Pick<Recorder, "waiting" | "failure">,
    approvals: approvals as Pick<ApprovalGate, "waiting">,
    /** Starts background work in this process; with several processes, only the jobs process does so. */
    startJobs: parts.start,
    /** Raises the counters of policies in force above all values that agents have seen, also after a restore. */
    raiseSequences: () => inInstallation(() => raiseSequences(db, bus)),
    /** Writes waiting records, then stops listeners and running work. The database stays open. */
    close: parts.stop,
  };
}

interface GateParts {
  readonly bus: Bus;
  readonly workers: number;
  readonly rooms: ReturnType<typeof createHookRooms>;
  readonly recorder: Recorder;
  readonly observing: ShadowRunner;
  readonly masking: MaskingInForce;
  readonly record: { readonly raw: { isOn(workspaceId: string): boolean } };
}

/** The dispatcher, and those parts of its gates that others ask too. */
function createGates({ db, log, secrets, observer }: AppOptions, parts: GateParts) {
  const { bus, workers, rooms, recorder, observing, record, masking } = parts;
  const { pool } = db;
  const { plans, repeatGuards } = rooms;
  const approvals = createApprovalGate({ pool, bus, log, workers, masking });
  const exceptions = createExceptionsInForce({ pool, bus, log });
  const halts = createHaltsInForce(pool, bus);
  const judge = createCallJudge(plans, masking);
  const drills = createDrillCalls(pool);
  const dispatcher = createDispatcher({
    ...{ pool, plans, judge, recorder, clock: systemClock, masking },
    ...{ answerKey: secrets.answerKey, isRaw: record.raw.isOn },
    steps: gateStepsOf({ pool, drills, repeatGuards, halts, exceptions, approvals, judge, observing, plans }),
    ...(observer ? { observer } : {}),
  });
  return { approvals, halts, dispatcher };
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
