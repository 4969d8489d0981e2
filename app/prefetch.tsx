/**
 * The queries that a page runs on the server so that its first paint holds data:
 *
 *     await prefetch(trpc.decisions.callFacets.queryOptions(input));
 *     return <HydrateClient><DecisionsPage /></HydrateClient>;
 */
import { dehydrate, type FetchQueryOptions, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cookies } from "next/headers";
import { cache, type ReactNode } from "react";
import { makeQueryClient } from "@/components/trpc/query-client";
import { pageContext } from "@/server/trpc/caller";
import { appRouter } from "@/server/trpc/root";

/** One query client for one request. */
const queryClient = cache(() => makeQueryClient());

const requestContext = cache(async () => {
  const jar = await cookies();
  return pageContext((name) => jar.get(name)?.value);
});

/** The procedures as options, under the same keys as `useTRPC()` in the browser. */
export const trpc = createTRPCOptionsProxy({ router: appRouter, ctx: requestContext, queryClient });

interface Prefetched {
  readonly queryKey: QueryKey;
  readonly initialPageParam?: unknown;
}

/** Fetches into the page's hydration; settles when it is there. A failure is left to the browser, which asks again and says why. */
export async function prefetch(...options: readonly Prefetched[]): Promise<void> {
  const client = queryClient();
  await Promise.all(
    options.map((one) =>
      // Holds: options come from `trpc.*.queryOptions()` or `.infiniteQueryOptions()`; only their result types differ.
      "initialPageParam" in one
        ? client.prefetchInfiniteQuery(one as Parameters<typeof client.prefetchInfiniteQuery>[0])
        : client.prefetchQuery(one as FetchQueryOptions),
    ),
  );
}

/** The answer itself, for layouts that decide by it. Throws what the procedure throws. */
export const whoami = cache(() => queryClient().fetchQuery({ ...trpc.access.whoami.queryOptions(), retry: false }));

/** The ways to sign in that the sign-in page offers. */
export const waysIn = cache(() => queryClient().fetchQuery(trpc.access.waysIn.queryOptions()));

/** Hands everything prefetched so far to the browser. */
export function HydrateClient({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>;
}
