"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureSentence } from "@/components/trpc/failure";
import { cn } from "@/components/ui/cn";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";

/** A part of the settings that was asked of the server: while it comes, when it fails, when it is here. */
export function Loaded<Data>({
  query,
  what,
  place,
  children,
}: {
  query: UseQueryResult<Data, unknown>;
  /** "The people": what could not be loaded. */
  what: string;
  /** The height that the part will have, as classes: what is below it does not move. */
  place?: string;
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
    <div className={cn("flex flex-col gap-3", place)} aria-hidden>
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}
