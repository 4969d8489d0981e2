"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { STATE_LOOK } from "@/components/alerts/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";

/** Every change of state, the newest first, and what became of the letters. */
export function HistorySection() {
  const trpc = useTRPC();
  const history = useInfiniteQuery(
    trpc.alerts.history.infiniteQueryOptions({ limit: 20 }, { getNextPageParam: (page) => page.next }),
  );
  const rows = history.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Section title="History" aside="kept for 90 days" framed flush>
      {history.isError ? (
        <ErrorState
          compact
          title="The history could not be loaded"
          reason={failureSentence(history.error)}
          onRetry={() => void history.refetch()}
          retrying={history.isFetching}
        />
      ) : !history.data ? (
        <Skeleton className="m-3 h-20" />
      ) : rows.length === 0 ? (
        <EmptyState compact icon={History} title="No changes yet">
          An alert is first checked within a minute of being saved.
        </EmptyState>
      ) : (
        <>
          <ol className="flex flex-col divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                <span className="w-22 shrink-0">
                  <Mark tone={STATE_LOOK[row.state].tone} label={STATE_LOOK[row.state].label} look="plain" />
                </span>
                <div className="min-w-0 flex-1 basis-60">
                  <span className="font-medium">{row.name}</span> <span className="text-muted">{row.says}</span>
                  {row.isSnoozed ? (
                    <span className="text-faint"> The alert was snoozed, so no notification was sent.</span>
                  ) : null}
                  {row.mail === null ? null : (
                    <span className={row.mail === "failed" ? "text-error" : "text-faint"}>
                      {" "}
                      {row.mail === "sent"
                        ? "E-mail sent."
                        : `E-mail ${row.mail === "waiting" ? "waiting" : "not sent"}${row.mailError ? `: ${row.mailError}` : "."}`}
                    </span>
                  )}
                </div>
                <span className="text-muted text-sm">
                  <RelativeTime at={row.at} />
                </span>
              </li>
            ))}
          </ol>
          {history.hasNextPage ? (
            <div className="border-t p-2">
              <Button size="sm" busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                Load more
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Section>
  );
}
