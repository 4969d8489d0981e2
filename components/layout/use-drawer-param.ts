"use client";

import { type SingleParserBuilder, useQueryState } from "nuqs";

/**
 * The thing that a drawer shows, by its key in the URL; null when it is closed. To open it is a step of the browser's history;
 * the next thing, and closing, take that step's place, so that Back never opens again what was closed.
 */
export function useDrawerParam<Key extends string | number>(name: string, parser: SingleParserBuilder<Key>) {
  const [key, setKey] = useQueryState(name, parser);
  const show = (next: Key | null) => setKey(next, { history: next !== null && key === null ? "push" : "replace" });
  // Holds: a parser without a default gives null for what is absent, and its values are keys.
  return [key as Key | null, show] as const;
}
