"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { AttemptDetail } from "@/components/compactions/attempt-detail";
import { type ListDrawerProps, NOWHERE, RecordDrawer } from "@/components/layout/record-drawer";
import { useOpenHref } from "@/components/layout/use-open-href";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { eventKeyText, parseEventKey } from "@/server/recording/event-key-schema";

/** One attempt in a drawer next to the list; its address opens it again. */
export function AttemptDrawer(list: ListDrawerProps) {
  const trpc = useTRPC();
  const hrefOf = useOpenHref(eventKeyText);
  const key = parseEventKey(list.open);
  const found = useQuery({
    ...trpc.compactions.get.queryOptions(key ?? NOWHERE),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  const around = useQuery({
    ...trpc.compactions.sessionContext.queryOptions(key ?? NOWHERE),
    enabled: key !== null && found.isSuccess,
  });
  // An attempt can be opened by any of its events; the drawer shows the attempt that holds it.
  const detail = key !== null && found.data?.steps.some(({ id }) => id === key.id) ? found.data : undefined;
  return (
    <RecordDrawer
      {...list}
      noun="compaction"
      width="lg"
      title={detail ? `Compaction${detail.reason === "" ? "" : `, ${detail.reason}`}` : "Compaction"}
      of={detail}
      isUnreadable={key === null}
      query={found}
      skeleton={
        <>
          <Skeleton className="h-24" />
          <SkeletonText lines={8} />
          <Skeleton className="h-32" />
        </>
      }
    >
      {detail ? (
        <AttemptDetail
          detail={detail}
          around={{
            data: around.data,
            failure: around.isError ? failureSentence(around.error) : null,
            onRetry: () => void around.refetch(),
          }}
          hrefOf={hrefOf}
        />
      ) : null}
    </RecordDrawer>
  );
}
