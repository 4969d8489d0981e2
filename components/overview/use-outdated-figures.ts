"use client";

import { type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";

const ROUTERS: ReadonlySet<unknown> = new Set(["overview", "coverage", "uptime"]);

function isOutdated(query: Query): boolean {
  const [path] = query.queryKey;
  const { status, data } = query.state;
  return status === "error" && data !== undefined && query.isActive() && Array.isArray(path) && ROUTERS.has(path[0]);
}

/** The figures on screen whose refresh failed: they may be out of date. */
export function useOutdatedFigures(): {
  readonly failed: readonly { readonly error: unknown }[];
  readonly again: () => void;
} {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const watch = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const hashes = useSyncExternalStore(
    watch,
    () => JSON.stringify(cache.getAll().flatMap((query) => (isOutdated(query) ? query.queryHash : []))),
    () => "[]",
  );
  return useMemo(() => {
    // Holds: written above.
    const found = (JSON.parse(hashes) as string[]).flatMap((hash) => cache.get(hash) ?? []);
    return {
      failed: found.map(({ state: { error } }) => ({ error })),
      again: () => {
        for (const query of found) void queries.refetchQueries({ queryKey: query.queryKey, exact: true });
      },
    };
  }, [hashes, cache, queries]);
}
