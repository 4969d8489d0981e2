/**
 * Calls that are held open until somebody answers. A call that waits is an id and a promise: no connection, no slot, no transaction.
 * Answers are looked for when the bus says so, and twice a second in case it does not.
 */
import type { Bus } from "../live/service.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as approvals from "./repository.ts";

export const LEASE_MS = 15_000;
const RENEW_MS = 4_000;
const LOOK_MS = 500;

type Resolve = (settlement: approvals.Settlement | null) => void;

export function createWaitingCalls({ pool, bus, log }: { readonly pool: Pool; readonly bus: Bus; readonly log: Log }) {
  const waiting = new Map<string, Map<string, Set<Resolve>>>();
  /** Looks under way, by workspace; true where another one is due. */
  const looking = new Map<string, boolean>();
  let renewedMs = 0;

  async function look(workspaceId: string): Promise<void> {
    if (looking.has(workspaceId)) {
      looking.set(workspaceId, true);
      return;
    }
    looking.set(workspaceId, false);
    try {
      const calls = waiting.get(workspaceId);
      if (!calls) return;
      const settled = await inWorkspace(workspaceId, () => approvals.listClosed(pool, workspaceId, [...calls.keys()]));
      for (const settlement of settled) {
        const resolvers = calls.get(settlement.id) ?? [];
        for (const resolve of [...resolvers]) resolve(settlement);
      }
    } finally {
      const isDue = looking.get(workspaceId);
      looking.delete(workspaceId);
      if (isDue) void look(workspaceId).catch(onFailure);
    }
  }

  const onFailure = (error: unknown) => log.warn({ err: error }, "answers to waiting calls could not be looked for");

  const unsubscribe = bus.subscribe((workspaceId, topics) => {
    if (!topics.includes("approvals")) return;
    const due = workspaceId === null ? [...waiting.keys()] : waiting.has(workspaceId) ? [workspaceId] : [];
    for (const one of due) void look(one).catch(onFailure);
  });

  async function turn(): Promise<number> {
    const isRenewal = performance.now() - renewedMs >= RENEW_MS;
    if (isRenewal) renewedMs = performance.now();
    for (const [workspaceId, calls] of waiting) {
      if (isRenewal)
        await inWorkspace(workspaceId, () => approvals.extendLeases(pool, workspaceId, [...calls.keys()], LEASE_MS));
      await look(workspaceId);
    }
    return LOOK_MS;
  }
  const repeater = createRepeater({ turn, firstMs: LOOK_MS, retryMs: LOOK_MS, onFailure });
  repeater.start();

  return {
    /** Its answer; null when `signal` is aborted or the time is over first. */
    wait(workspaceId: string, id: string, forMs: number, signal: AbortSignal): Promise<approvals.Settlement | null> {
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
    },
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
