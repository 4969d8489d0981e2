/**
 * Refetches what changed: at once when idle, never twice at the same time for one query, and never more than half the
 * time for a slow one. A change that arrives during a fetch leads to one more fetch after it.
 */

export interface RefresherPorts {
  /** Fetches the query anew and settles when it has; never rejects for a failed fetch. */
  fetch: (queryHash: string) => Promise<void>;
  /** Settles once a fetch that somebody else began is over; at once when there is none. */
  settled: (queryHash: string) => Promise<void>;
  nowMs: () => number;
  wait: (ms: number) => Promise<void>;
}

/** The longest pause between two fetches of a query that keeps changing. */
const PAUSE_MS_MAX = 2_000;

export class Refresher {
  readonly #ports: RefresherPorts;
  /** Queries being fetched; true when something changed since that fetch began. */
  readonly #changed = new Map<string, boolean>();

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
        const took = this.#ports.nowMs() - began;
        if (this.#changed.get(queryHash)) await this.#ports.wait(Math.min(took, PAUSE_MS_MAX));
      } while (this.#changed.get(queryHash));
    } finally {
      this.#changed.delete(queryHash);
    }
  }
}
