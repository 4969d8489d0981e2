/**
 * Background work that no request waits for: projections of the log, checkpoints, deliveries, alerts, session search,
 * call estimates, known calls of judges; and scans, which are verification, checks of figures, retention, erasure, backtests and live tests.
 * Every process creates these jobs; only the jobs process and the scans process run them.
 */
import { join } from "node:path";
import type { Spawner } from "@quarterdeck/hooks";
import { createAlerts } from "../alerts/index.ts";
import { createLapsing } from "../approvals/index.ts";
import { createBacktests, createLiveTests } from "../backtest/index.ts";
import { chargeBatch } from "../budgets/index.ts";
import { createJoinJob } from "../compactions/index.ts";
import { createEstimating, type Estimating } from "../costs/index.ts";
import type { Bus } from "../events/index.ts";
import { createExceptionLapses } from "../exceptions/index.ts";
import { noteTools } from "../inventory/index.ts";
import { createModelClients } from "../judges/index.ts";
import { createMaskingInForce } from "../masking/index.ts";
import { createNotices } from "../notices/index.ts";
import { createAccessEnds, createMailer } from "../people/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { Secrets } from "../platform/secrets.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { createCanaryWatch } from "../policies/index.ts";
import type { Pressure } from "../pressure/index.ts";
import type { Pacer } from "../processes/index.ts";
import { createProjectionChecks } from "../projections/index.ts";
import { createProjectors } from "../projectors/index.ts";
import { createKnownCallsJob } from "../prompts/index.ts";
import { createRecordKeeping } from "../record/index.ts";
import { createGuardCleanup } from "../runaway-rules/index.ts";
import { createGapScanner } from "../sessions/index.ts";
import { createStreamJob, type RecordStreams } from "../streams/index.ts";
import { createWebhooks } from "../webhooks/index.ts";
import { createSampleTools } from "./hook-rooms.ts";

export interface JobsWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly workerRpc: WorkerRpc;
  /** While gates wait, projectors gather longer. */
  readonly pressure: Pick<Pressure, "level" | "untilBelow">;
  /** Absolute. */
  readonly dataDir: string;
  readonly url: string;
  /** Where checkpoints are written; within the data directory when absent. */
  readonly checkpointDir?: string | undefined;
  /** As QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS is written. */
  readonly privateWebhooks: string;
  /** As QUARTERDECK_ALLOW_PRIVATE_MAIL is written; absent: not set. */
  readonly privateMail?: string | undefined;
  /** As QUARTERDECK_ALLOW_PRIVATE_MODELS is written; absent: not set. */
  readonly privateModels?: string | undefined;
  /** The connections of streams; the database's own pool when absent. */
  readonly streaming?: Pool;
  /** Where the steps of scans are written; the database's own pool when absent. */
  readonly steps?: Pool;
  /** The processes of command hooks, for samples of backtests; no command runs without it. */
  readonly startSpawner?: () => Promise<Spawner>;
  /** Scans await it before each step and page; without it they continue at once. */
  readonly pacer?: Pick<Pacer, "step" | "page">;
}

const WAITING = "records that wait";

/** Lets every process of the node ask how many records wait in this one. */
export function answerRecordsWaiting(workerRpc: WorkerRpc, count: () => number): void {
  workerRpc.answer(WAITING, count);
}

/** The records that wait in all processes of this node; null when none of them said. */
async function recordsWaiting(workerRpc: WorkerRpc): Promise<bigint | null> {
  const counts = (await workerRpc.ask(WAITING)).filter((count) => typeof count === "number");
  return counts.length === 0 ? null : BigInt(counts.reduce((sum, count) => sum + count, 0));
}

/** The jobs; none runs before `start`. */
export function createJobs(world: JobsWorld) {
  const { db, bus, pressure, secrets, log, workerRpc, dataDir, url, privateWebhooks, privateMail, privateModels } =
    world;
  const { checkpointDir = join(dataDir, "checkpoints") } = world;
  const { credentialKey } = secrets;
  const { steps = db.pool, pacer } = world;
  const scanning = { steps, ...(pacer ? { pacer } : {}) };
  const record = createRecordKeeping({ db, bus, secrets, log, workerRpc, checkpointDir, privateWebhooks, ...scanning });
  const webhooks = createWebhooks({ db, bus, log, addresses: record.addresses, key: credentialKey, url });
  const recordStreams: RecordStreams = { db, bus, addresses: record.addresses, key: credentialKey, url };
  const streaming = { pool: world.streaming ?? db.pool, addresses: record.addresses, key: credentialKey };
  const streamJob = createStreamJob({ ...streaming, bus, log, pressure });
  const mailer = createMailer({ db, credentialKey, privateMail });
  const gauges = { recordsWaiting: () => recordsWaiting(workerRpc) };
  const alerts = createAlerts({ db, bus, log, mailer, url, gauges });
  const looking = createGapScanner({ db, bus, log, clock: systemClock });
  const joining = createJoinJob({ pool: db.pool, bus, log, clock: systemClock });
  const followers = [chargeBatch, noteTools];
  const projectors = createProjectors({ pool: db.pool, bus, log, pressure, followers });
  const projections = createProjectionChecks({ pool: db.pool, log, clock: systemClock, ...scanning });
  const lapsing = createLapsing({ pool: db.pool, bus, log });
  const exceptionLapses = createExceptionLapses({ pool: db.pool, bus, log });
  const accessEnds = createAccessEnds({ db, bus, log });
  const guardCleanup = createGuardCleanup({ pool: db.pool, log });
  const notices = createNotices({ pool: db.pool, bus, log, mailer, url });
  const canaryWatch = createCanaryWatch({ db, bus, log });
  const models = createModelClients({
    ...{ db, bus, log, clock: systemClock, credentialKey, privateModels },
    masking: createMaskingInForce({ pool: db.pool, bus, log, clock: systemClock }),
  });
  const tools = createSampleTools(models, world.startSpawner ?? null);
  const backtests = createBacktests({ db, log, pacer, tools });
  const liveTests = createLiveTests({ db, log, pacer });
  const knownCalls = createKnownCallsJob({ db, bus, models, log });
  const lapses = [lapsing, exceptionLapses, accessEnds, guardCleanup];
  const prompt = [
    projectors,
    record,
    webhooks,
    alerts,
    looking,
    joining,
    ...lapses,
    canaryWatch,
    knownCalls,
    notices,
    streamJob,
  ];
  const scans = [record.scans, projections, backtests, liveTests];
  let estimating: Estimating | null = null;
  return {
    /** Asked and changed by procedures. */
    services: { record, webhooks, recordStreams, mailer, alerts, looking },
    /** Starts the jobs with due times of seconds. */
    start() {
      for (const one of prompt) one.start();
      estimating = createEstimating({ db, bus, log });
    },
    /** Starts the jobs that read the whole log or large parts of it. */
    startScans() {
      for (const one of scans) one.start();
    },
    async close(): Promise<void> {
      await Promise.all([...prompt, ...scans].map((one) => one.stop()));
      await estimating?.close();
      models.close();
    },
  };
}
