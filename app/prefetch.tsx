/**
 * The queries that a page runs on the server so that its first paint holds data:
 *
 *     await prefetch(trpc.decisions.callFacets.queryOptions(input));
 *     return <HydrateClient><DecisionsPage /></HydrateClient>;
 */
import { dehydrate, type FetchQueryOptions, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cookies } from "next/headers";
import { cache, type ReactNode } from "react";
import { makeQueryClient } from "@/components/trpc/query-client";
import type { AppRouter } from "@/server/composition/router";
import { documentListView, documentView } from "@/server/documents/schema";
import { pageProcedures } from "@/server/trpc/page-procedures";

/** One query client for one request. */
const queryClient = cache(() => makeQueryClient());

/** One look at the session of a request. */
const reader = cache(async () => {
  const jar = await cookies();
  return pageProcedures().reader((name) => jar.get(name)?.value);
});

/** Asks the process that serves the page, without a request. */
const processLink: TRPCLink<AppRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      const answered = reader().then((read) => read(op.path, op.input));
      answered.then(
        (data) => {
          observer.next({ result: { type: "data", data } });
          observer.complete();
        },
        (error: unknown) => observer.error(TRPCClientError.from(asError(error))),
      );
    });

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The procedures as options, under the same keys as `useTRPC()` in the browser. */
export const trpc = createTRPCOptionsProxy<AppRouter>({
  client: createTRPCClient<AppRouter>({ links: [processLink] }),
  queryClient,
});

/** The server's own error behind a failed question of a page. */
const causeOf = (error: unknown): unknown => (error instanceof TRPCClientError ? error.cause : error);

/** True if the question failed because no person is signed in. */
export function isSignedOut(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof Error && "code" in cause && cause.code === "UNAUTHORIZED";
}

/** The reason that a page's first question had no answer, in a sentence for people. */
export const explainFailure = (error: unknown): string => pageProcedures().explainFailure(causeOf(error));

interface Prefetched {
  readonly queryKey: QueryKey;
  readonly initialPageParam?: unknown;
}

/**
 * Fetches into the page's hydration; resolves when it is there. After a failure, the browser fetches again and shows
 * the reason.
 */
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

/** The documents' texts, which are rendered on the server only. They are read without the database. */
export const documentList = () => documentListView.parse(pageProcedures().readDocument(null));
export const documentNamed = (slug: string) => documentView.parse(pageProcedures().readDocument(slug));

/** Hands everything prefetched so far to the browser. */
export function HydrateClient({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>;
}
