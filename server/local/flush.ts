/** Reports what is spooled, oldest first, and forgets what the console has. Repeating a report stores nothing twice. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ConsoleClient, isAwayStatus, refusalOf } from "./console-client.ts";
import { isLocked, tryLock } from "./lock.ts";
import { listSpool, removeSpooled, type SpoolFile, spoolDir, spoolLoss } from "./spool.ts";
import { ConsoleAway, isMissing, Trouble } from "./trouble.ts";

const REPORT_EVENTS_MAX = 500;
const REPORT_BYTES_MAX = 3 * 1024 * 1024;
const REPORT_TIMEOUT_MS = 30_000;

const lockOf = (dir: string) => join(spoolDir(dir), "flush.lock");

/** Whether somebody reports right now, and so will also report what was spooled meanwhile. */
export function isFlushing(dir: string, nowMs: number): boolean {
  return isLocked(lockOf(dir), nowMs);
}

/** How many events the console has now of those that were spooled. Errors: `ConsoleAway`, `Trouble`; then the rest stays. */
export async function flush(dir: string, console: ConsoleClient, now: () => number): Promise<number> {
  mkdirSync(spoolDir(dir), { recursive: true, mode: 0o700 });
  let reported = 0;
  // Once more after letting go: whoever spooled while we held the lock relied on us.
  while (hasMore(dir)) {
    const release = tryLock(lockOf(dir), now());
    if (!release) return reported;
    try {
      spoolLoss(dir, now());
      for (let files = listSpool(dir); files.length > 0; files = listSpool(dir)) {
        const batch = batchOf(files);
        await report(dir, batch, console);
        reported += batch.length;
      }
    } finally {
      release();
    }
  }
  return reported;
}

const hasMore = (dir: string) => listSpool(dir).length > 0 || hasLoss(dir);

function hasLoss(dir: string): boolean {
  try {
    return readFileSync(join(spoolDir(dir), "lost")).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function batchOf(files: readonly SpoolFile[]): SpoolFile[] {
  let bytes = 0;
  const batch = files.slice(0, REPORT_EVENTS_MAX).filter((file, index) => {
    bytes += file.bytes;
    return index === 0 || bytes <= REPORT_BYTES_MAX;
  });
  return batch;
}

interface LineAnswer {
  readonly index: number;
  readonly status: string;
  readonly error?: { readonly code: string };
}

async function report(dir: string, batch: readonly SpoolFile[], console: ConsoleClient): Promise<void> {
  const lines = batch.map((file) => lineIn(dir, file));
  const sent = batch.filter((_file, index) => lines[index] !== "");
  const body = lines.join("");
  if (body !== "") {
    const answer = await console.ask({
      method: "POST",
      path: "/api/v1/events",
      headers: { "content-type": "application/x-ndjson" },
      body: Buffer.from(body),
      timeoutMs: REPORT_TIMEOUT_MS,
    });
    if (isAwayStatus(answer.status)) throw new ConsoleAway(refusalOf(answer));
    const results = resultsIn(answer.body);
    if (!results || results.length !== sent.length) throw new Trouble(refusalOf(answer));
    // A line that is refused for what it is would be refused for ever.
    const isLater = (result: LineAnswer) => result.error?.code === "unrecorded";
    const later = new Set(results.filter(isLater).map((result) => sent[result.index]));
    for (const file of batch) if (!later.has(file)) removeSpooled(dir, file);
    if (later.size > 0) throw new ConsoleAway("The console could not store everything now.");
  } else for (const file of batch) removeSpooled(dir, file);
}

/** "" when another process was faster. */
function lineIn(dir: string, { name }: SpoolFile): string {
  try {
    return readFileSync(join(spoolDir(dir), name), "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

function resultsIn(body: Buffer): readonly LineAnswer[] | undefined {
  try {
    const results: unknown = JSON.parse(body.toString("utf8")).results;
    return Array.isArray(results) ? (results as LineAnswer[]) : undefined; // the console's own view
  } catch {
    return undefined;
  }
}
