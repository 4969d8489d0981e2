/**
 * Reads agents' request bodies without blocking other agents: small ones at once, larger ones on a worker thread that
 * parses, checks and masks them and returns the stored form.
 *
 * Errors of all functions, in addition to their own: `busy` and `too_costly`.
 */
import type { HookInput } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { AppError } from "../errors/app-error.ts";
import { createWorkerPool, tasksOf, type WorkerPool } from "../platform/worker-pool.ts";
import type { OwnMasked } from "./dispatch-request.ts";
import * as tasks from "./input-tasks.ts";
import type { ReportLine } from "./read-report-line.ts";

/** Reading and masking this much text takes a few milliseconds. */
export const INLINE_CHARACTERS_MAX = 65_536;

let pool: WorkerPool | undefined;
/**
 * Admission limits the concurrent work of one agent. The threads stay alive, so that a gate rarely waits for a start.
 */
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

/**
 * An input that was composed of parsed values, as if it had been the body: printed, but not parsed again where that would
 * give the same value.
 */
export async function readComposedInput(agentId: string, input: HookInput): Promise<tasks.ReadInput> {
  const body = printExactJson(input);
  const read = body.length <= INLINE_CHARACTERS_MAX ? tasks.readComposed(input, body) : null;
  return read ?? readInput(agentId, { body, isEnveloped: false });
}

/** A large input by its workspace's own masking. */
export const maskInputInWorker = (agentId: string, asked: tasks.LargeInput): Promise<OwnMasked> =>
  inWorker(agentId, "maskInput", asked);

/** The texts of a JSON report's events. */
export async function readReportEvents(agentId: string, text: string): Promise<readonly string[]> {
  return text.length <= INLINE_CHARACTERS_MAX ? tasks.elements(text) : inWorker(agentId, "elements", text);
}

/** Reads a report's line. An invalid line is a result, not an error. */
export async function readReportLineInWorker(agentId: string, text: string, nowMs: number): Promise<ReportLine> {
  const found = await inWorker(agentId, "line", { text, nowMs });
  if (found.kind === "event") return found;
  const { code, detail, options } = found.failure;
  return { kind: "refused", eventId: found.eventId, failure: new AppError(code, detail, options) };
}
