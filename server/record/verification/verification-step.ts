/**
 * One step of a verification of the stored record: a range of the chain with its dispatches, or a window of dispatches
 * that no batch may name. Between two steps, all state is in `VerificationProgress`, so that another process can
 * continue.
 *
 * Records that arrive during the verification are not part of it, unless something was absent or blank: then it follows
 * the chain to its end, because the entry that explains it may have arrived.
 */
import { z } from "zod";
import type { Checkpoint, PublicKey } from "../../audit/checkpoint.ts";
import {
  createVerifier,
  type Earlier,
  type VerificationReport,
  type Verifier,
  verifyState,
} from "../../audit/verify.ts";
import type { Pool } from "../../platform/db.ts";
import { listNames } from "../names-repository.ts";
import * as evidence from "../repository.ts";
import type { BlankedStore } from "./blanked-store.ts";
import { batchOf, type RangeLimits, readRange } from "./chain-ranges.ts";
import { hasUnproven } from "./stray-scan-repository.ts";
import { findStrays, STRAYS_BEGIN } from "./strays.ts";

export interface VerificationLimits extends RangeLimits {
  /** The workspace's rows in a window. */
  readonly window: number;
}

export const VERIFICATION_LIMITS: VerificationLimits = {
  entries: 500,
  rows: 4_000,
  bytes: 32 * 1024 * 1024,
  window: 20_000,
};

/** The number of times that it follows a chain that is still growing. */
const FOLLOWS_MAX = 5;

/** The entry after which a verification begins. */
export interface VerificationBase {
  readonly seq: number;
  readonly hash: string;
  /** When it was recorded. */
  readonly at: string;
  /** Null when no earlier verification covers the entries before. */
  readonly earlier: Earlier | null;
}

export interface VerificationJob {
  readonly workspaceId: string;
  /** Null: from the beginning. */
  readonly base: VerificationBase | null;
  readonly keys: readonly PublicKey[];
  /** Reads the current checkpoints from outside; null when there are no checkpoints. */
  readonly outside: () => Promise<readonly Checkpoint[] | null>;
  readonly blanked: BlankedStore;
  readonly limits: VerificationLimits;
  /** Dispatches from this instant on are not looked through; absent: none is left out. */
  readonly until?: string;
}

const cursor = z.strictObject({ at: z.string(), id: z.string() });
export const verificationProgress = z.strictObject({
  to: z.number().int(),
  hash: z.string(),
  position: z.number().int(),
  follows: z.number().int(),
  /** Null while entries are verified; then the last row of the last window. */
  window: cursor.nullable(),
  /** The UTC day that the last step was about. */
  day: z.string().nullable(),
  verify: verifyState.nullable(),
});
export type VerificationProgress = z.infer<typeof verificationProgress>;

export interface VerificationStep {
  readonly progress: VerificationProgress;
  readonly counts: { readonly entries: number; readonly dispatches: number; readonly findings: number };
  /** Null while there is more to do. */
  readonly report: VerificationReport | null;
}

/** Does the next step after `before`; null: the first. */
export async function takeStep(
  pool: Pool,
  job: VerificationJob,
  before: VerificationProgress | null,
): Promise<VerificationStep> {
  const outside = await job.outside();
  const progress = before ?? (await begin(pool, job));
  const { workspaceId, base, keys } = job;
  // A checkpoint signed in the meantime covers entries outside this verification, unless the chain was cut.
  const end = await evidence.findEnd(pool, workspaceId);
  const isMeant = ({ seq }: Checkpoint) => seq >= (base?.seq ?? 0) && (seq <= progress.to || seq > end.head);
  const verifier = createVerifier(
    {
      workspace: workspaceId,
      from: (base?.seq ?? 0) + 1,
      previous: base?.hash ?? null,
      keys,
      outside: outside?.filter(isMeant) ?? null,
      dispatches: "all",
      ...(base?.earlier ? { earlier: base.earlier } : {}),
    },
    progress.verify ?? undefined,
  );
  const next = progress.window === null ? entriesStep : windowStep;
  const done = await next(pool, job, verifier, progress);
  const counts = verifier.counts();
  if (done.isOver) return { progress: done.progress, counts, report: await finish(pool, job, verifier, progress) };
  return { progress: { ...done.progress, verify: verifier.save() }, counts, report: null };
}

