"use client";

import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { everyRevision } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { RevisionView } from "@/server/policies/schema";

export interface RevisionsViewProps {
  policyId: string;
  live: number;
  canary: number | null;
  openNumber: number | null;
  onOpen: (number: number) => void;
}

/** Everything that was ever in force, newest first. */
export function RevisionsView({ policyId, live, canary, openNumber, onOpen }: RevisionsViewProps) {
  const trpc = useTRPC();
  const revisions = useQuery(everyRevision(trpc, policyId));
  return (
    <DataTable
      id="revisions"
      label="revisions"
      columns={columnsFor(live, canary)}
      rows={revisions.data ?? []}
      getRowId={(row) => String(row.number)}
      status={revisions.status}
      error={revisions.error ? failureSentence(revisions.error) : null}
      onRetry={() => void revisions.refetch()}
      onOpen={(row) => onOpen(row.number)}
      openId={openNumber === null ? null : String(openNumber)}
      rowHeight={40}
      empty={
        <EmptyState icon={History} title="No revisions yet">
          Each time you publish, an immutable revision is added here with its author and note.
        </EmptyState>
      }
    />
  );
}

const known = new Map<string, readonly Column<RevisionView>[]>();

/** One array a state of things: the table is rebuilt when it moves, not on every render. */
function columnsFor(live: number, canary: number | null): readonly Column<RevisionView>[] {
  const key = `${live} ${canary}`;
  const made = known.get(key) ?? columns(live, canary);
  known.set(key, made);
  return made;
}

const columns = (live: number, canary: number | null): readonly Column<RevisionView>[] => [
  {
    id: "number",
    header: "Revision",
    width: 150,
    priority: 1,
    fixed: true,
    value: (row) => row.number,
    cell: (row) => (
      <span className="flex items-center gap-2">
        <span className="font-medium">{row.number}</span>
        {row.number === live ? <Mark tone="allow" label="in force" /> : null}
        {row.number === canary ? <Mark tone="ask" label="in canary" /> : null}
      </span>
    ),
  },
  {
    id: "note",
    header: "Note",
    grow: true,
    value: (row) => row.note,
    cell: (row) =>
      row.note ? <span className="truncate">{row.note}</span> : <Missing reason="published without a note" />,
  },
  { id: "author", header: "Author", width: 130, value: (row) => row.author, cell: (row) => row.author },
  {
    id: "at",
    header: "Published",
    width: 120,
    value: (row) => row.createdAt,
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
  {
    id: "hooks",
    header: "Hooks",
    width: 80,
    align: "right",
    value: (row) => row.hooks,
    cell: (row) => row.hooks,
    hint: "Number of hooks in the revision, over all events",
  },
  { id: "profile", header: "Profile", width: 90, value: (row) => row.profile, cell: (row) => row.profile, priority: 3 },
  {
    id: "sha256",
    header: "sha256",
    width: 120,
    priority: 3,
    value: (row) => row.sha256,
    cell: (row) => <code title={row.sha256}>{row.sha256.slice(0, 12)}</code>,
  },
];
