"use client";

import { type SingleParserBuilder, useQueryState } from "nuqs";

/**
 * The record that a drawer shows, by its key in the URL; null when it is closed. Opening adds a step to the browser's
 * history. Moving to the next record, and closing, replace that step, so that Back never reopens a closed drawer.
 */
export function useDrawerParam<Key extends string | number>(name: string, parser: SingleParserBuilder<Key>) {
  const [key, setKey] = useQueryState(name, parser);
  const show = (next: Key | null) => setKey(next, { history: next !== null && key === null ? "push" : "replace" });
  // Holds: a parser without a default gives null for an absent value, and its values are keys.
  return [key as Key | null, show] as const;
}
