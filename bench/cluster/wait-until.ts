/** Waiting for a condition: asked again and again, and for a limited time. */
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 200;

/** Resolves once `isTrue` says so; what it throws counts as "not yet". Errors: the limit, with the last of those errors. */
export async function waitUntil(
  condition: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<void> {
  const endMs = performance.now() + limitMs;
  for (let failure: unknown; ; ) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > endMs)
      throw new Error(`${Math.round(limitMs / 1_000)} s were not enough until ${condition}`, { cause: failure });
    await delay(POLL_MS);
  }
}
