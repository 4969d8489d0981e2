/**
 * Reports spooled events, the oldest first, and deletes those that the console has stored. Repeating a report stores
 * nothing twice.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, type ConsoleClient, errorCodeIn, isAwayStatus, refusalOf } from "./console-client.ts";
import { ConsoleAway, isMissing, Trouble } from "./errors.ts";
import { isLocked, tryLock } from "./lock.ts";
import { keepRefused } from "./refused-events.ts";
import { listSpool, removeSpooled, type SpoolFile, spoolDir, spoolLoss } from "./spool.ts";

const REPORT_EVENTS_MAX = 500;
const REPORT_BYTES_MAX = 3 * 1024 * 1024;
/** A larger file is sent after all others and on its own, so that its failure affects no other. */
const LARGE_BYTES = 512 * 1024;
const REPORT_TIMEOUT_MS = 30_000;
/** Large events in a row that may fail before the console counts as away. */
const FAILURES_MAX = 3;

/** Errors of the console's own for which a report is taken apart: enough to find the one event that they are about. */
const FAULTS_MAX = 20;

const lockOf = (dir: string) => join(spoolDir(dir), "flush.lock");

/** True if another process is reporting, which will also report the events spooled since it began. */
export function isFlushing(dir: string, nowMs: number): boolean {
  return isLocked(lockOf(dir), nowMs);
}

/**
 * Reports the spooled events and returns the number that the console stored; refused events are kept separately.
 * Errors: `ConsoleAway`, `Trouble`; the unreported events then stay in the spool.
 */
export async function flush(dir: string, console: ConsoleClient, now: () => number): Promise<number> {
  mkdirSync(spoolDir(dir), { recursive: true, mode: 0o700 });
  const round = new Round(dir, console);
  // Runs once more after releasing the lock, because a process that spooled during the lock relied on us.
  while (round.next().length > 0 || hasLoss(dir)) {
    const release = tryLock(lockOf(dir), now());
    if (!release) return round.reported;
    try {
      spoolLoss(dir, now());
      for (let batch = round.next(); batch.length > 0; batch = round.next()) await round.send(batch);
    } finally {
      release();
    }
  }
  if (round.failure) throw round.failure;
  return round.reported;
}

function hasLoss(dir: string): boolean {
  try {
    return readFileSync(join(spoolDir(dir), "lost")).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

interface LineAnswer {
  readonly index: number;
  readonly status: string;
  readonly error?: { readonly code: string };
}

/** One flush: the reported files, and those left for the next flush. */
class Round {
  reported = 0;
  /** The last reason why something was left. */
  failure: Trouble | undefined;
  private readonly left = new Set<string>();
  private failures = 0;
  private faults = 0;

  constructor(
    private readonly dir: string,
    private readonly console: ConsoleClient,
  ) {}

  /** The oldest files that fit into one request; empty without files. */
  next(): SpoolFile[] {
    const files = listSpool(this.dir).filter(({ name }) => !this.left.has(name));
    const small = files.filter((file) => file.bytes <= LARGE_BYTES);
    if (small.length === 0) return files.slice(0, 1);
    let bytes = 0;
    const end = small.findIndex((file, index) => {
      bytes += file.bytes;
      return bytes > REPORT_BYTES_MAX || index >= REPORT_EVENTS_MAX;
    });
    return end === -1 ? small : small.slice(0, end);
  }

  /** Errors: `ConsoleAway`, or a `Trouble` when no event would be taken. */
  async send(files: readonly SpoolFile[]): Promise<void> {
    const lines = files.map((file) => lineIn(this.dir, file));
    const sent = files.filter((_file, index) => lines[index] !== "");
    // Empty after a crash, or moved by another process.
    for (const file of files) if (!sent.includes(file)) removeSpooled(this.dir, file);
    if (sent.length === 0) return;
    const isLarge = sent.length === 1 && (sent[0]?.bytes ?? 0) > LARGE_BYTES;
    try {
      await this.take(sent, await this.post(lines.filter((line) => line !== "").join("\n")));
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (!(error instanceof ConsoleAway) || !isLarge || this.failures >= FAILURES_MAX) throw error;
      this.leave(sent, error);
    }
  }

  private async post(body: string): Promise<Answer> {
    const answer = await this.console.ask({
      method: "POST",
      path: "/api/v1/events",
      headers: { "content-type": "application/x-ndjson" },
      body: Buffer.from(body),
      timeoutMs: REPORT_TIMEOUT_MS,
    });
    // A 500 may concern only this report; each other status of this kind concerns every report.
    if (isAwayStatus(answer.status) && answer.status !== 500) throw new ConsoleAway(refusalOf(answer));
    return answer;
  }

  private async take(sent: readonly SpoolFile[], answer: Answer): Promise<void> {
    const results = resultsIn(answer.body);
    if (results && results.length === sent.length) return this.forget(sent, results);
    if (KEY_STATUSES.has(answer.status)) throw new Trouble(refusalOf(answer));
    // The answer does not name the event, so each half is reported separately.
    if (sent.length > 1) {
      if (answer.status >= 500) this.faults += 1;
      if (this.faults > FAULTS_MAX) throw new ConsoleAway(refusalOf(answer));
      const middle = Math.ceil(sent.length / 2);
      await this.send(sent.slice(0, middle));
      await this.send(sent.slice(middle));
      return undefined;
    }
    const code = errorCodeIn(answer.body);
    const isRefusal = REFUSAL_STATUSES.has(answer.status) && code !== "body_incomplete";
    for (const file of sent) {
      if (isRefusal) keepRefused(this.dir, file, code ?? `http_${answer.status}`);
      else this.leave([file], new ConsoleAway(refusalOf(answer)));
    }
    return undefined;
  }

  private forget(sent: readonly SpoolFile[], results: readonly LineAnswer[]): void {
    for (const { index, status, error } of results) {
      const file = sent[index];
      if (!file) continue;
      if (error?.code === "unrecorded")
        this.leave([file], new ConsoleAway("The console could not store everything now."));
      else if (status === "refused") keepRefused(this.dir, file, error?.code ?? "");
      else {
        removeSpooled(this.dir, file);
        this.reported += 1;
      }
    }
  }

  private leave(files: readonly SpoolFile[], why: Trouble): void {
    this.failure = why;
    for (const { name } of files) this.left.add(name);
  }
}

/** About who asks, or where: no event has anything to do with it. */
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 405, 415]);
/** Statuses about the sent content: a retry would be refused again. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** One line for sure; "" when another process was faster. */
function lineIn(dir: string, { name }: SpoolFile): string {
  try {
    return readFileSync(join(spoolDir(dir), name), "utf8")
      .trim()
      .replace(/[\r\n]+/g, " ");
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
