"use client";

import { useEffect } from "react";

interface Pages {
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  readonly hasNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
}

/** Loads pages without a click while `isWanted`, one after the other; a page that fails waits for the person. */
export function useNextPage(
  { isFetching, isFetchNextPageError, hasNextPage, fetchNextPage }: Pages,
  isWanted: boolean,
) {
  // A refetch of the list would end the fetch of a page, so a page waits for it.
  const isDue = isWanted && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    // Synchronises with the server.
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}
