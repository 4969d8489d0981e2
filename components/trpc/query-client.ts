/**
 * React Query as the whole console uses it: fresh by push, not by poll; quiet retries; bigints and dates survive the trip
 * from the server.
 */
import { defaultShouldDehydrateQuery, hashKey, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import superjson from "superjson";
import { isSignedOut, isWorthRetrying } from "@/components/trpc/failure";

export interface QueryClientHooks {
  /** The session is over: the person has to sign in again. */
  onSignedOut?: () => void;
}

export function makeQueryClient({ onSignedOut }: QueryClientHooks = {}): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut?.();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // Data that the server prefetched is not fetched again on hydration; live changes invalidate what moves.
        staleTime: 30_000,
        // Amounts are bigints, also where one is asked for: JSON alone cannot tell such keys apart, and throws.
        queryKeyHashFn: (key) => hashKey(superjson.serialize(key) as unknown as typeof key),
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4000),
      },
      dehydrate: {
        serializeData: superjson.serialize,
        // A query still under way on the server streams to the browser when it is done.
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending",
        // Next tells its own redirects and digests apart; its errors are already stripped.
        shouldRedactErrors: () => false,
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}
