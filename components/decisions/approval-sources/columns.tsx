"use client";

import type { ApprovalSourceKind } from "@quarterdeck/hooks/contract/approval-sources";
import { approvalSourceLabels } from "@/components/decisions/approval-sources/labels";
import type { FilterTerm } from "@/components/ui/filter/filter-text";
import { formatCount, formatShare } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import type { Column } from "@/components/ui/table/types";
import type { ApprovalSourcesView } from "@/server/decisions/schema";

export type ApprovalSourceLine = ApprovalSourcesView["lines"][number];

type HrefOf = (terms: readonly FilterTerm[]) => string;

/** Agent, tool, and one column for each kind that occurs: its calls, and their share of the line's. */
export function approvalSourceColumns(
  kinds: readonly ApprovalSourceKind[],
  all: number,
  hrefOf: HrefOf,
): Column<ApprovalSourceLine>[] {
  const of = ({ agent, tool }: ApprovalSourceLine): FilterTerm[] => [
    { key: "by", value: "final" },
    ...(agent === "" ? [] : [{ key: "agent", value: agent }]),
    ...(tool === "" ? [] : [{ key: "tool", value: tool }]),
  ];
  return [
    {
      id: "agent",
      header: "Agent",
      cell: (line) => line.agent,
      value: (line) => line.agent,
      width: 150,
      sortable: true,
      fixed: true,
      priority: 1,
    },
    {
      id: "tool",
      header: "Tool",
      cell: (line) => (
        <Link href={hrefOf(of(line))} className="rounded-sm hover:underline">
          <code>{line.tool}</code>
        </Link>
      ),
      value: (line) => line.tool,
      width: 160,
      grow: true,
      sortable: true,
      priority: 1,
    },
    {
      id: "calls",
      header: "Calls",
      hint: `Number of calls, and their share of all ${formatCount(all)} calls counted.`,
      cell: (line) => <Part count={line.total} whole={all} href={hrefOf(of(line))} />,
      value: (line) => line.total,
      width: 110,
      align: "right",
      sortable: true,
    },
    ...kinds.map(
      (kind): Column<ApprovalSourceLine> => ({
        id: kind,
        header: approvalSourceLabels[kind].label,
        hint: `${approvalSourceLabels[kind].says} The share is of the calls in this row.`,
        cell: (line) => (
          <Part
            count={line.kinds[kind] ?? 0}
            whole={line.total}
            // The agent reports a judge as a hook.
            href={hrefOf([...of(line), { key: "settled", value: kind === "judge" ? "hook" : kind }])}
          />
        ),
        value: (line) => line.kinds[kind] ?? 0,
        // Wide enough for its heading and the arrow of the sort.
        width: Math.max(108, 44 + 7 * approvalSourceLabels[kind].label.length),
        align: "right",
        sortable: true,
      }),
    ),
  ];
}

function Part({ count, whole, href }: { count: number; whole: number; href: string }) {
  if (count === 0) return <span className="text-faint">0</span>;
  return (
    <Link href={href} className="whitespace-nowrap rounded-sm hover:underline">
      {formatCount(count)} <span className="inline-block min-w-11 text-faint">{formatShare(count, whole)}</span>
    </Link>
  );
}
