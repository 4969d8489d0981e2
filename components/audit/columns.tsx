"use client";

import { type AuditRow, BatchesToggle, batchesText } from "@/components/audit/batches";
import { kindLabel, sentenceOf } from "@/components/audit/sentences";
import { Badge } from "@/components/ui/badge";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import type { Column } from "@/components/ui/table/types";

/** A constant, because the table is rebuilt when they change. */
export const auditColumns: readonly Column<AuditRow>[] = [
  {
    id: "at",
    header: "When",
    width: 96,
    fixed: true,
    priority: 1,
    value: (row) => row.at,
    cell: (row) => <RelativeTime at={row.at} className="text-muted" />,
  },
  {
    id: "actor",
    header: "Who",
    width: 112,
    priority: 1,
    value: (row) => row.actor?.name ?? "Quarterdeck",
    cell: (row) => <span className="truncate font-medium">{row.actor?.name ?? "Quarterdeck"}</span>,
  },
  {
    id: "did",
    header: "Action",
    width: 320,
    grow: true,
    priority: 2,
    value: (row) => (row.batches ? batchesText(row.batches) : sentenceOf(row)),
    cell: (row) =>
      row.batches ? <BatchesToggle of={row.batches} /> : <span className="truncate">{sentenceOf(row)}</span>,
  },
  {
    id: "kind",
    header: "Kind",
    width: 168,
    priority: 3,
    value: (row) => row.kind,
    cell: (row) => (
      <Badge className="min-w-0 max-w-full">
        <span className="truncate">{kindLabel(row.kind)}</span>
      </Badge>
    ),
  },
  {
    id: "from",
    header: "IP address",
    width: 132,
    priority: 3,
    value: (row) => row.from?.ip ?? null,
    cell: (row) =>
      row.from?.ip ? (
        <span className="truncate font-mono text-sm">{row.from.ip}</span>
      ) : (
        <Missing reason="Only entries of browser requests have an IP address." />
      ),
  },
  {
    id: "seq",
    header: "Entry number",
    width: 120,
    align: "right",
    priority: 3,
    value: (row) => (row.batches ? `${row.batches.from} to ${row.batches.to}` : row.seq),
    cell: (row) => (
      <span className="text-faint tabular-nums">
        {row.batches && row.batches.from !== row.batches.to ? `${row.batches.from}–${row.batches.to}` : row.seq}
      </span>
    ),
  },
];
