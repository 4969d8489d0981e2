"use client";

import { useSyncExternalStore } from "react";

/**
 * One timer for everything on the page that ages. Readers of the same step render together, and only they.
 */
interface Ticker {
  now: number;
  timer: ReturnType<typeof setInterval> | null;
  readonly watchers: Set<() => void>;
}

const tickers = new Map<number, Ticker>();

function tickerFor(stepMs: number): Ticker {
  const known = tickers.get(stepMs);
  if (known) return known;
  const made: Ticker = { now: Date.now(), timer: null, watchers: new Set() };
  tickers.set(stepMs, made);
  return made;
}

function watch(stepMs: number, watcher: () => void): () => void {
  const ticker = tickerFor(stepMs);
  ticker.watchers.add(watcher);
  if (ticker.timer === null) {
    ticker.now = Date.now();
    ticker.timer = setInterval(() => {
      ticker.now = Date.now();
      for (const each of ticker.watchers) each();
    }, stepMs);
  }
  return () => {
    ticker.watchers.delete(watcher);
    if (ticker.watchers.size > 0 || ticker.timer === null) return;
    clearInterval(ticker.timer);
    ticker.timer = null;
  };
}

/** The time now in milliseconds, renewed every `stepMs`; null while rendering on the server and hydrating. */
export function useNow(stepMs: number): number | null {
  return useSyncExternalStore(
    (watcher) => watch(stepMs, watcher),
    () => tickerFor(stepMs).now,
    () => null,
  );
}
