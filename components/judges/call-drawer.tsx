"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CallDetail } from "@/components/judges/call-detail";
import { type ListDrawerProps, NOWHERE, RecordDrawer } from "@/components/layout/record-drawer";
import { useTRPC } from "@/components/trpc/client";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { parseJudgeCall } from "@/server/judges/schema";

/** One question, in a drawer next to the list. Its URL opens it again. */
export function CallDrawer(list: ListDrawerProps) {
  const trpc = useTRPC();
  const key = parseJudgeCall(list.open);
  const found = useQuery({
    ...trpc.judges.callDetail.queryOptions(key ?? { ...NOWHERE, place: 0 }),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  const detail = key !== null && found.data?.id === key.id && found.data.place === key.place ? found.data : undefined;
  return (
    <RecordDrawer
      {...list}
      noun="judge call"
      title={detail ? detail.hook : "Judge call"}
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
      {detail ? <CallDetail key={`${detail.id} ${detail.place}`} detail={detail} onNext={list.onNext} /> : null}
    </RecordDrawer>
  );
}
