/**
 * Calls held open until a person answers. A waiting call is an id and a promise: it holds no connection, slot or
 * transaction. Answers are read when the bus reports a change, and periodically in case it does not.
 */
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { Leases } from "./leases.ts";
import * as approvals from "./repository.ts";

const LOOK_MS = 500;
/** Each turn reads one part of the calls, so that its statements stay short. Each call has its turn every 4 s. */
const PARTS = 8;
/** A lease is extended every 3 s, a fifth of its time. */
const TURNS_A_LEASE = 6;

type Resolve = (settlement: approvals.Settlement | null) => void;

/** The calls that wait, by workspace and request. */
type Waiting = Map<string, Map<string, Set<Resolve>>>;

export interface WaitingCallsOptions {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly leases: Leases;
}

export function createWaitingCalls({ pool, bus, log, leases }: WaitingCallsOptions) {
  const waiting: Waiting = new Map();
  /** Checks in progress, by workspace; true when another one is due. */
  const looking = new Map<string, boolean>();
  let turns = 0;

  async function look(workspaceId: string): Promise<void> {
    if (looking.has(workspaceId)) {
      looking.set(workspaceId, true);
      return;
    }
    looking.set(workspaceId, false);
    try {
      await takeAnswers(workspaceId, [...(waiting.get(workspaceId)?.keys() ?? [])]);
    } finally {
      const isDue = looking.get(workspaceId);
      looking.delete(workspaceId);
      if (isDue) void look(workspaceId).catch(onFailure);
    }
  }

  async function takeAnswers(workspaceId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const answered = await inWorkspace(workspaceId, () => approvals.listClosed(pool, workspaceId, ids));
    for (const settlement of answered) {
      const resolvers = waiting.get(workspaceId)?.get(settlement.id) ?? [];
      for (const resolve of [...resolvers]) resolve(settlement);
    }
  }

  const onFailure = (error: unknown) => log.warn({ err: error }, "answers to waiting calls could not be looked for");

  const unsubscribe = bus.subscribe((workspaceId, topics) => {
    if (!topics.includes("approvals")) return;
    const due = workspaceId === null ? [...waiting.keys()] : waiting.has(workspaceId) ? [workspaceId] : [];
    for (const one of due) void look(one).catch(onFailure);
  });

  async function turn(): Promise<number> {
    turns += 1;
    for (const [workspaceId, calls] of waiting) {
      const part = [...calls.keys()].filter((id) => partOf(id) === turns % PARTS);
      if (turns % TURNS_A_LEASE === 0) await leases.extend(workspaceId);
      await (bus.isCurrent() ? takeAnswers(workspaceId, part) : look(workspaceId));
    }
    return LOOK_MS;
  }
  const repeater = createRepeater({ turn, firstMs: LOOK_MS, retryMs: LOOK_MS, onFailure });
  repeater.start();

  return {
    /** Its answer; null when `signal` is aborted or the time is over first. */
    wait: (workspaceId: string, id: string, forMs: number, signal: AbortSignal) =>
      waitFor(waiting, { workspaceId, id, forMs, signal }),
    /** True while another call of this process waits for the same answer. */
    isAwaited: (workspaceId: string, id: string): boolean => waiting.get(workspaceId)?.has(id) ?? false,
    get count() {
      let count = 0;
      for (const calls of waiting.values()) count += calls.size;
      return count;
    },
    async close(): Promise<void> {
      unsubscribe();
      await repeater.stop();
      for (const calls of [...waiting.values()])
        for (const resolvers of [...calls.values()]) for (const resolve of [...resolvers]) resolve(null);
    },
  };
}

interface Wait {
  readonly workspaceId: string;
  readonly id: string;
  readonly forMs: number;
  readonly signal: AbortSignal;
}

function waitFor(waiting: Waiting, { workspaceId, id, forMs, signal }: Wait): Promise<approvals.Settlement | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const calls = waiting.get(workspaceId) ?? new Map<string, Set<Resolve>>();
    waiting.set(workspaceId, calls);
    const resolvers = calls.get(id) ?? new Set<Resolve>();
    calls.set(id, resolvers);
    const end: Resolve = (settlement) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolvers.delete(end);
      if (resolvers.size === 0 && calls.get(id) === resolvers) calls.delete(id);
      if (calls.size === 0 && waiting.get(workspaceId) === calls) waiting.delete(workspaceId);
      resolve(settlement);
    };
    const onAbort = () => end(null);
    const timer = setTimeout(end, forMs, null);
    signal.addEventListener("abort", onAbort, { once: true });
    resolvers.add(end);
  });
}

/** Its last digit is random. */
const partOf = (id: string): number => Number.parseInt(id.slice(-1), 16) % PARTS;
