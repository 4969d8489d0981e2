/**
 * React Query's settings for the console: refreshed by push, not by polling; silent retries; bigints and dates are
 * preserved from the server.
 */
import { defaultShouldDehydrateQuery, hashKey, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import superjson from "superjson";
import { isSignedOut, isWorthRetrying } from "@/components/trpc/failure";
import { waitForFetch } from "@/components/trpc/wait-for-fetch";

export interface QueryClientHooks {
  /** The session is over: the person has to sign in again. */
  onSignedOut?: () => void;
}

export function makeQueryClient({ onSignedOut }: QueryClientHooks = {}): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut?.();
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError, onSuccess: () => refetchFirstAnswers(queries) }),
    defaultOptions: {
      queries: {
        // Data that the server prefetched is not fetched again on hydration; live changes invalidate what moves.
        staleTime: 30_000,
        // Inputs may contain bigint amounts, which plain JSON cannot serialise: it throws.
        queryKeyHashFn: (key) => hashKey(superjson.serialize(key) as unknown as typeof key),
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4000),
      },
      // An act without a network is refused at once. By default it would wait, and be done when the network is back.
      mutations: { networkMode: "always" },
      dehydrate: {
        serializeData: superjson.serialize,
        // A query still running on the server streams to the browser when it is done.
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending",
        // Next handles its own redirects and digests; its errors are already stripped.
        shouldRedactErrors: () => false,
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
  return queries;
}

/**
 * Refetches queries whose first answer is still awaited: it may have begun before an act that has just succeeded. React
 * Query cancels a fetch only if the query has data, and otherwise counts the earlier answer as the one after the act.
 */
function refetchFirstAnswers(queries: QueryClient): void {
  const awaited = queries
    .getQueryCache()
    .findAll({ fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined });
  for (const query of awaited)
    void waitForFetch(queries, query.queryHash).then(() =>
      queries.refetchQueries({ type: "active", predicate: (each) => each === query }),
    );
}
