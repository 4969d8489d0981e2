"use client";

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { observedWords, untilWords } from "@/components/layout/monitor-mode/monitor-mode-text";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { useNow } from "@/components/ui/format/clock";
import { Link } from "@/components/ui/link";

/** A notice for each policy that is only observed, for every page that shows the state of the gate. */
export function useObservedNotices(): readonly PageNotice[] {
  useLiveQueries(["observations", "policies"]);
  const trpc = useTRPC();
  const nowMs = useNow(10_000);
  const { data = [] } = useQuery(trpc.shadowMode.sums.queryOptions());
  return data.map((row) => ({
    id: `observed ${row.policyId}`,
    label: "Observed only",
    kind: "info",
    icon: Eye,
    text: (
      <>
        <Link className="font-semibold underline underline-offset-2" href={`/policies/${row.policyId}`}>
          {row.name}
        </Link>{" "}
        <strong className="font-semibold">is observed only.</strong> {observedWords(row)} {untilWords(row.until, nowMs)}
      </>
    ),
  }));
}
