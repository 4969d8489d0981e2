"use client";

import { useQuery } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";

const NAMED_MAX = 3;

/** The alerts that fire now, above a page that is about something else. Nothing when none does. */
export function FiringAlerts() {
  useLiveQueries(["alerts"]);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.summary.queryOptions());
  const [first] = data?.firing ?? [];
  if (!data || !first) return null;
  const others = data.firing.length - NAMED_MAX;
  const names = data.firing.slice(0, NAMED_MAX).map(({ name }) => name);
  const isCritical = data.firing.some(({ severity }) => severity === "critical");
  return (
    <section aria-label="Alerts that fire" className="shrink-0 p-3 pb-0 md:px-6">
      <Notice
        kind={isCritical ? "danger" : "warning"}
        icon={BellRing}
        action={
          <Button size="sm" asChild>
            <Link href="/alerts">Show alerts</Link>
          </Button>
        }
      >
        <strong>{plural(data.firing.length, "alert firing", "alerts firing")}:</strong> {names.join(", ")}
        {others > 0 ? ` and ${others} more` : ""}
        {data.firing.length === 1 ? (
          <>
            , since <RelativeTime at={first.since} />
          </>
        ) : null}
      </Notice>
    </section>
  );
}
