"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { Tone } from "@/components/ui/tone";
import type { DeliveryView } from "@/server/webhooks/schema";

const LOOK: Readonly<Record<DeliveryView["state"], { tone: Tone; label: string }>> = {
  waiting: { tone: "ask", label: "Waiting" },
  delivered: { tone: "allow", label: "Delivered" },
  dead: { tone: "error", label: "Failed permanently" },
  discarded: { tone: "canceled", label: "Discarded" },
};
const FAILED_TEST = { tone: "error", label: "Failed" } as const;
const SHOWN = [
  { value: "all", label: "All" },
  { value: "dead", label: "Failed permanently" },
] as const;

/** The deliveries and their results; a permanently failed one waits here for a person. */
export function DeliveriesSection({ dead }: { dead: number }) {
  const trpc = useTRPC();
  const [shown, setShown] = useState<"all" | "dead">("all");
  const [isDiscarding, setDiscarding] = useState(false);
  const input = { limit: 20, ...(shown === "dead" ? { state: "dead" as const } : {}) };
  const pages = useInfiniteQuery(
    trpc.webhooks.deliveries.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }),
  );
  const settle = useMutation(
    trpc.webhooks.resolveDead.mutationOptions({
      onError: (error) => toast.error("Nothing was changed", { description: failureSentence(error) }),
    }),
  );
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Section
      title="Deliveries"
      framed
      flush
      actions={
        <>
          {dead > 0 ? (
            <>
              <Button size="sm" busy={settle.isPending} onClick={() => settle.mutate({ act: "retried", id: null })}>
                Retry all
              </Button>
              <Button size="sm" onClick={() => setDiscarding(true)}>
                Discard all
              </Button>
            </>
          ) : null}
          <Segmented label="Deliveries shown" value={shown} onChange={setShown} options={SHOWN} />
        </>
      }
    >
      {pages.isError ? (
        <ErrorState
          compact
          title="The deliveries could not be loaded"
          reason={failureSentence(pages.error)}
          onRetry={() => void pages.refetch()}
          retrying={pages.isFetching}
        />
      ) : !pages.data ? (
        <Skeleton className="m-3 h-20" />
      ) : rows.length === 0 ? (
        <EmptyState compact icon={Send} title={shown === "dead" ? "No failed deliveries" : "No deliveries yet"}>
          {shown === "dead"
            ? "Deliveries that still fail after one day are listed here."
            : "To create a delivery, select Send test at a webhook."}
        </EmptyState>
      ) : (
        <ul className="flex flex-col divide-y divide-line" aria-label="Deliveries">
          {rows.map((row) => (
            <Delivery key={row.id} row={row} onSettle={(act) => settle.mutate({ act, id: row.id })} />
          ))}
        </ul>
      )}
      {pages.hasNextPage ? (
        <div className="border-t p-2">
          <Button size="sm" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        open={isDiscarding}
        onOpenChange={setDiscarding}
        title={`Discard ${plural(dead, "delivery", "deliveries")}?`}
        confirm="Discard"
        onConfirm={() => settle.mutateAsync({ act: "discarded", id: null })}
      >
        <p>Receivers will not get these messages. The audit log records your name.</p>
      </ConfirmDialog>
    </Section>
  );
}

function Delivery({ row, onSettle }: { row: DeliveryView; onSettle: (act: "retried" | "discarded") => void }) {
  // A failed test is never retried: its state `discarded` does not mean that a person discarded it.
  const { tone, label } = row.kind === "test" && row.state === "discarded" ? FAILED_TEST : LOOK[row.state];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <span className="w-24 shrink-0">
        <Mark tone={tone} label={label} look="plain" />
      </span>
      <details className="min-w-0 flex-1 basis-60">
        <summary className="cursor-pointer">
          <code>{row.kind}</code> <span className="text-muted">to {row.host}</span>
        </summary>
        <pre className="mt-1 max-h-60 overflow-auto whitespace-pre-wrap break-all rounded-md bg-sunken p-2 text-sm">
          {row.body}
        </pre>
      </details>
      <span className="text-muted text-sm">
        {row.status === null ? (row.error?.replace(/\.$/, "") ?? "not sent yet") : `HTTP ${row.status}`}
        {row.attempts > 1 ? `, ${plural(row.attempts, "attempt")}` : ""}
        {row.nextAt !== null && row.attempts > 0 ? (
          <>
            , next attempt <RelativeTime at={row.nextAt} />
          </>
        ) : null}
      </span>
      <span className="text-muted text-sm">
        <RelativeTime at={row.at} />
      </span>
      {row.state === "dead" ? (
        <span className="flex gap-1">
          <Button size="sm" onClick={() => onSettle("retried")}>
            Try again
          </Button>
          <Button size="sm" onClick={() => onSettle("discarded")}>
            Discard
          </Button>
        </span>
      ) : null}
    </li>
  );
}
