/**
 * Signs checkpoints as the chain grows. One node does so at a time, by a lock in the database; after a restart it
 * continues after the last checkpoint. Before signing, it verifies the new entries: a chain that contradicts an outside
 * checkpoint is never signed, and the page says so until a person has resolved it.
 */

import { type Checkpoint, isSignedBy, signCheckpoint } from "../../audit/checkpoint.ts";
import { createFindings } from "../../audit/findings.ts";
import { createChainCheck } from "../../audit/verify-chain.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation } from "../../platform/scope.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { findEntry, findLastCheckpoint, listEntries, transaction } from "../repository.ts";
import { appendCheckpoint, checkpointFile, readCheckpoints } from "./checkpoint-file.ts";
import * as checkpoints from "./checkpoint-repository.ts";

/** Entries that one checkpoint covers at most: a long chain that was never vouched for is caught up in steps. */
const STEP_ENTRIES_MAX = 20_000;
const PAGE_ENTRIES = 1_000;
const LOOK_EVERY_MS = 5_000;

export interface CheckpointerOptions {
  readonly pool: Pool;
  readonly secrets: Pick<Secrets, "signingKey" | "signingPublicKey" | "signingKeyId">;
  /** Absolute; made when it is missing. */
  readonly dir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Brings checkpoints to the webhooks that are set. */
  readonly deliver?: () => Promise<void>;
}

export interface Checkpointer {
  readonly dir: string;
  /** Signs due checkpoints; with `now`, all entries without one. Returns the number of signed ones. */
  tick(now?: boolean): Promise<number>;
  /** The system's error of the last run of this process; null when it succeeded. */
  failure(): string | null | Promise<string | null>;
  /** Looks every five seconds, until stopped. */
  start(): void;
  stop(): Promise<void>;
}

export function createCheckpointer(options: CheckpointerOptions): Checkpointer {
  const { pool, secrets, dir, log, clock, deliver } = options;
  const outside = new Map<string, Checkpoint | null>();
  const repeater = createRepeater({
    turn: async () => {
      await tick();
      failure = null;
      return LOOK_EVERY_MS;
    },
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure(err) {
      failure = err instanceof Error ? err.message : String(err);
      log.error({ err }, "checkpoints could not be written");
    },
  });
  let failure: string | null = null;

  const tick = (now = false): Promise<number> => inInstallation(() => signDue(now));

  async function signDue(now: boolean): Promise<number> {
    const signed = await transaction(pool, async (client) => {
      if (!(await checkpoints.lock(client))) return 0;
      let count = 0;
      for (const due of await checkpoints.listDue(client, { now, nowMs: clock.now() }))
        if (await signNext(client, due)) count += 1;
      return count;
    });
    await deliver?.();
    return signed;
  }

  async function signNext(client: PoolClient, { workspaceId, seq: headSeq, fault }: checkpoints.Due): Promise<boolean> {
    const last = await lastOf(client, workspaceId);
    const to = Math.min(headSeq, (last?.seq ?? 0) + STEP_ENTRIES_MAX);
    const trouble = await troubleIn(client, workspaceId, last, to);
    if (trouble !== null) {
      if (trouble !== fault) log.error({ workspaceId, trouble }, "no checkpoint is signed: the record does not hold");
      await checkpoints.setFault(client, workspaceId, trouble);
      // A repair may move the file, so it is read again.
      outside.delete(workspaceId);
      return false;
    }
    const entry = await findEntry(client, workspaceId, to);
    if (entry === null || to <= (last?.seq ?? 0)) return false;
    const { signingKeyId: key, signingKey } = secrets;
    const at = new Date(clock.now()).toISOString();
    const one = signCheckpoint({ workspace: workspaceId, seq: to, hash: entry.hash, at, key }, signingKey);
    await checkpoints.noteKey(client, workspaceId, key, pem(secrets));
    await checkpoints.insert(client, one);
    // Last, so that what cannot be written is not believed to be: after a crash in between the file is simply ahead.
    await appendCheckpoint(dir, one);
    outside.set(workspaceId, one);
    if (fault !== null) await checkpoints.setFault(client, workspaceId, null);
    return true;
  }

  /** The newest that we signed: of the file, or of the database when another node wrote its own file. */
  async function lastOf(client: PoolClient, workspaceId: string): Promise<Checkpoint | null> {
    if (!outside.has(workspaceId)) outside.set(workspaceId, await lastInFile(workspaceId));
    const inFile = outside.get(workspaceId) ?? null;
    const inDatabase = await findLastCheckpoint(client, workspaceId);
    const isNewer = inDatabase !== null && inDatabase.seq > (inFile?.seq ?? 0);
    return isNewer && isOurs(inDatabase) ? inDatabase : inFile;
  }

  async function lastInFile(workspaceId: string): Promise<Checkpoint | null> {
    const all = await readCheckpoints(checkpointFile(dir, workspaceId));
    return all.filter(isOurs).toSorted((a, b) => b.seq - a.seq)[0] ?? null;
  }

  const isOurs = (one: Checkpoint): boolean =>
    one.key !== secrets.signingKeyId || isSignedBy(one, secrets.signingPublicKey);

  return { dir, tick, failure: () => failure, start: repeater.start, stop: repeater.stop };
}

/** The reason that the chain up to `to` cannot be vouched for; null when it can. */
async function troubleIn(
  client: PoolClient,
  workspaceId: string,
  last: Checkpoint | null,
  to: number,
): Promise<string | null> {
  if (last !== null) {
    const vouched = await findEntry(client, workspaceId, last.seq);
    if (vouched === null)
      return `Checkpoint ${last.seq} of ${last.at} vouches for an entry that is not there any more.`;
    if (vouched.hash !== last.hash)
      return `Entry ${last.seq} is not the one that the checkpoint of ${last.at} vouches for.`;
  }
  const drawers = { altered: createFindings(), missing: createFindings() };
  const from = (last?.seq ?? 0) + 1;
  const chain = createChainCheck({ workspace: workspaceId, from, previous: last?.hash ?? null }, drawers);
  for (let after = from - 1; after < to; ) {
    const page = await listEntries(client, workspaceId, { after, to, limit: PAGE_ENTRIES });
    for (const entry of page) chain.entry(entry);
    const end = page.at(-1);
    if (!end) break;
    after = end.seq;
  }
  const [finding] = [...drawers.altered.found().findings, ...drawers.missing.found().findings];
  if (finding) return `Entry ${finding.seq}${finding.kind === null ? "" : ` (${finding.kind})`}: ${finding.says}.`;
  return (chain.state().last?.seq ?? 0) < to ? `The chain ends before entry ${to}.` : null;
}

const pem = ({ signingPublicKey }: Pick<Secrets, "signingPublicKey">): string =>
  signingPublicKey.export({ type: "spki", format: "pem" }).toString();
