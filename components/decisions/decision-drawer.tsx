"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CallActs } from "@/components/decisions/call-acts";
import { Verdict } from "@/components/decisions/columns";
import { DecisionDetail } from "@/components/decisions/decision-detail";
import { HeldCall } from "@/components/decisions/held-call";
import { Called } from "@/components/decisions/subject";
import { type ListDrawerProps, NOWHERE, RecordDrawer } from "@/components/layout/record-drawer";
import { useOpenHref } from "@/components/layout/use-open-href";
import { useTRPC } from "@/components/trpc/client";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { type CallView, decisionKey } from "@/server/decisions/schema";
import { eventKeyText, parseEventKey } from "@/server/recording/event-key-schema";

interface DecisionDrawerProps extends ListDrawerProps {
  /** The calls of the list that agents hold open, by their key: nothing is recorded of them yet. */
  held: ReadonlyMap<string, CallView>;
}

/** One call, in a drawer next to the list. Its URL opens it again. */
export function DecisionDrawer({ held, ...list }: DecisionDrawerProps) {
  const call = list.open === null ? undefined : held.get(list.open);
  return call === undefined ? <RecordedCall {...list} /> : <HeldCall {...list} call={call} />;
}

function RecordedCall(list: ListDrawerProps) {
  const trpc = useTRPC();
  const hrefOf = useOpenHref(eventKeyText);
  const key = parseEventKey(list.open, decisionKey);
  const found = useQuery({
    ...trpc.decisions.get.queryOptions(key ?? NOWHERE),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  const detail = key !== null && found.data?.id === key.id ? found.data : undefined;
  return (
    <RecordDrawer
      {...list}
      noun="call"
      width="lg"
      title={
        detail ? (
          <>
            <Verdict verdict={detail.verdict} look="tag" />
            <span className="truncate text-base">
              <Called of={detail} />
            </span>
          </>
        ) : (
          "Call"
        )
      }
      of={detail}
      footer={detail ? <CallActs detail={detail} /> : null}
      isUnreadable={key === null}
      query={found}
      skeleton={
        <>
          <Skeleton className="h-28" />
          <SkeletonText lines={2} />
          <Skeleton className="h-24" />
          <SkeletonText lines={5} />
        </>
      }
    >
      {detail ? <DecisionDetail detail={detail} hrefOf={hrefOf} /> : null}
    </RecordDrawer>
  );
}
