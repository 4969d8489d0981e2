import type { QueryClient } from "@tanstack/react-query";

/** Resolves when the current fetch of this query is over; immediately when there is none. */
export function waitForFetch(queries: QueryClient, queryHash: string): Promise<void> {
  const cache = queries.getQueryCache();
  const isFetching = () => cache.get(queryHash)?.state.fetchStatus === "fetching";
  if (!isFetching()) return Promise.resolve();
  return new Promise((done) => {
    const stop = cache.subscribe((event) => {
      if (event.query.queryHash !== queryHash || isFetching()) return;
      stop();
      done();
    });
  });
}
