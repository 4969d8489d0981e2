"use client";

import { useQuery } from "@tanstack/react-query";
import { BellRing, Plus } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { AlertRow } from "@/components/alerts/alert-row";
import { HistorySection } from "@/components/alerts/history-section";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";

const AlertDialog = loadWhenOpened(() => import("@/components/alerts/alert-dialog").then((one) => one.AlertDialog));

const NEW = "new";
/** Values change without an event, so the page polls once a minute. */
const ASK_EVERY_MS = 60_000;

/** All alerts with their state and sent notices, the routes to teams, and the editor. The URL names the open one. */
export function AlertsPage({ routes }: { routes: ReactNode }) {
  useLiveQueries(["alerts"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const [open, setOpen] = useQueryState("edit", parseAsString);
  const alerts = useQuery(trpc.alerts.list.queryOptions(undefined, { refetchInterval: ASK_EVERY_MS }));
  const rows = alerts.data?.rows ?? [];
  const edited = rows.find(({ id }) => id === open);
  const add = (
    <PermittedButton to="alert:write" variant="primary" onClick={() => void setOpen(NEW)}>
      <Plus aria-hidden /> New alert
    </PermittedButton>
  );
  return (
    <>
      <PageHeader primary={rows.length > 0 ? add : null} />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {alerts.isError && !alerts.data ? (
          <ErrorState
            title="The alerts could not be loaded"
            reason={failureSentence(alerts.error)}
            stillWorks="Saved alerts stay and are still checked."
            onRetry={() => void alerts.refetch()}
            retrying={alerts.isFetching}
          />
        ) : !alerts.data ? (
          <Loading label="the alerts" className="flex flex-col gap-2">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </Loading>
        ) : rows.length === 0 ? (
          <EmptyState icon={BellRing} title="No alerts yet" action={add}>
            An alert checks one number every minute, such as calls denied in five minutes. It notifies webhooks and
            people when the number exceeds a limit.
          </EmptyState>
        ) : (
          <Section title="Rules" aside="checked every minute">
            <ul
              className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
              aria-label="Alerts"
            >
              {rows.map((rule) => (
                <AlertRow key={rule.id} rule={rule} onEdit={() => void setOpen(rule.id)} />
              ))}
            </ul>
          </Section>
        )}
        {rows.length > 0 ? <HistorySection /> : null}
        {routes}
      </PageBody>
      <AlertDialog
        key={open}
        open={open === NEW || edited !== undefined}
        rule={edited ?? null}
        hasMail={alerts.data?.hasMail ?? false}
        onClose={() => void setOpen(null)}
      />
    </>
  );
}
