"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { PricesView } from "@/components/costs/prices-view";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { duringWords } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Notice } from "@/components/ui/notice";

/** The price lists, and the calls of a range that they price. */
export function PricesPage() {
  useLiveQueries(["costs"]);
  const trpc = useTRPC();
  const range = useTimeRange("24h", true);
  const stale = useStaleSentence();
  const { from, to } = range;
  const input = useMemo(() => ({ from, to }), [from, to]);
  const summary = useQuery({ ...trpc.costs.summary.queryOptions(input), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader range={RANGE} live />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        <PricesView
          summary={summary.data ?? (summary.isError ? null : undefined)}
          during={duringWords(range)}
          isLive={range.isLive}
        />
      </PageBody>
    </>
  );
}

const RANGE = { all: true } as const;
