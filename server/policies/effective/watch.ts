/** Waits for policy changes: one bus listener for all waiting requests. */
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";

export interface PolicyWatch {
  /**
   * Begins to listen now; `changed` resolves at the next change of policies or keys that may concern the workspace, at the deadline or when
   * one of `signals` is aborted. `stop` must be called. Errors: `busy` when too many wait.
   */
  begin(workspaceId: string, agentId: string): Watching;
  readonly waiting: number;
}

export interface Watching {
  changed(waitMs: number, signals: readonly AbortSignal[]): Promise<void>;
  stop(): void;
}

export interface WatchLimits {
  readonly totalMax: number;
  readonly perAgentMax: number;
}

export const WATCH_LIMITS: WatchLimits = { totalMax: 2_048, perAgentMax: 64 };

interface Waiter {
  readonly workspaceId: string;
  readonly agentId: string;
  isWoken: boolean;
  wake: () => void;
}

export function createPolicyWatch(bus: Bus, { totalMax, perAgentMax }: WatchLimits = WATCH_LIMITS): PolicyWatch {
  const waiters = new Set<Waiter>();
  bus.subscribe((workspaceId, topics) => {
    if (waiters.size === 0 || !(topics.includes("policies") || topics.includes("keys"))) return;
    for (const waiter of waiters) {
      if (workspaceId !== null && waiter.workspaceId !== workspaceId) continue;
      waiter.isWoken = true;
      waiter.wake();
    }
  });

  return {
    begin(workspaceId, agentId) {
      const own = [...waiters].filter((waiter) => waiter.agentId === agentId).length;
      if (waiters.size >= totalMax || own >= perAgentMax)
        throw new AppError("busy", undefined, {
          says: "Too many requests are waiting for this policy.",
          retryAfterSeconds: 5,
        });
      const waiter: Waiter = { workspaceId, agentId, isWoken: false, wake: () => undefined };
      waiters.add(waiter);
      return {
        async changed(waitMs, signals) {
          if (!waiter.isWoken && !signals.some((signal) => signal.aborted))
            await new Promise<void>((resolve) => {
              const done = () => {
                clearTimeout(timer);
                for (const signal of signals) signal.removeEventListener("abort", done);
                resolve();
              };
              const timer = setTimeout(done, waitMs);
              for (const signal of signals) signal.addEventListener("abort", done);
              waiter.wake = done;
            });
          waiter.isWoken = false;
          waiter.wake = () => undefined;
        },
        stop: () => void waiters.delete(waiter),
      };
    },
    get waiting() {
      return waiters.size;
    },
  };
}
