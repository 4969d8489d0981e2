"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { StreamView } from "@/server/streams/schema";

/** The newest events that the receiver refused for their content. */
export function SetAsideDialog({ stream, onClose }: { stream: StreamView | null; onClose: () => void }) {
  return (
    <Dialog
      open={stream !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Events set aside"
      description="The receiver refused them for their content. The stream continued without them."
    >
      {stream === null ? null : <Events id={stream.id} />}
    </Dialog>
  );
}

function Events({ id }: { id: string }) {
  const trpc = useTRPC();
  const events = useQuery(trpc.streams.setAside.queryOptions({ id }));
  if (events.isError)
    return (
      <ErrorState
        compact
        title="The events could not be loaded"
        reason={failureSentence(events.error)}
        onRetry={() => void events.refetch()}
        retrying={events.isFetching}
      />
    );
  if (!events.data) return <Skeleton className="mb-3 h-20" />;
  return (
    <ul className="flex flex-col divide-y divide-line pb-3" aria-label="Events set aside">
      {events.data.map(({ seq, place, at, kind, reason }) => (
        <li key={`${seq}.${place}`} className="flex flex-wrap gap-x-3 py-1.5">
          <code>
            {seq}.{place}
          </code>
          <code className="text-muted">{kind}</code>
          <span className="min-w-0 flex-1">{reason}</span>
          <span className="text-muted text-sm">
            <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
