"use client";

import { APPROVAL_SOURCE_KINDS } from "@quarterdeck/hooks/contract/approval-sources";
import { Split } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { BarList } from "@/components/charts/bar-list";
import { approvalSourceColours } from "@/components/decisions/approval-sources/approval-sources-model";
import { useCallsHref } from "@/components/decisions/approval-sources/calls-href";
import { approvalSourceColumns } from "@/components/decisions/approval-sources/columns";
import { approvalSourceLabels } from "@/components/decisions/approval-sources/labels";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { parseSort, printSort } from "@/components/ui/table/sort-text";
import type { TableStatus } from "@/components/ui/table/types";
import { type ApprovalSourcesView as Settled, sourceWords } from "@/server/decisions/schema";

export interface ApprovalSourcesTablesProps {
  settled: Settled | undefined;
  status: TableStatus;
}

/** The sources by kind and by name, and the agents and tools whose calls they decided. */
export function ApprovalSourcesTables({ settled, status }: ApprovalSourcesTablesProps) {
  const hrefOf = useCallsHref();
  const [sortText, setSort] = useQueryState("sort", parseAsString);
  const kinds = useMemo(() => APPROVAL_SOURCE_KINDS.filter((kind) => (settled?.kinds[kind] ?? 0) > 0), [settled]);
  const columns = useMemo(() => approvalSourceColumns(kinds, settled?.total ?? 0, hrefOf), [kinds, settled, hrefOf]);
  const sort = useMemo(
    () => parseSort(sortText, ["agent", "tool", "calls", ...APPROVAL_SOURCE_KINDS], CALLS),
    [sortText],
  );
  const rows = useMemo(() => sortedLines(settled?.lines ?? [], sort), [settled, sort]);
  const aside = settled ? `of ${plural(settled.total, "call")}` : null;
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-2">
        <Section title="By kind" aside={aside} framed>
          {settled ? <Kinds settled={settled} hrefOf={hrefOf} /> : <Skeleton className="h-40" />}
        </Section>
        <Section title="By source" aside={aside} framed>
          {settled ? <Sources settled={settled} hrefOf={hrefOf} /> : <Skeleton className="h-40" />}
        </Section>
      </div>
      <Section
        title="Calls by agent and tool"
        aside={settled && settled.rest > 0 ? `${formatCount(settled.rest)} calls of agents and tools not listed` : null}
      >
        <DataTable
          id="settled-lines"
          label="agents and tools"
          columns={columns}
          rows={rows}
          getRowId={lineId}
          status={status}
          height="auto"
          sort={sort}
          onSort={(next) => void setSort(printSort(next))}
          bare
          empty={<EmptyState icon={Split} title="No calls with a final decision in this range" compact />}
        />
      </Section>
      <Known settled={settled} />
    </>
  );
}

const CALLS = { id: "calls", desc: true };
const lineId = ({ agent, tool }: Settled["lines"][number]) => `${agent}\0${tool}`;

function sortedLines(lines: Settled["lines"], { id, desc }: { id: string; desc: boolean }): Settled["lines"] {
  const kind = APPROVAL_SOURCE_KINDS.find((known) => known === id);
  const rank = (line: Settled["lines"][number]) => (kind ? (line.kinds[kind] ?? 0) : line.total);
  const order = (a: Settled["lines"][number], b: Settled["lines"][number]) =>
    id === "agent" ? a.agent.localeCompare(b.agent) : id === "tool" ? a.tool.localeCompare(b.tool) : rank(a) - rank(b);
  return lines.toSorted((a, b) => (desc ? -1 : 1) * order(a, b) || lineId(a).localeCompare(lineId(b)));
}

interface PartProps {
  settled: Settled;
  hrefOf: ReturnType<typeof useCallsHref>;
}

function Kinds({ settled, hrefOf }: PartProps) {
  const items = APPROVAL_SOURCE_KINDS.flatMap((kind) => {
    const count = settled.kinds[kind] ?? 0;
    if (count === 0) return [];
    const value = kind === "judge" ? "hook" : kind;
    const href = hrefOf([
      { key: "by", value: "final" },
      { key: "settled", value },
    ]);
    return [
      { name: kind, label: approvalSourceLabels[kind].label, value: count, colour: approvalSourceColours[kind], href },
    ];
  });
  return (
    <BarList label="Calls by kind" nameHeader="Decided by" valueHeader="Calls" items={items} unit="count" limit={7} />
  );
}

function Sources({ settled, hrefOf }: PartProps) {
  const items = settled.sources.map(({ source, byJudge, verdict, count }) => {
    const { label, tone } = sourceWords(source);
    return {
      name: `${source} ${verdict} ${byJudge}`,
      label: `${label}${tone === "unknown" ? "" : `, ${verdict}`}${byJudge ? ", by a judge" : ""}`,
      value: count,
      href: hrefOf([
        { key: "by", value: "final" },
        ...(source === "" ? [] : [{ key: "source", value: source }]),
        { key: "verdict", value: verdict },
      ]),
    };
  });
  return (
    <BarList label="Calls by source" nameHeader="Source" valueHeader="Calls" items={items} unit="count" limit={8} />
  );
}

/** A note on the limits of these numbers. */
function Known({ settled }: { settled: Settled | undefined }) {
  return (
    <p className="text-faint text-sm">
      Counted in whole hours, from the final decisions that agents report. A hook counts as a judge when Quarterdeck ran
      it for the same call and it asked a model. Local hooks of agents, and calls without a session or an id, count as
      hooks.
      {settled?.judgesSince ? (
        <>
          {" "}
          Judges have been counted separately since <RelativeTime at={settled.judgesSince} look="clock" />.
        </>
      ) : null}
    </p>
  );
}
