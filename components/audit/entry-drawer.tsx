"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { EntryDetailView } from "@/components/audit/entry-detail";
import { openSeq } from "@/components/audit/query";
import { kindLabel } from "@/components/audit/sentences";
import { type ListDrawerProps, RecordDrawer } from "@/components/layout/record-drawer";
import { useTRPC } from "@/components/trpc/client";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";

/** One entry in a drawer next to the list; its address opens it again. */
export function EntryDrawer(list: ListDrawerProps) {
  const trpc = useTRPC();
  // Collapsed batches open as their first entry.
  const seq = openSeq(list.open);
  const found = useQuery({
    ...trpc.audit.get.queryOptions({ seq: seq ?? 1 }),
    enabled: seq !== null,
    placeholderData: keepPreviousData,
  });
  const detail = seq !== null && found.data?.seq === seq ? found.data : undefined;
  return (
    <RecordDrawer
      {...list}
      noun="entry"
      width="lg"
      title={detail ? `Entry ${detail.seq}: ${kindLabel(detail.kind)}` : "Audit entry"}
      of={detail ? { agentName: detail.actor?.name ?? "Quarterdeck", occurredAt: detail.at } : undefined}
      isUnreadable={seq === null}
      query={found}
      skeleton={
        <>
          <Skeleton className="h-16" />
          <SkeletonText lines={5} />
          <Skeleton className="h-24" />
        </>
      }
    >
      {detail ? <EntryDetailView detail={detail} /> : null}
    </RecordDrawer>
  );
}
