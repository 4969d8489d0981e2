"use client";

import { useQuery } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";

const NAMED_MAX = 3;

/** The alerts that fire now, on a page that is about something else. Null when none does. */
export function useFiringNotice(): PageNotice | null {
  useLiveQueries(["alerts"]);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.summary.queryOptions());
  const [first] = data?.firing ?? [];
  if (!data || !first) return null;
  const others = data.firing.length - NAMED_MAX;
  const names = data.firing.slice(0, NAMED_MAX).map(({ name }) => name);
  return {
    id: "alerts",
    label: "Alerts that fire",
    kind: data.firing.some(({ severity }) => severity === "critical") ? "danger" : "warning",
    icon: BellRing,
    text: (
      <>
        <strong>{plural(data.firing.length, "alert firing", "alerts firing")}:</strong> {names.join(", ")}
        {others > 0 ? ` and ${others} more` : ""}
        {data.firing.length === 1 ? (
          <>
            , since <RelativeTime at={first.since} />
          </>
        ) : null}
      </>
    ),
    action: (
      <Button size="sm" asChild>
        <Link href="/alerts">Show alerts</Link>
      </Button>
    ),
    occurrence: `alerts ${data.firing.map(({ id, since }) => `${id} ${since.getTime()}`).join()}`,
  };
}
