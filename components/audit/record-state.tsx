"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Readable } from "@/components/access/readable";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { RecordState as State } from "@/server/record/schema";

/** Loads the state of the record for a page's sections. */
export function RecordState(props: { children: (state: State) => ReactNode }) {
  return (
    <Readable to="audit:read">
      <LoadedState {...props} />
    </Readable>
  );
}

function LoadedState({ children }: { children: (state: State) => ReactNode }) {
  const trpc = useTRPC();
  const state = useQuery({
    ...trpc.audit.state.queryOptions(),
    // A prefetched state lacks what only the process that signs knows: the file, and the reason of a failure.
    refetchOnMount: ({ state: { data } }) => (data?.file === null ? "always" : true),
  });
  if (state.isError && !state.data)
    return (
      <ErrorState
        title="The state of the audit log could not be loaded"
        reason={failureSentence(state.error)}
        stillWorks="The server refuses changes that it cannot record."
        onRetry={() => void state.refetch()}
        retrying={state.isFetching}
      />
    );
  if (!state.data)
    return (
      <Loading label="the state of the record" className="flex flex-col gap-6">
        <Skeleton className="h-24" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </Loading>
    );
  return <div className="flex max-w-240 flex-col gap-8">{children(state.data)}</div>;
}
