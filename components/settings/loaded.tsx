"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";

/** A part of the settings that was asked of the server: while it comes, when it fails, when it is here. */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  query: UseQueryResult<Data, unknown>;
  /** "The people": what could not be loaded. */
  what: string;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return (
      <ErrorState
        compact
        title={`${what} could not be loaded`}
        reason={failureSentence(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  return (
    <div className="flex flex-col gap-3" aria-hidden>
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}
