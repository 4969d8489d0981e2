/**
 * Agents' bodies, read without holding other agents up: small ones here and now, larger ones parsed, checked and masked on
 * a worker thread that hands back what is stored.
 *
 * Errors of all three, beside their own: `busy` and `too_costly`.
 */
import { AppError } from "../errors/app-error.ts";
import { createWorkerPool, tasksOf, type WorkerPool } from "../platform/worker-pool.ts";
import * as tasks from "./input-tasks.ts";
import type { ReportLine } from "./read-report-line.ts";

/** Reading and masking so much takes some milliseconds. */
export const INLINE_CHARACTERS_MAX = 65_536;

let pool: WorkerPool | undefined;
/** Admission bounds what one agent has under way; its threads stay, so that a gate seldom waits for one to start. */
export const inputWorkers = (): WorkerPool => {
  pool ??= createWorkerPool({
    threads: 2,
    runningOfOne: 2,
    ofOne: 256,
    waiting: 512,
    deadlineMs: 15_000,
    heapMiB: 512,
    idleMs: 3_600_000,
  });
  return pool;
};
const inWorker = tasksOf<typeof tasks>(inputWorkers, new URL("./input-tasks.ts", import.meta.url));

/** The input in a dispatch's body. */
export async function readInput(agentId: string, asked: tasks.Body): Promise<tasks.ReadInput> {
  return asked.body.length <= INLINE_CHARACTERS_MAX ? tasks.readInput(asked) : inWorker(agentId, "read", asked);
}

/** The texts of a JSON report's events. */
export async function readReportEvents(agentId: string, text: string): Promise<readonly string[]> {
  return text.length <= INLINE_CHARACTERS_MAX ? tasks.elements(text) : inWorker(agentId, "elements", text);
}

/** A report's line; what is wrong with it is no error. */
export async function readReportLineInWorker(agentId: string, text: string, nowMs: number): Promise<ReportLine> {
  const found = await inWorker(agentId, "line", { text, nowMs });
  if (found.kind === "event") return found;
  const { code, detail, options } = found.failure;
  return { kind: "refused", eventId: found.eventId, failure: new AppError(code, detail, options) };
}
