"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SessionsInput } from "@/components/sessions/query";
import { useTRPC } from "@/components/trpc/client";
import { useNextPage } from "@/components/trpc/use-next-page";
import type { SessionView } from "@/server/sessions/schema";

/** The number of empty pages that are loaded automatically before the person is asked. */
const PAGES_UNASKED = 2;

/** The sessions that a search has read so far, and the time of the last one. */
export interface SearchProgress {
  readonly sessions: number;
  readonly until: Date;
}

/** The loaded pages as one list, and the progress of an unfinished search. */
export function useSessions(input: SessionsInput) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.sessions.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const pages = query.data?.pages;
  const rows = useMemo(() => distinct(pages?.flatMap((page) => page.sessions) ?? []), [pages]);
  const last = pages?.at(-1)?.searched ?? null;
  const sessions = pages?.reduce((sum, page) => sum + (page.searched?.sessions ?? 0), 0) ?? 0;
  const searched: SearchProgress | null = last && { sessions, until: last.until };
  const isSearching = rows.length === 0 && query.hasNextPage && (pages?.length ?? 0) <= PAGES_UNASKED;
  // The first pages of a search that finds nothing follow without a click.
  useNextPage(query, isSearching);
  return { query, rows, searched, isSearching };
}

export const sessionRowId = (row: SessionView): string => `${row.agentId} ${row.sessionId}`;

/** Removes duplicates: a session that became active between two page loads is on both pages; the first is newer. */
function distinct(rows: readonly SessionView[]): SessionView[] {
  const first = new Map<string, SessionView>();
  for (const row of rows) if (!first.has(sessionRowId(row))) first.set(sessionRowId(row), row);
  return [...first.values()];
}
