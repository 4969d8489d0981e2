/**
 * One viewer's stream: changes gathered while it was busy leave as one message, at most five a second; fewer while gates
 * wait, and the messages say so.
 */
import { setTimeout as delay } from "node:timers/promises";
import { positionText } from "../access/heard-schema.ts";
import { type Pressure, REFRESH_WAIT_MS, YIELDS_AT } from "../pressure/index.ts";
import { type LiveChange, type Topic, topic } from "./schema.ts";
import type { Bus } from "./service.ts";

const INTERVAL_MS = 200;
/** Milliseconds between two checks of the bus's connection. */
const LOOK_MS = 500;

export interface StreamSources {
  readonly bus: Pick<Bus, "subscribe" | "isCurrent" | "position">;
  readonly pressure: Pick<Pressure, "level" | "untilBelow" | "onChange">;
}

export interface Viewer {
  readonly workspaceId: string;
  /** True for a viewer that reconnects: missed changes are not stored, so it refetches everything. */
  readonly isReturn: boolean;
}

/**
 * The changes that concern a viewer, until `signal` ends the stream; the first message says where the viewer begins.
 * The first change after a quiet time is sent at once, later ones at the common moments of all viewers, which then ask
 * together. Pending changes are a set of topics, so a slow viewer costs no memory.
 */
export async function* streamChanges(
  { bus, pressure }: StreamSources,
  { workspaceId, isReturn }: Viewer,
  signal: AbortSignal,
): AsyncGenerator<LiveChange> {
  const waiting = new Set<Topic>();
  const isSlowedNow = () => pressure.level >= YIELDS_AT.refresh;
  let heard = positionText(bus.position());
  let isGap = false;
  let isCurrent = true;
  let isSlowed = false;
  let wake: (() => void) | null = null;
  const stop = bus.subscribe((changed, topics) => {
    if (changed !== null && changed !== workspaceId) return;
    isGap ||= changed === null;
    // No screen depends on the log topic only.
    const shown = topics.filter((one) => one !== "log");
    if (shown.length === 0) return;
    for (const one of shown) waiting.add(one);
    heard = positionText(bus.position());
    wake?.();
  });
  const stopPressure = pressure.onChange(() => wake?.());
  const end = () => wake?.();
  signal.addEventListener("abort", end);
  const looking = setInterval(() => {
    if (bus.isCurrent() !== isCurrent) wake?.();
  }, LOOK_MS);
  try {
    yield isReturn ? { topics: topic.options, refetch: true, heard } : { topics: [], heard };
    while (!signal.aborted) {
      if (bus.isCurrent() !== isCurrent) {
        isCurrent = !isCurrent;
        yield { topics: [], isCurrent, ...(isCurrent && { heard }), ...(isSlowed && { isSlowed }) };
        continue;
      }
      if (waiting.size === 0 && isSlowed === isSlowedNow()) {
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
      isSlowed = isSlowedNow();
      yield { topics, heard, ...(refetch ? { refetch } : {}), ...(isSlowed && { isSlowed }) };
      await delay(untilNextMoment(), undefined, { signal }).catch(() => undefined);
      if (topics.length > 0) await pressure.untilBelow(YIELDS_AT.refresh, REFRESH_WAIT_MS[pressure.level] ?? 0, signal);
    }
  } finally {
    clearInterval(looking);
    signal.removeEventListener("abort", end);
    stopPressure();
    stop();
  }
}

/** Milliseconds until the next common moment, half an interval at least. */
function untilNextMoment(): number {
  const now = performance.now();
  return Math.ceil((now + INTERVAL_MS / 2) / INTERVAL_MS) * INTERVAL_MS - now;
}
