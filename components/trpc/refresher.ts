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
/**
 * Milliseconds from one fetch to the next. Rows have no own limit: the server notifies a viewer at most ten times a
 * second.
 */
const INTERVALS_MS = { rows: 10, tiles: 250, summary: 500, counts: 5_000, record: 2_000, others: 1_000 } as const;
export const COUNTS_EVERY_MS = INTERVALS_MS.counts;

/** Sums that every viewer of a page watches. All viewers share one answer at each common moment (docs/adr/0104). */
const TILES: ReadonlySet<string> = new Set(["overview.summary", "overview.spendToday", "costs.summary"]);
/** True for a procedure, such as `overview.summary`, whose answer is tiles. */
export const isTile = (procedure: string): boolean => TILES.has(procedure);
/** Percentiles, which no sum follows. */
const PERCENTILES: ReadonlySet<string> = new Set(["rules.cards", "rules.get", "rules.revisions"]);

/**
 * The minimum time between two fetches of a query, in milliseconds: rows as they arrive, the tiles of Home and Spend
 * four times a second, other figures twice, charts and rankings once, because they cost the most to draw. Percentiles,
 * and counts next to filters, read thousands of rows, so they refresh least often. Rows are lists and all queries that
 * are read page by page. The audit log is read and not watched, so its rows move every two seconds at most.
 */
export function minFetchIntervalMs([path, options]: QueryKey): number {
  const name = Array.isArray(path) ? String(path.at(-1)) : "";
  const procedure = Array.isArray(path) ? path.join(".") : "";
  if (name.toLowerCase().endsWith("facets") || PERCENTILES.has(procedure)) return INTERVALS_MS.counts;
  if (isTile(procedure)) return INTERVALS_MS.tiles;
  if (Array.isArray(path) && path[0] === "audit") return INTERVALS_MS.record;
  if (name === "list" || isPaged(options)) return INTERVALS_MS.rows;
  return name === "summary" ? INTERVALS_MS.summary : INTERVALS_MS.others;
}

/** tRPC writes the query type into the key, after the path. */
const isPaged = (options: unknown): boolean =>
  typeof options === "object" && options !== null && "type" in options && options.type === "infinite";

/** The next common moment for queries with the same interval, given how long the last answer took. */
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
      // A single slow answer is not a sign of a busy server.
      let last: number[] = [];
      do {
        this.#changed.set(queryHash, false);
        const began = this.#ports.nowMs();
        await this.#ports.fetch(queryHash);
        const now = this.#ports.nowMs();
        last = [...last.slice(-2), now - began];
        const tookMs = last.toSorted((a, b) => a - b)[Math.floor((last.length - 1) / 2)] ?? 0;
        await this.#moment(momentAfter(began, now, { tookMs, interval: this.#ports.intervalMs(queryHash) }));
      } while (this.#changed.get(queryHash));
    } finally {
      this.#changed.delete(queryHash);
    }
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
