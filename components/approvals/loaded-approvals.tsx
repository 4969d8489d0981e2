"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { ApprovalList } from "@/server/approvals/schema";

/** Loads the approval requests for a page, and follows them. */
export function LoadedApprovals({ children }: { children: (list: ApprovalList) => ReactNode }) {
  useLiveQueries(["approvals"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const listed = useQuery(trpc.approvals.list.queryOptions());
  return (
    <>
      {stale ? <Notice kind="warning">{stale}</Notice> : null}
      {listed.isError && !listed.data ? (
        <ErrorState
          title="The approval requests could not be loaded"
          reason={failureSentence(listed.error)}
          stillWorks="Unanswered calls are denied when their time runs out."
          onRetry={() => void listed.refetch()}
          retrying={listed.isFetching}
        />
      ) : listed.data ? (
        children(listed.data)
      ) : (
        <Loading label="the requests" className="flex flex-col gap-2">
          <Skeleton className="h-40" />
          <Skeleton className="h-14" />
        </Loading>
      )}
    </>
  );
}
