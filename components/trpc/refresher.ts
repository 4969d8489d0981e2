/**
 * Refetches what changed: at once after a quiet time, never twice at the same time for one query, never more often than its
 * procedure asks for, and never more than half of the time. All changes in between lead to one more fetch. A server that is
 * slow to answer has much to do, and is asked much less by that, however many look on.
 */
import type { QueryKey } from "@tanstack/react-query";

export interface RefresherPorts {
  /** Fetches the query anew and settles when it has; never rejects for a failed fetch. */
  fetch: (queryHash: string) => Promise<void>;
  /** Settles once a fetch that somebody else began is over; at once when there is none. */
  settled: (queryHash: string) => Promise<void>;
  /** Milliseconds from the beginning of one fetch to that of the next, half of it at least after a quiet time. */
  intervalMs: (queryHash: string) => number;
  nowMs: () => number;
  wait: (ms: number) => Promise<void>;
}

/**
 * A query pauses for as long as it took while that is quick; what it took beyond counts so many times. So a screen follows within
 * a second as long as the server keeps up, and gates do not wait for screens when it does not.
 */
const QUICK_MS = { rows: 100, others: 200 } as const;
const SLOW_PAUSES = { rows: 3, others: 9 } as const;
const PAUSE_MS_MAX = 5_000;
/** Milliseconds from one fetch to the next. Rows need none: the server tells a viewer ten times a second at most. */
const INTERVALS_MS = { rows: 10, summary: 500, facets: 5_000, others: 1_000 } as const;

/**
 * The least time between two fetches of a query, in milliseconds: rows come as they happen, figures twice a second, and
 * what is drawn or ranked once a second, for nobody reads it faster and it costs a screen most. Counts beside filters read
 * thousands of rows to say how many there are of each, and are chosen from, not watched. Rows are lists, and all that is read
 * page by page.
 */
export function minFetchIntervalMs([path, options]: QueryKey): number {
  const name = Array.isArray(path) ? String(path.at(-1)) : "";
  if (name === "list" || isPaged(options)) return INTERVALS_MS.rows;
  if (name === "summary") return INTERVALS_MS.summary;
  return name.toLowerCase().endsWith("facets") ? INTERVALS_MS.facets : INTERVALS_MS.others;
}

/** The part of a key that tRPC writes beside the path. */
const isPaged = (options: unknown): boolean =>
  typeof options === "object" && options !== null && "type" in options && options.type === "infinite";

/** The next common moment of queries of one interval, after an answer that took so long. */
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
      // One slow answer among quick ones says nothing of the server.
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

  /** One timer for all that wait for it: what leaves in one turn leaves in one request, and is drawn once. */
  #moment(atMs: number): Promise<void> {
    const known = this.#moments.get(atMs);
    if (known !== undefined) return known;
    const moment = this.#ports.wait(atMs - this.#ports.nowMs()).finally(() => this.#moments.delete(atMs));
    this.#moments.set(atMs, moment);
    return moment;
  }
}
