/**
 * Follows the projectors for all viewers of this process: after a commit it reads the changed calls of the workspaces
 * that are on screen, once for all of them. It keeps no rows: each viewer's stream filters what is read.
 */
import { setTimeout } from "node:timers/promises";
import type { Bus } from "../../events/index.ts";
import type { Pool } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createLogFolding } from "../../platform/log-folding.ts";
import { inInstallation, inWorkspace } from "../../platform/scope.ts";
import { type Pressure, REFRESH_WAIT_MS, YIELDS_AT } from "../../pressure/index.ts";
import { createGaps, type Gaps, type Pace } from "./gaps.ts";
import { CHANGES_MAX, type ChangeRow, findPosition, listChanges } from "./repository.ts";
import { readChangedCalls, type WholeCall } from "./whole-calls.ts";

/** A notification may be lost, so the position is also read this often. */
const LOOK_EVERY_MS = 1_000;
/** From one reading to the next: changes that are committed together are read together. */
const PAUSE_MS = 25;
const FOLD_MS = 10_000;

/** Changed calls of a workspace, in the order of its log; null when changes were not read. */
export type CallNews = readonly WholeCall[] | Pace | null;
type Listener = (news: CallNews) => void;

export interface CallFollower {
  /**
   * Resolves once every later change of the workspace comes to `listener`; with the function that ends it. Errors: those
   * of PostgreSQL.
   */
  follow(workspaceId: string, listener: Listener): Promise<() => void>;
  close(): Promise<void>;
}

export interface FollowerWorld {
  readonly pool: Pool;
  readonly bus: Pick<Bus, "subscribe">;
  readonly log: Log;
  readonly pressure: Pick<Pressure, "level" | "untilBelow">;
  /** From one gap of a workspace to the next. */
  readonly gapEveryMs?: number;
}

interface Followed {
  readonly listeners: Set<Listener>;
  readonly gaps: Gaps;
  /** The position up to which changes were sent. */
  seq: Promise<string>;
  /** The number of changes that no record brought. */
  otherChanges: number;
}

/** Changes of listed calls that the log does not list: follow-ups, erasures, requests for an approval. */
const OTHER_TOPICS: ReadonlySet<string> = new Set(["decisions", "approvals"]);

export function createCallFollower({ pool, bus, log, pressure, gapEveryMs }: FollowerWorld): CallFollower {
  const followed = new Map<string, Followed>();
  const folding = createLogFolding(FOLD_MS);
  const ending = new AbortController();
  let isWoken = false;
  let running: Promise<void> | null = null;
  const asleep = (ms: number) =>
    setTimeout(ms, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);

  function wake(): void {
    isWoken = true;
    if (followed.size > 0 && !ending.signal.aborted)
      running ??= run().finally(() => {
        running = null;
      });
  }

  async function run(): Promise<void> {
    while (isWoken && followed.size > 0 && !ending.signal.aborted) {
      await pressure.untilBelow(YIELDS_AT.refresh, REFRESH_WAIT_MS[pressure.level] ?? 0, ending.signal);
      isWoken = false;
      await tick();
      await asleep(PAUSE_MS);
    }
  }

  async function tick(): Promise<void> {
    try {
      const known = await Promise.all(
        [...followed].map(async ([workspaceId, { seq }]) => ({ workspaceId, seq: await seq })),
      );
      const rows = await inInstallation(() => listChanges(pool, known));
      const workspaces = new Map<string, ChangeRow[]>();
      for (const row of rows) workspaces.set(row.workspace_id, [...(workspaces.get(row.workspace_id) ?? []), row]);
      await Promise.all([...workspaces].map(([workspaceId, changes]) => pass(workspaceId, changes)));
    } catch (error) {
      say(error);
      for (const { gaps } of followed.values()) gaps.add();
    }
  }

  /** A workspace whose calls cannot be read is passed over: its viewers read their lists again. */
  async function pass(workspaceId: string, changes: readonly ChangeRow[]): Promise<void> {
    const one = followed.get(workspaceId);
    const [first] = changes;
    if (one === undefined || first === undefined) return;
    one.seq = Promise.resolve(first.seq);
    const records = changes.filter(({ id }) => id !== null);
    if (first.is_far || records.length > CHANGES_MAX) return one.gaps.add();
    if (records.length === 0) return;
    const { otherChanges } = one;
    try {
      const { calls, isWhole } = await inWorkspace(workspaceId, () => readChangedCalls(pool, workspaceId, records));
      // These rows may have been read before the other change.
      const isCurrent = one.otherChanges === otherChanges;
      if (isCurrent && calls.length > 0) send(one, calls);
      if (!isCurrent || !isWhole) one.gaps.add();
    } catch (error) {
      say(error);
      one.gaps.add();
    }
  }

  function send({ listeners }: Pick<Followed, "listeners">, news: CallNews): void {
    for (const listener of listeners) listener(news);
  }

  function begin(workspaceId: string): Followed {
    const listeners = new Set<Listener>();
    const gaps = createGaps((news) => send({ listeners }, news), gapEveryMs);
    const seq = inWorkspace(workspaceId, () => findPosition(pool, workspaceId));
    return { listeners, gaps, seq, otherChanges: 0 };
  }

  function say(error: unknown): void {
    if (ending.signal.aborted) return;
    const alike = folding.admit("calls");
    if (alike !== null)
      log.error({ err: error, alike }, "live lists of calls are read again: changes cannot be followed");
  }

  /** Viewers read their lists again, after all that was sent before. */
  function noteOther(one: Followed): void {
    one.otherChanges += 1;
    one.gaps.add();
  }

  const unsubscribe = bus.subscribe((workspaceId, topics) => {
    if (topics.some((one) => OTHER_TOPICS.has(one)))
      for (const [id, one] of followed) if (workspaceId === null || workspaceId === id) noteOther(one);
    if (topics.includes("calls") && (workspaceId === null || followed.has(workspaceId))) wake();
  });
  const looking = setInterval(wake, LOOK_EVERY_MS);
  looking.unref();

  return {
    async follow(workspaceId, listener) {
      const one = followed.get(workspaceId) ?? begin(workspaceId);
      followed.set(workspaceId, one);
      one.listeners.add(listener);
      if (one.gaps.isSlowed()) listener({ isSlowed: true });
      const leave = () => {
        one.listeners.delete(listener);
        if (one.listeners.size > 0) return;
        one.gaps.close();
        if (followed.get(workspaceId) === one) followed.delete(workspaceId);
      };
      await one.seq.catch((error: unknown) => {
        leave();
        throw error;
      });
      return leave;
    },
    async close() {
      ending.abort();
      clearInterval(looking);
      for (const { gaps } of followed.values()) gaps.close();
      unsubscribe();
      await running;
    },
  };
}
