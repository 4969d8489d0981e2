"use client";

import { useQuery } from "@tanstack/react-query";
import { Cable, Plus } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { CheckDialog } from "@/components/streams/check-dialog";
import { SetAsideDialog } from "@/components/streams/set-aside-dialog";
import { StreamRow } from "@/components/streams/stream-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Skeleton } from "@/components/ui/skeleton";
import type { StreamView } from "@/server/streams/schema";

const StreamDialog = loadWhenOpened(
  () => import("@/components/streams/stream-dialog").then((one) => one.StreamDialog),
  "editing",
);

/** Where events of the record are sent as they are committed. */
export function StreamsPage() {
  useLiveQueries(["streams"]);
  const trpc = useTRPC();
  const streams = useQuery(trpc.streams.list.queryOptions());
  const [editing, setEditing] = useState<StreamView | "new" | null>(null);
  const [checked, setChecked] = useState<StreamView | null>(null);
  const [shown, setShown] = useState<StreamView | null>(null);
  useRequestedAct({ create: () => setEditing("new") });
  const add = (
    <PermittedButton to="stream:manage" variant="primary" onClick={() => setEditing("new")}>
      <Plus aria-hidden /> New stream
    </PermittedButton>
  );
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-140 text-muted">
          A stream sends decisions, approvals, policy changes, sign-ins and costs to your SIEM or store, in the order of
          the record. After a failure it continues where it stopped.
        </p>
        {streams.data?.length ? add : null}
      </header>
      {streams.isError ? (
        <ErrorState
          compact
          title="The streams could not be loaded"
          reason={failureSentence(streams.error)}
          onRetry={() => void streams.refetch()}
          retrying={streams.isFetching}
        />
      ) : !streams.data ? (
        <Skeleton className="h-20" />
      ) : streams.data.length === 0 ? (
        <EmptyState icon={Cable} title="No streams yet" action={add}>
          Send the record to Splunk, Elastic, a syslog server or an S3-compatible store.
        </EmptyState>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-md border bg-surface" aria-label="Streams">
          {streams.data.map((one) => (
            <StreamRow
              key={one.id}
              stream={one}
              onEdit={() => setEditing(one)}
              onCheck={() => setChecked(one)}
              onSetAside={() => setShown(one)}
            />
          ))}
        </ul>
      )}
      <StreamDialog editing={editing} onClose={() => setEditing(null)} />
      <CheckDialog stream={checked} onClose={() => setChecked(null)} />
      <SetAsideDialog stream={shown} onClose={() => setShown(null)} />
    </div>
  );
}
