"use client";

import { useMutation } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { FORMAT_LABELS, RECEIVER_LABELS } from "@/components/streams/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { StreamView } from "@/server/streams/schema";

/** A lag that is shown. */
const LAG_SHOWN_MS = 2_000;

export interface StreamRowProps {
  stream: StreamView;
  onEdit: () => void;
  onCheck: () => void;
  onSetAside: () => void;
}

export function StreamRow({ stream, onEdit, onCheck, onSetAside }: StreamRowProps) {
  const trpc = useTRPC();
  const [asked, setAsked] = useState<"rewind" | "remove" | null>(null);
  const test = useMutation(
    trpc.streams.test.mutationOptions({
      onError: (error) => toast.error("Nothing was sent", { description: failureSentence(error) }),
      onSuccess: ({ error }) =>
        error === null ? toast.success("Test event accepted") : toast.error("The test failed", { description: error }),
    }),
  );
  const { id, name, kind, format, address, bucket } = stream;
  const goal = kind === "s3" ? `${address.replace(/\/$/, "")}/${bucket}` : address;
  const close = () => setAsked(null);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="w-20 shrink-0">
        <State stream={stream} />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{name}</p>
        <p className="flex flex-wrap gap-x-2 text-muted text-sm">
          <span>
            {RECEIVER_LABELS[kind]}, {FORMAT_LABELS[format]}
          </span>
          <span className="min-w-0 truncate" title={goal}>
            {goal}
          </span>
        </p>
        <Progress stream={stream} />
      </div>
      <Button size="sm" busy={test.isPending} onClick={() => test.mutate({ id })}>
        Send test
      </Button>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More about ${name}`} size="sm" />}
        items={[
          { label: "Edit", onSelect: onEdit },
          { label: "Compare with the record", onSelect: onCheck },
          ...(stream.setAside > 0 ? [{ label: "Events set aside", onSelect: onSetAside }] : []),
          { label: "Send again from the beginning", onSelect: () => setAsked("rewind") },
          { label: "Remove", danger: true, onSelect: () => setAsked("remove") },
        ]}
      />
      <ActDialog
        mutation={trpc.streams.rewind.mutationOptions()}
        input={asked === "rewind" && { id, seq: 0 }}
        onClose={close}
        title={`Send ${name} again from the beginning?`}
        confirm="Send again"
      >
        <p>
          The receiver gets every event of the record once more, with the same ids. The counts of the stream begin anew.
        </p>
      </ActDialog>
      <ActDialog
        mutation={trpc.streams.remove.mutationOptions()}
        input={asked === "remove" && { id }}
        onClose={close}
        title={`Remove the stream ${name}?`}
        confirm="Remove"
      >
        <p>The receiver gets no more events. Its place in the record is forgotten.</p>
      </ActDialog>
    </li>
  );
}

function State({ stream: { isEnabled, error } }: { stream: StreamView }) {
  if (!isEnabled) return <Mark tone="canceled" label="Off" />;
  return error === null ? <Mark tone="allow" label="On" /> : <Mark tone="error" label="Failing" />;
}

function Progress({ stream }: { stream: StreamView }) {
  const { isEnabled, error, nextAt, lagMs, events, setAside, resent, removed, acceptedAt } = stream;
  const counts = [
    plural(events, "event"),
    ...(setAside > 0 ? [`${setAside} set aside`] : []),
    ...(resent > 0 ? [`${resent} sent again`] : []),
    ...(removed > 0 ? [`${removed} removed by retention first`] : []),
  ];
  return (
    <>
      <p className="text-muted text-sm">
        {counts.join(", ")}
        {acceptedAt === null ? null : (
          <>
            , last accepted <RelativeTime at={acceptedAt} />
          </>
        )}
        {isEnabled && lagMs > LAG_SHOWN_MS ? `, ${formatDuration(lagMs)} behind` : null}
      </p>
      {error === null ? null : (
        <p className="text-error text-sm">
          {error} Next attempt <RelativeTime at={nextAt} />.
        </p>
      )}
    </>
  );
}
