"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { ResentEvents, SetAsideView, StreamView } from "@/server/streams/schema";

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
  const again = useMutation(
    trpc.streams.sendAgain.mutationOptions({
      onError: (error) => toast.error("Nothing was sent", { description: failureSentence(error) }),
      onSuccess: async (result) => {
        showResult(result);
        await events.refetch();
      },
    }),
  );
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
  if (events.data.length === 0) return <p className="pb-3 text-muted">No events are set aside.</p>;
  return (
    <div className="flex flex-col gap-3 pb-3">
      <EventList events={events.data} />
      <Button className="self-start" busy={again.isPending} onClick={() => again.mutate({ id })}>
        Send again
      </Button>
    </div>
  );
}

function showResult({ accepted, refused, removed, error }: ResentEvents): void {
  if (error !== null) toast.error("Nothing was sent", { description: error });
  else if (refused > 0)
    toast.error(`${plural(refused, "event")} refused again`, { description: `${accepted} accepted` });
  else if (accepted > 0) toast.success(`${plural(accepted, "event")} accepted`);
  else toast.error(`Retention has removed ${plural(removed, "event")}`);
}

function EventList({ events }: { events: readonly SetAsideView[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line" aria-label="Events set aside">
      {events.map(({ seq, place, at, kind, reason }) => (
        <li key={`${seq}.${place}`} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
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
