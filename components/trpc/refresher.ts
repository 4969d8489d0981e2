/**
 * Refetches changed queries: at once after a quiet time, never twice at the same time for one query, never more often
 * than its procedure allows, and never more than half of the time. All changes in between lead to one more fetch. A
 * slow server is busy, so it gets far fewer fetches, regardless of the number of viewers.
 */
import type { QueryKey } from "@tanstack/react-query";

export interface RefresherPorts {
  /** Refetches the query and resolves when it is done; never rejects for a failed fetch. */
  fetch: (queryHash: string) => Promise<void>;
  /** Resolves when a fetch that other code began is over; immediately when there is none. */
  settled: (queryHash: string) => Promise<void>;
  /** Milliseconds from the beginning of one fetch to that of the next, half of it at least after a quiet time. */
  intervalMs: (queryHash: string) => number;
  nowMs: () => number;
  wait: (ms: number) => Promise<void>;
}

/**
 * A query pauses for as long as its fetch took while that is quick; time above this limit is multiplied. A screen
 * follows within a second while the server keeps up, and gates do not wait for screens when it does not.
 */
const QUICK_MS = { rows: 100, others: 200 } as const;
const SLOW_PAUSES = { rows: 3, others: 9 } as const;
const PAUSE_MS_MAX = 5_000;
/** After this time, the durations of earlier answers say nothing about the server. */
const KNOWN_MS = 10_000;
/**
 * Milliseconds from one fetch to the next. Rows and tiles have no own limit: the server notifies a viewer at most five
 * times a second.
 */
const INTERVALS_MS = { rows: 10, tiles: 50, sums: 500, others: 2_000, costly: 5_000 } as const;
export const COUNTS_EVERY_MS = INTERVALS_MS.costly;

/** Sums that every viewer of a page watches. All viewers share one answer after each change (docs/adr/0104). */
const TILES: ReadonlySet<string> = new Set(["overview.summary", "overview.spendToday", "costs.summary"]);
/** True for a procedure, such as `overview.summary`, whose answer is tiles. */
export const isTile = (procedure: string): boolean => TILES.has(procedure);
/** Percentiles, which no sum follows, and what is computed for each agent and rule. */
const COSTLY: ReadonlySet<string> = new Set([
  ...["rules.cards", "rules.get", "rules.revisions"],
  ...["overview.gaps", "overview.agentChanges", "shadowMode.sums"],
]);
/** Rows that are read and not watched; an agent's row changes with each sign of life. */
const READ: ReadonlySet<unknown> = new Set(["audit", "agents"]);

/**
 * The minimum time between two fetches of a query, in milliseconds: rows and tiles as they change, sessions and other
 * sums twice a second, charts, rankings and agents every two seconds, because they cost the most to read and draw.
 * Counts next to filters and costly figures refresh least often. Lists, and all queries that are read page by page, are
 * rows.
 */
export function minFetchIntervalMs([path, options]: QueryKey): number {
  const name = Array.isArray(path) ? String(path.at(-1)) : "";
  const procedure = Array.isArray(path) ? path.join(".") : "";
  if (name.toLowerCase().endsWith("facets") || COSTLY.has(procedure)) return INTERVALS_MS.costly;
  if (isTile(procedure)) return INTERVALS_MS.tiles;
  if (Array.isArray(path) && READ.has(path[0])) return INTERVALS_MS.others;
  if (procedure === "sessions.list" || name === "summary") return INTERVALS_MS.sums;
  return name === "list" || isPaged(options) ? INTERVALS_MS.rows : INTERVALS_MS.others;
}

/** tRPC writes the query type into the key, after the path. */
const isPaged = (options: unknown): boolean =>
  typeof options === "object" && options !== null && "type" in options && options.type === "infinite";

/** The durations of the last answers to a query, in milliseconds; the newest came at `atMs`. */
interface Answers {
  readonly atMs: number;
  readonly last: readonly number[];
}

/** The next common moment for queries with the same interval, given how long an answer takes. */
function momentAfter(began: number, now: number, { tookMs, interval }: { tookMs: number; interval: number }): number {
  const kind = interval > INTERVALS_MS.rows ? "others" : "rows";
  const quickMs = Math.min(tookMs, QUICK_MS[kind]);
  const pauseMs = quickMs + (tookMs - quickMs) * SLOW_PAUSES[kind];
  const earliest = Math.max(now + Math.min(pauseMs, PAUSE_MS_MAX), began + interval / 2);
  return Math.ceil(earliest / interval) * interval;
}

export class Refresher {
  readonly #ports: RefresherPorts;
  /** Queries being fetched or pausing; true when something changed since the last fetch began. */
  readonly #changed = new Map<string, boolean>();
  readonly #moments = new Map<number, Promise<void>>();
  readonly #answers = new Map<string, Answers>();

  constructor(ports: RefresherPorts) {
    this.#ports = ports;
  }

  /** Something behind this query changed. Settles when the query has caught up. */
  async refresh(queryHash: string): Promise<void> {
    if (this.#changed.has(queryHash)) {
      this.#changed.set(queryHash, true);
      return;
    }
    this.#changed.set(queryHash, false);
    try {
      await this.#ports.settled(queryHash);
      do {
        this.#changed.set(queryHash, false);
        const began = this.#ports.nowMs();
        await this.#ports.fetch(queryHash);
        const now = this.#ports.nowMs();
        const tookMs = this.#usual(queryHash, now - began);
        await this.#moment(momentAfter(began, now, { tookMs, interval: this.#ports.intervalMs(queryHash) }));
      } while (this.#changed.get(queryHash));
    } finally {
      this.#changed.delete(queryHash);
    }
  }

  /** The median of the last three answers, of which this is one: a single slow one is not a sign of a busy server. */
  #usual(queryHash: string, tookMs: number): number {
    const now = this.#ports.nowMs();
    for (const [hash, { atMs }] of this.#answers) if (now - atMs > KNOWN_MS) this.#answers.delete(hash);
    const last = [...(this.#answers.get(queryHash)?.last ?? []).slice(-2), tookMs];
    this.#answers.set(queryHash, { atMs: now, last });
    return last.toSorted((a, b) => a - b)[Math.floor((last.length - 1) / 2)] ?? 0;
  }

  /** One timer for all waiting queries, so that they share one request and one rendering. */
  #moment(atMs: number): Promise<void> {
    const known = this.#moments.get(atMs);
    if (known !== undefined) return known;
    const moment = this.#ports.wait(atMs - this.#ports.nowMs()).finally(() => this.#moments.delete(atMs));
    this.#moments.set(atMs, moment);
    return moment;
  }
}
