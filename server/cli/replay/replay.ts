/** Sends recorded sessions to the running server, several files in parallel, and reports the answers. */
import { env } from "../../platform/env.ts";
import { print } from "../print.ts";
import { Refusal } from "../refusal.ts";
import { dispatchFile } from "./as-dispatch.ts";
import { reportFile } from "./as-report.ts";
import { createReplayPace } from "./pace.ts";
import { createPoster } from "./post.ts";
import { ReplayCounts } from "./replay-counts.ts";

/** Sessions in real time overlap as they were recorded; at full speed a few dozen keep the server busy. */
const FILES_AT_ONCE = { paced: 256, dispatch: 64, report: 4 };

export interface ReplayOptions {
  readonly key: string;
  readonly as: "dispatch" | "report";
  /** A multiple of the recorded speed; infinite for full speed. */
  readonly speed: number;
}

/** Errors: a `Refusal` if an event was refused or the server is gone; events acknowledged before are stored. */
export async function replay(files: readonly string[], { key, as, speed }: ReplayOptions): Promise<void> {
  const outcome = new ReplayCounts();
  const pace = createReplayPace(speed);
  const poster = createPoster(env().url, key);
  const send = as === "dispatch" ? dispatchFile : reportFile;
  const waiting = files.values();
  const startedMs = performance.now();
  const worker = async () => {
    for (const file of waiting) await send(file, poster, pace, outcome);
  };
  const atOnce = speed === Number.POSITIVE_INFINITY ? FILES_AT_ONCE[as] : FILES_AT_ONCE.paced;
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, worker));
  } finally {
    poster.close();
    if (outcome.sent > 0) print(outcome.summary(files.length, performance.now() - startedMs, as === "dispatch"));
  }
  if (outcome.refused > 0) throw new Refusal(`${outcome.refused} of ${outcome.sent} events were refused.`);
}
