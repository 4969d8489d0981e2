/** The record that can be proven: read, exported, verified, vouched for, and kept for as long as it must be. */

import type { PublicKey } from "../audit/checkpoint.ts";
import { parsePublicKey } from "../audit/checkpoint.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { type AddressRule, addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import type { Secrets } from "../platform/secrets.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import * as pages from "./audit/page-repository.ts";
import { checkpointFile } from "./checkpoints/checkpoint-file.ts";
import { type Checkpointer, createCheckpointer } from "./checkpoints/checkpoints.ts";
import { createErasure } from "./erasure/erasure.ts";
import { createRawCapture, type RawCapture } from "./raw-capture.ts";
import { listKeys } from "./repository.ts";
import { createRetention } from "./retention/retention.ts";
import { countRetention as countOf } from "./retention/retention-preview.ts";
import { listFaults } from "./retention/retention-repository.ts";
import type { CheckpointResult, RecordState, RetentionCount, RetentionDays } from "./schema.ts";
import { findRaw, findRetention, listHolds } from "./settings-repository.ts";
import { createVerificationWorker, type VerificationWorker } from "./verification/verification-worker.ts";
import { createCheckpointReader } from "./verification/verifications.ts";
import { createWebhook } from "./webhook.ts";

export interface RecordKeeping {
  readonly checkpointer: Checkpointer;
  /** Where webhooks may lead. */
  readonly addresses: AddressRule;
  readonly raw: RawCapture;
  readonly verifications: VerificationWorker;
  /** Verification, retention and erasure, which read the whole log or large parts of it. */
  readonly scans: { start(): void; stop(): Promise<void> };
  /** Signs checkpoints. */
  start(): void;
  stop(): Promise<void>;
}

export interface RecordKeepingOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly workerRpc: WorkerRpc;
  /** Where checkpoints are written; absolute. */
  readonly checkpointDir: string;
  /** As QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS is written. */
  readonly privateWebhooks: string;
  /** Where the steps of retention and erasure are written; the database's own pool when absent. */
  readonly steps?: Pool;
  /** Asked by scans before each step and page. */
  readonly pacer?: { step(): Promise<void>; page(): Promise<void> };
}

const FAILURE = "why checkpoints fail";

/** Runs nothing before it is started. */
export function createRecordKeeping(options: RecordKeepingOptions): RecordKeeping {
  const { db, bus, secrets, log, workerRpc, checkpointDir: dir, privateWebhooks } = options;
  const { pool } = db;
  const addresses = addressRule(privateWebhooks, VARIABLES.webhooks);
  const deliver = createWebhook({ pool, log, addresses });
  const own = createCheckpointer({ pool, secrets, dir, log, clock: systemClock, deliver });
  // One process of a node signs; any process can report the result.
  workerRpc.answer(FAILURE, () => own.failure() ?? undefined);
  const failure = async () => (await workerRpc.ask(FAILURE)).find((said) => typeof said === "string") ?? null;
  const checkpointer: Checkpointer = { ...own, failure };
  const { steps = pool, pacer } = options;
  const paced = pacer ? { pacer } : {};
  const retention = createRetention({ pool: steps, scanPool: pool, log, clock: systemClock, bus, ...paced });
  const erasure = createErasure({ pool: steps, log, clock: systemClock, bus, ...paced });
  const raw = createRawCapture({ db, bus, log, clock: systemClock });
  const readOutside = createCheckpointReader();
  const verifications = createVerificationWorker({
    pool,
    log,
    keysOf: (workspaceId) => trustedKeys(db, workspaceId, secrets),
    outsideOf: (workspaceId) => readOutside(checkpointFile(dir, workspaceId)),
    onChange: (workspaceId) => bus.tell(workspaceId, ["audit"]),
    ...(pacer ? { onRange: () => pacer.step() } : {}),
  });
  const scans = [retention, erasure, verifications];
  return {
    checkpointer,
    addresses,
    raw,
    verifications,
    scans: {
      start() {
        for (const one of scans) one.start();
      },
      async stop() {
        await Promise.all(scans.map((one) => one.stop()));
      },
    },
    start() {
      checkpointer.start();
    },
    async stop() {
      raw.close();
      await checkpointer.stop();
    },
  };
}

