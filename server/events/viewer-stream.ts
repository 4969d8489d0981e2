/** One viewer's stream: changes gathered while it was busy leave as one message, at most ten a second. */
import { setTimeout as delay } from "node:timers/promises";
import type { LiveChange, Topic } from "./schema.ts";
import type { Bus } from "./service.ts";

const INTERVAL_MS = 100;
/** Milliseconds between two checks of the bus's connection. */
const LOOK_MS = 500;

/**
 * The changes that concern a viewer of `workspaceId`, until `signal` ends the stream. The first change after a quiet
 * time is sent at once. Pending changes are a set of topics, so a slow viewer costs no memory.
 */
export async function* streamChanges(bus: Bus, workspaceId: string, signal: AbortSignal): AsyncGenerator<LiveChange> {
  const waiting = new Set<Topic>();
  let isGap = false;
  let isCurrent = true;
  let wake: (() => void) | null = null;
  const stop = bus.subscribe((changed, topics) => {
    if (changed !== null && changed !== workspaceId) return;
    isGap ||= changed === null;
    // No screen depends on the log topic only.
    for (const topic of topics) if (topic !== "log") waiting.add(topic);
    wake?.();
  });
  const end = () => wake?.();
  signal.addEventListener("abort", end);
  const looking = setInterval(() => {
    if (bus.isCurrent() !== isCurrent) wake?.();
  }, LOOK_MS);
  try {
    while (!signal.aborted) {
      if (bus.isCurrent() !== isCurrent) {
        isCurrent = !isCurrent;
        yield { topics: [], isCurrent };
        continue;
      }
      if (waiting.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
        continue;
      }
      const topics = [...waiting];
      const refetch = isGap;
      waiting.clear();
      isGap = false;
      yield refetch ? { topics, refetch } : { topics };
      await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(looking);
    signal.removeEventListener("abort", end);
    stop();
  }
}
