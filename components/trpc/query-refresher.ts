/** The refresher over React Query's cache. */
import type { QueryClient } from "@tanstack/react-query";
import { minFetchIntervalMs, Refresher } from "@/components/trpc/refresher";
import { waitForFetch } from "@/components/trpc/wait-for-fetch";

export function makeRefresher(queries: QueryClient): Refresher {
  return new Refresher({
    fetch: async (queryHash) => {
      const query = queries.getQueryCache().get(queryHash);
      if (!query?.isActive()) return;
      await queries.refetchQueries({ predicate: (each) => each === query }, { cancelRefetch: false });
    },
    settled: (queryHash) => waitForFetch(queries, queryHash),
    intervalMs: (queryHash) => minFetchIntervalMs(queries.getQueryCache().get(queryHash)?.queryKey ?? []),
    // The same on all machines with a set clock: viewers of one page ask together, and share the answer.
    nowMs: () => performance.timeOrigin + performance.now(),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  });
}
