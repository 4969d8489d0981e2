"use client";

import { useSyncExternalStore } from "react";

/**
 * One timer for everything on the page that ages. Readers of the same step render together, and only they.
 */
interface Ticker {
  now: number;
  timer: ReturnType<typeof setInterval> | null;
  readonly watchers: Set<() => void>;
  readonly subscribe: (watcher: () => void) => () => void;
  readonly read: () => number;
}

const tickers = new Map<number, Ticker>();

function makeTicker(stepMs: number): Ticker {
  const tick = () => {
    ticker.now = Date.now();
    for (const watcher of ticker.watchers) watcher();
  };
  const ticker: Ticker = {
    now: Date.now(),
    timer: null,
    watchers: new Set(),
    read: () => ticker.now,
    subscribe: (watcher) => {
      // After a pause the time that was read last is old; React reads again once it has subscribed.
      if (ticker.timer === null && Date.now() - ticker.now >= stepMs) ticker.now = Date.now();
      ticker.watchers.add(watcher);
      ticker.timer ??= setInterval(tick, stepMs);
      return () => {
        ticker.watchers.delete(watcher);
        if (ticker.watchers.size > 0 || ticker.timer === null) return;
        clearInterval(ticker.timer);
        ticker.timer = null;
      };
    },
  };
  return ticker;
}

function tickerFor(stepMs: number): Ticker {
  const known = tickers.get(stepMs);
  if (known) return known;
  const made = makeTicker(stepMs);
  tickers.set(stepMs, made);
  return made;
}

/** The result of `textOf` for the current time; the component renders again only when the text changes. */
export function useAging(stepMs: number, textOf: (now: number) => string): string | null {
  const ticker = tickerFor(stepMs);
  return useSyncExternalStore(
    ticker.subscribe,
    () => textOf(ticker.read()),
    () => null,
  );
}

/** The current time in milliseconds, updated every `stepMs`; null while rendering on the server and hydrating. */
export function useNow(stepMs: number): number | null {
  const ticker = tickerFor(stepMs);
  return useSyncExternalStore(ticker.subscribe, ticker.read, () => null);
}