/**
 * Tries to sign a checkpoint and returns the workspace's state afterwards: another server may have signed, or may be
 * signing.
 */
export async function signNow(
  db: Database,
  workspaceId: string,
  keeping: Pick<RecordKeeping, "checkpointer">,
): Promise<CheckpointResult> {
  await keeping.checkpointer.tick(true);
  const { lastCheckpoint, unvouched, fault } = await state(db, workspaceId, keeping);
  return { seq: lastCheckpoint?.seq ?? null, unvouched, fault };
}

/** The state of a workspace's record. `keeping` is absent where pages are prefetched. */
export async function state(
  db: Database,
  workspaceId: string,
  keeping: Pick<RecordKeeping, "checkpointer"> | null,
): Promise<RecordState> {
  const [row, keys, retention, retentionFaults, holds] = await Promise.all([
    pages.findState(db.pool, workspaceId),
    listKeys(db.pool, workspaceId),
    findRetention(db.pool, workspaceId),
    listFaults(db.pool, workspaceId),
    listHolds(db.pool, workspaceId),
  ]);
  if (!row) throw new AppError("not_found");
  const { seq, at, key_id: key, webhook_url: url } = row;
  const failure = (await keeping?.checkpointer.failure()) ?? null;
  return {
    entries: row.entries,
    lastEntryAt: row.last_entry_at,
    lastCheckpoint:
      seq === null || at === null || key === null
        ? null
        : {
            seq,
            at,
            key,
            webhook:
              url === null
                ? null
                : {
                    delivered: row.webhook_delivered_at !== null,
                    attempts: row.webhook_attempts ?? 0,
                    error: row.webhook_error,
                  },
          },
    unvouched: row.entries - (seq ?? 0),
    fault: row.fault ?? (failure === null ? null : `Checkpoints could not be written: ${failure}`),
    file: keeping === null ? null : checkpointFile(keeping.checkpointer.dir, workspaceId),
    keys,
    checkpoints: { entries: row.checkpoint_entries, seconds: row.checkpoint_seconds, webhookUrl: row.setting_url },
    retention,
    retentionFaults,
    holds,
  };
}

/** A signature may wait for the next round; it may not miss three. */
export const ROUNDS_MISSED = 3;

/** Entries that no checkpoint vouches for although it was due. */
export const countOverdue = (pool: Database["pool"], workspaceId: string, at: Date): Promise<number> =>
  pages.countOverdue(pool, workspaceId, at, ROUNDS_MISSED);

/** The counts of what would go now if these were the settings. */
export function countRetention(db: Database, workspaceId: string, days: RetentionDays): Promise<RetentionCount[]> {
  return countOf(db.pool, workspaceId, days, Date.now());
}

/** Until when inputs are stored unmasked, and why; null when they are not. */
export function rawState(db: Database, workspaceId: string) {
  return findRaw(db.pool, workspaceId);
}

/**
 * Every key that this installation has signed checkpoints with, including its present one. Former keys are read from
 * the database: adding one there gains an attacker nothing, since the file counts, and they cannot write it.
 */
export async function trustedKeys(db: Database, workspaceId: string, secrets: Secrets): Promise<PublicKey[]> {
  const stored = await listKeys(db.pool, workspaceId);
  const present = { id: secrets.signingKeyId, key: secrets.signingPublicKey };
  return [
    present,
    ...stored.flatMap(({ id, publicKey }) => (id === present.id ? [] : (parsePublicKey(publicKey) ?? []))),
  ];
}

/** The ids of the keys that signed this workspace's checkpoints, and of the present key. */
export async function listKeyIds(
  db: Database,
  workspaceId: string,
  { signingKeyId }: Pick<Secrets, "signingKeyId">,
): Promise<string[]> {
  return [signingKeyId, ...(await listKeys(db.pool, workspaceId)).map(({ id }) => id)];
}
