/** The refresher over React Query's cache. */
import type { QueryClient } from "@tanstack/react-query";
import { minFetchIntervalMs, Refresher } from "@/components/trpc/refresher";
import { waitForFetch } from "@/components/trpc/wait-for-fetch";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Milliseconds between two fetches, for a query that follows at its own pace. */
      readonly refreshEveryMs?: number;
    };
  }
}

export function makeRefresher(queries: QueryClient): Refresher {
  return new Refresher({
    fetch: async (queryHash) => {
      const query = queries.getQueryCache().get(queryHash);
      if (!query?.isActive()) return;
      await queries.refetchQueries({ predicate: (each) => each === query }, { cancelRefetch: false });
    },
    settled: (queryHash) => waitForFetch(queries, queryHash),
    intervalMs(queryHash) {
      const query = queries.getQueryCache().get(queryHash);
      return query?.meta?.refreshEveryMs ?? minFetchIntervalMs(query?.queryKey ?? []);
    },
    // The same on all machines with a set clock: viewers of one page ask together, and share the answer.
    nowMs: () => performance.timeOrigin + performance.now(),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  });
}
