/**
 * The masking in force, cached by each process. A dispatch reads it before its record is made, so a failure to read it denies. A
 * setting that cannot be used hides every text.
 */
import { HIDING_MASKING, type MaskHits, type Masking } from "@quarterdeck/hooks";
import { LRUCache } from "lru-cache";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import * as stored from "./repository.ts";
import { readMasking } from "./stored-masking.ts";

export interface MaskingInForce {
  /** Errors: those of the database. */
  of(workspaceId: string): Promise<Masking>;
  /** The masking if it is known to be current; else null. */
  current(workspaceId: string): Masking | null;
  /** The masking that was read last, for a call that has read it; where it was never read, one that hides every text. */
  latest(workspaceId: string): Masking;
  /** Counts what masking took out of a record. */
  count(workspaceId: string, hits: MaskHits): void;
  /** Writes the counts that wait. */
  flush(): Promise<void>;
}

const WORKSPACES_MAX = 5_000;
const FLUSH_MS = 2_000;
const HOUR_MS = 3_600_000;
/** Counts that wait while the database is away. */
const WAITING_MAX = 20_000;

interface World {
  readonly pool: Pool;
  readonly bus: Pick<Bus, "subscribe" | "isCurrent">;
  readonly log: Log;
  readonly clock: Pick<Clock, "now">;
}

export function createMaskingInForce(world: World): MaskingInForce {
  const { pool, bus, log } = world;
  const byWorkspace = new LRUCache<string, Promise<Masking>>({ max: WORKSPACES_MAX });
  const current = new LRUCache<string, Masking>({ max: WORKSPACES_MAX });
  const latest = new LRUCache<string, Masking>({ max: WORKSPACES_MAX });
  const counts = createCounts(world);
  bus.subscribe((workspaceId, topics) => {
    if (!topics.includes("masking")) return;
    for (const cache of [byWorkspace, current])
      if (workspaceId === null) cache.clear();
      else cache.delete(workspaceId);
  });

  async function load(workspaceId: string): Promise<Masking> {
    const row = await inWorkspace(workspaceId, () => stored.find(pool, workspaceId));
    const { masking, problem } = readMasking(row?.setting ?? null);
    if (problem !== null) log.error({ workspaceId, problem }, "a masking cannot be read: every text is hidden");
    return masking;
  }

  function reload(workspaceId: string): Promise<Masking> {
    const loading = load(workspaceId);
    byWorkspace.set(workspaceId, loading);
    loading.then(
      (masking) => {
        latest.set(workspaceId, masking);
        if (byWorkspace.peek(workspaceId) === loading) current.set(workspaceId, masking);
      },
      // A failure is not remembered: the next call tries again.
      () => void (byWorkspace.peek(workspaceId) === loading && byWorkspace.delete(workspaceId)),
    );
    return loading;
  }

  return {
    of: (workspaceId) => (bus.isCurrent() && byWorkspace.get(workspaceId)) || reload(workspaceId),
    current: (workspaceId) => (bus.isCurrent() && current.get(workspaceId)) || null,
    latest: (workspaceId) => latest.get(workspaceId) ?? HIDING_MASKING,
    count: counts.add,
    flush: counts.flush,
  };
}

/** The counts of a process, written together every few seconds. */
function createCounts({ pool, log, clock }: World) {
  let waiting = new Map<string, stored.HitRow>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  function add(workspaceId: string, hits: MaskHits): void {
    if (hits.size === 0) return;
    const bucket = new Date(Math.floor(clock.now() / HOUR_MS) * HOUR_MS).toISOString();
    for (const [rule, count] of hits) {
      const key = `${workspaceId} ${bucket} ${rule}`;
      const known = waiting.get(key)?.hits ?? 0;
      if (known > 0 || waiting.size < WAITING_MAX) waiting.set(key, { workspaceId, bucket, rule, hits: known + count });
    }
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  async function write(): Promise<void> {
    const leaving = waiting;
    waiting = new Map();
    const rows = [...leaving].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    try {
      if (rows.length > 0) await inInstallation(() => stored.addHits(pool, rows));
    } catch (error) {
      log.warn({ err: error }, "the counts of masked parts could not be written and are tried again");
      for (const row of rows) add(row.workspaceId, new Map([[row.rule, row.hits]]));
    }
  }

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    await running;
    running = write();
    await running;
  }

  return { add, flush };
}
