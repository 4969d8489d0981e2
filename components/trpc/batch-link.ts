/**
 * The queries of a page in few requests. An answer to a batch waits for its slowest query, so tiles, which many people watch
 * and which are quick, do not share a batch with charts and lists.
 */
import { type HTTPHeaders, httpBatchLink, splitLink, type TRPCLink } from "@trpc/client";
import superjson from "superjson";
import { isTile } from "@/components/trpc/refresher";
import type { AppRouter } from "@/server/composition/router";
import { BATCH_CALLS_MAX } from "@/server/trpc/batch-schema";

const URL_LENGTH_MAX = 8_000;

export interface BatchOptions {
  readonly url: string;
  readonly headers: () => HTTPHeaders;
}

export function batchLink({ url, headers }: BatchOptions): TRPCLink<AppRouter> {
  const batch = () =>
    httpBatchLink<AppRouter>({
      ...{ url, headers, transformer: superjson, maxURLLength: URL_LENGTH_MAX, maxItems: BATCH_CALLS_MAX },
    });
  return splitLink({ condition: ({ path }) => isTile(path), true: batch(), false: batch() });
}
