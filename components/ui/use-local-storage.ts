"use client";

import { useSyncExternalStore } from "react";

/** Values that this browser keeps between visits: column widths, a folded rail. Never data that belongs in a link. */
const watchers = new Set<() => void>();
const parsed = new Map<string, { text: string; value: unknown }>();

function read(key: string): unknown {
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  const known = parsed.get(key);
  if (known?.text === text) return known.value;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  parsed.set(key, { text, value });
  return value;
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  window.addEventListener("storage", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", watcher);
  };
}

/**
 * A value in localStorage under `quarterdeck.<name>`, and its setter. Until hydration, and when `accepts` rejects the
 * stored value, it is `initial`, which must be the same object on every render.
 */
export function useLocalStorage<Value>(
  name: string,
  initial: Value,
  accepts: (stored: unknown) => stored is Value,
): [Value, (next: Value) => void] {
  const key = `quarterdeck.${name}`;
  const value = useSyncExternalStore(
    watch,
    () => {
      const stored = read(key);
      return stored !== undefined && accepts(stored) ? stored : initial;
    },
    () => initial,
  );
  const set = (next: Value) => {
    localStorage.setItem(key, JSON.stringify(next));
    for (const watcher of watchers) watcher();
  };
  return [value, set];
}
