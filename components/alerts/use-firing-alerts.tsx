"use client";

import { useQuery } from "@tanstack/react-query";
import { WaitingRow, type WaitingSource } from "@/components/layout/waiting/waiting-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import type { AlertSummary } from "@/server/alerts/schema";

const ROWS_MAX = 3;
const PAGE = "/settings/alerts";

/** The alerts that fire now. */
export function useFiringAlerts(): WaitingSource {
  useLiveQueries(["alerts"]);
  const trpc = useTRPC();
  const summary = useQuery(trpc.alerts.summary.queryOptions());
  const firing = summary.data?.firing;
  const more = (firing?.length ?? 0) - ROWS_MAX;
  return {
    label: "alerts",
    items: firing && [
      ...firing.slice(0, ROWS_MAX).map((alert) => ({ id: alert.id, row: <FiringAlert alert={alert} /> })),
      ...(more > 0 ? [{ id: "more alerts", row: <MoreAlerts count={more} /> }] : []),
    ],
    failure: summary.isError ? failureSentence(summary.error) : null,
    onRetry: () => void summary.refetch(),
  };
}

function FiringAlert({ alert: { name, severity, since } }: { alert: AlertSummary["firing"][number] }) {
  return (
    <WaitingRow
      tone={severity === "critical" ? "deny" : "ask"}
      word={severity === "critical" ? "Critical" : "Alert"}
      label={`Alert ${name}`}
      aside={<RelativeTime at={since} />}
      actions={
        <Button asChild>
          <Link href={PAGE} aria-label={`Open ${name}`}>
            Open
          </Link>
        </Button>
      }
    >
      <span className="font-medium">{name}</span> is firing
    </WaitingRow>
  );
}

function MoreAlerts({ count }: { count: number }) {
  return (
    <WaitingRow
      tone="ask"
      word="Alert"
      actions={
        <Button asChild>
          <Link href={PAGE}>Show all</Link>
        </Button>
      }
    >
      {plural(count, "more alert")} firing
    </WaitingRow>
  );
}