async function begin(pool: Pool, { workspaceId, base }: VerificationJob): Promise<VerificationProgress> {
  const head = (await evidence.findHead(pool, workspaceId)) ?? { seq: 0, hash: "" };
  const position = base?.seq ?? 0;
  return { to: head.seq, hash: head.hash, position, follows: 0, window: null, day: null, verify: null };
}

interface Done {
  readonly progress: VerificationProgress;
  readonly isOver: boolean;
}

function entriesStep(
  pool: Pool,
  { workspaceId, blanked, limits, base }: VerificationJob,
  verifier: Verifier,
  progress: VerificationProgress,
): Promise<Done> {
  return evidence.transaction(pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { position: after, to } = progress;
    const { entries, rows } = await readRange(client, workspaceId, { after, to, limits }, evidence.listHeld);
    const last = entries.at(-1);
    for (const one of await evidence.listCheckpoints(client, workspaceId, { after, to: last?.seq ?? to }))
      verifier.inside(one);
    const names = await listNames(client, workspaceId, { after, to: last?.seq ?? to });
    const given = new Set<string>();
    for (const entry of entries) {
      verifier.entry(entry, names.get(entry.seq));
      const id = batchOf(entry)?.id ?? "";
      if (!given.has(id)) for (const row of rows.get(id) ?? []) verifier.row(row);
      given.add(id);
    }
    const taken = verifier.takeBlanked();
    const head = (await evidence.findHead(client, workspaceId)) ?? { seq: 0, hash: "" };
    const day = last ? (batchOf(last)?.span?.[1] ?? last.at).slice(0, 10) : progress.day;
    const position = last?.seq ?? to;
    const moved = { ...progress, position, day };
    await blanked.note(taken);
    if (position < to) return { progress: moved, isOver: false };
    const isOpen = verifier.isOpen() || (await blanked.list(1)).length > 0;
    if (isOpen && head.seq > to && progress.follows < FOLLOWS_MAX)
      return { progress: { ...moved, to: head.seq, hash: head.hash, follows: progress.follows + 1 }, isOver: false };
    const begin = base === null ? STRAYS_BEGIN : { ...STRAYS_BEGIN, at: base.at };
    return { progress: { ...moved, window: begin }, isOver: false };
  });
}

async function windowStep(
  pool: Pool,
  { workspaceId, limits, until }: VerificationJob,
  verifier: Verifier,
  progress: VerificationProgress,
): Promise<Done> {
  const after = progress.window ?? STRAYS_BEGIN;
  const isLater = (at: string) => until !== undefined && at >= until;
  const unproven = await hasUnproven(pool, workspaceId);
  const found = await findStrays(pool, workspaceId, { after, rows: limits.window, hasUnproven: unproven });
  for (const { id, at } of found.strays) if (!isLater(at)) verifier.stray(id);
  const day = found.next?.at.slice(0, 10) ?? progress.day;
  const isOver = found.next === null || isLater(found.next.at);
  return { progress: { ...progress, window: found.next ?? after, day }, isOver };
}

const LOST_MAX = 1_000;

async function finish(
  pool: Pool,
  { workspaceId, blanked }: VerificationJob,
  verifier: Verifier,
  { to, hash }: VerificationProgress,
): Promise<VerificationReport> {
  for (const [id, seq] of await blanked.list(LOST_MAX)) verifier.lostContent(id, seq);
  verifier.head(to, hash);
  const { head, last } = await evidence.findEnd(pool, workspaceId);
  if (last > head) verifier.beyond(head, last - head);
  return verifier.end();
}
