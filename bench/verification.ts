/**
 * A whole verification of the stored record, from its first entry to its last dispatch; interrupted once by the death of the
 * process that works on it.
 *
 *     npm run bench verification [-- dispatches]
 */
import { setTimeout as delay } from "node:timers/promises";
import { childrenOf, commandLine } from "../e2e/fixtures/processes.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";
import { newestRun, startVerification } from "./fixtures/verification-run.ts";

const DISPATCHES = 5_000_000;
const SECONDS_MAX = 300;
const LOOK_EVERY_MS = 500;
const GIVE_UP_S = 3_600;

/** True when it ends in time, finds nothing, and goes on where it was interrupted. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const dispatches = Number(args[0] ?? DISPATCHES);
  const filled = await filledServer(dispatches);
  try {
    const before = processorOf(filled.server.pid ?? 0);
    const whole = await verify(filled);
    const taken = processorsTaken(before, processorOf(filled.server.pid ?? 0), whole.seconds);
    observed("processors", processorsText(taken));
    const rate = Math.round(whole.dispatches / whole.seconds);
    const isFast = promised(
      `${dispatches} dispatches`,
      `under ${SECONDS_MAX} s`,
      `${whole.seconds.toFixed(0)} s (${rate} dispatches/s, ${whole.entries} entries of the chain)`,
      whole.seconds < SECONDS_MAX && whole.dispatches >= dispatches,
    );
    const result = [`${whole.verdict}, ${whole.findings} findings`, ...whole.sentences.slice(0, 3)].join("; ");
    const isClean = promised("result", "proven", result, whole.findings === 0);
    const resumed = await verify(filled, whole.seconds / 2);
    const share = resumed.redone / Math.max(1, resumed.entries);
    const isResumable = promised(
      "its process killed half way",
      "it goes on where it was",
      `${resumed.seconds.toFixed(0)} s in all, ${Math.round(share * 100)} % of the entries verified again, ${resumed.verdict}`,
      resumed.findings === 0 && share < 0.25,
    );
    return isFast && isClean && isResumable;
  } finally {
    await filled.close();
  }
}

interface Verified {
  readonly seconds: number;
  readonly entries: number;
  readonly dispatches: number;
  readonly findings: number;
  readonly verdict: string;
  /** The findings, in words. */
  readonly sentences: readonly string[];
  /** Entries behind the last position seen before the process was killed, and before the one that it went on from. */
  readonly redone: number;
}

async function verify(
  { script, server }: FilledServer,
  killAfterSeconds = Number.POSITIVE_INFINITY,
): Promise<Verified> {
  await startVerification(script);
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  let reached = 0;
  let redone = 0;
  let isKilled = false;
  for (;;) {
    const run = await newestRun(script);
    redone = Math.max(redone, reached - run.position);
    reached = Math.max(reached, run.position);
    if (run.state === "done" && run.result !== null) {
      const { verdict, altered, missing } = run.result;
      const { entries, dispatches, findings } = run;
      return {
        seconds: seconds(),
        entries,
        dispatches,
        findings,
        redone,
        verdict,
        sentences: [...altered, ...missing],
      };
    }
    if (run.state === "failed") throw new Error(`the verification failed: ${run.failure}`);
    if (seconds() > GIVE_UP_S) throw new Error("the verification has no end");
    if (!isKilled && seconds() > killAfterSeconds) {
      process.kill(jobsOf(server.pid ?? 0), "SIGKILL");
      isKilled = true;
    }
    await delay(LOOK_EVERY_MS);
  }
}

function jobsOf(pid: number): number {
  const [supervisor = 0] = childrenOf(pid);
  const jobs = childrenOf(supervisor).find((child) => commandLine(child).includes("/jobs.mjs"));
  if (jobs === undefined) throw new Error("there is no jobs process");
  return jobs;
}
