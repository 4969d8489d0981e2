"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CallDetail } from "@/components/costs/call-detail";
import { type ListDrawerProps, NOWHERE, RecordDrawer } from "@/components/layout/record-drawer";
import { useTRPC } from "@/components/trpc/client";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { parseEventKey } from "@/server/recording/event-key-schema";

/** One model call, in a drawer next to the list. Its URL opens it again. */
export function CallDrawer(list: ListDrawerProps) {
  const trpc = useTRPC();
  const key = parseEventKey(list.open);
  const found = useQuery({
    ...trpc.costs.callDetail.queryOptions(key ?? NOWHERE),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  const detail = key !== null && found.data?.id === key.id ? found.data : undefined;
  return (
    <RecordDrawer
      {...list}
      noun="call"
      title={detail ? detail.modelId || "No model named" : "Model call"}
      of={detail}
      isUnreadable={key === null}
      query={found}
      skeleton={
        <>
          <Skeleton className="h-16" />
          <SkeletonText lines={5} />
          <Skeleton className="h-24" />
        </>
      }
    >
      {detail ? <CallDetail detail={detail} /> : null}
    </RecordDrawer>
  );
}
