"use client";

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { KIND_WORDS, markOf, SOURCE_WORDS } from "@/components/judges/known-calls/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { toast } from "@/components/ui/toast";
import type { KnownCallView } from "@/server/prompts/known-calls/schema";

function VerdictMark({ call }: { call: KnownCallView }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Mark {...markOf(call)} />
      {call.hasFlipped ? <span className="text-muted text-sm">flipped</span> : null}
    </span>
  );
}

export const callColumns: readonly Column<KnownCallView>[] = [
  {
    id: "kind",
    header: "Kind",
    width: 80,
    priority: 1,
    fixed: true,
    value: (row) => KIND_WORDS[row.kind].label,
    cell: (row) => <span className="font-medium">{KIND_WORDS[row.kind].label}</span>,
  },
  {
    id: "call",
    header: "Call",
    width: 220,
    grow: true,
    priority: 1,
    value: (row) => row.excerpt,
    cell: (row) => (
      <span className="truncate">
        <span className="text-muted">{row.tool ?? row.event}</span> {row.excerpt}
      </span>
    ),
  },
  {
    id: "verdict",
    header: "Newest run",
    width: 170,
    priority: 1,
    hint: "The judge's verdict in the newest finished run",
    value: (row) => row.verdict,
    cell: (row) => <VerdictMark call={row} />,
  },
  {
    id: "source",
    header: "Source",
    width: 140,
    value: (row) => SOURCE_WORDS[row.source],
    cell: (row) => SOURCE_WORDS[row.source],
  },
  {
    id: "added",
    header: "Added",
    width: 170,
    value: (row) => row.addedAt,
    cell: (row) => (
      <span className="truncate">
        <RelativeTime at={row.addedAt} /> by {row.addedBy}
      </span>
    ),
  },
];

interface CallDetailProps {
  promptId: string;
  call: KnownCallView;
  onRemoved: () => void;
}

/** One known call, with the button that removes it. */
export function CallDetail({ promptId, call, onRemoved }: CallDetailProps) {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.knownCalls.remove.mutationOptions({
      onSuccess: () => {
        toast.success("Known call removed");
        onRemoved();
      },
    }),
  );
  return (
    <div className="flex flex-col items-start gap-4">
      <KeyValue
        items={[
          { label: "Kind", value: `${KIND_WORDS[call.kind].label}. ${KIND_WORDS[call.kind].help}` },
          { label: "Newest run", value: <VerdictMark call={call} /> },
          { label: "Event", value: call.event },
          ...(call.tool === null ? [] : [{ label: "Tool", value: call.tool }]),
          { label: "Source", value: SOURCE_WORDS[call.source] },
          ...(call.note === "" ? [] : [{ label: "Note", value: call.note }]),
        ]}
      />
      <PermittedButton
        to="policy:write"
        busy={remove.isPending}
        onClick={() => remove.mutate({ promptId, callId: call.id })}
      >
        <Trash2 aria-hidden /> Remove
      </PermittedButton>
      {remove.error ? <ErrorLine>{failureSentence(remove.error)}</ErrorLine> : null}
    </div>
  );
}
