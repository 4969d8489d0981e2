"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ExportMenu } from "@/components/costs/export-menu";
import { PivotTable } from "@/components/costs/pivot-table";
import { groupingOf } from "@/components/costs/query";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { WorkspaceDays } from "@/components/layout/workspace-days";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { type Dimension, isOfSessions } from "@/server/costs/schema";

const DIMENSIONS: readonly { value: Dimension; label: string }[] = [
  { value: "model", label: "Model" },
  { value: "provider", label: "Provider" },
  { value: "agent", label: "Agent" },
  { value: "person", label: "Person" },
  { value: "group", label: "Group" },
  { value: "tag", label: "Tag" },
  { value: "day", label: "Day" },
  { value: "session", label: "Session" },
  { value: "root", label: "Root session" },
  { value: "workspace", label: "Workspace" },
];

/** The ledger by one dimension and, within it, by another; both in the address. */
export function GroupsView({ range, during }: { range: TimeRangeControl; during: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [words, setWords] = useQueryStates({ by: parseAsString, split: parseAsString });
  const grouping = groupingOf(words.by, words.split);
  const { by, split } = grouping;
  const { from, to } = range;
  const input = useMemo(() => ({ from, to, by, split }), [from, to, by, split]);
  const query = useQuery({ ...trpc.costs.pivot.queryOptions(input), placeholderData: keepPreviousData });
  const seconds = [
    { value: "none", label: "Nothing" },
    ...DIMENSIONS.filter(({ value }) => value !== by && !(isOfSessions(by) && isOfSessions(value))),
  ];
  return (
    <Section
      title="Grouped"
      actions={
        <ExportMenu
          name={`costs-by-${by}${split === null ? "" : `-${split}`}`}
          part={(format) => client.costs.exportPivot.query({ ...input, format })}
        />
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted text-sm">by</span>
        <Select
          size="sm"
          aria-label="Group by"
          value={by}
          options={DIMENSIONS}
          onChange={(next) => void setWords({ by: next, split: next === split ? by : words.split })}
        />
        <span className="text-muted text-sm">then by</span>
        <Select
          size="sm"
          aria-label="Then by"
          value={split ?? "none"}
          options={seconds}
          onChange={(next) => void setWords({ split: next })}
        />
        {by === "day" || split === "day" ? <WorkspaceDays range={input} /> : null}
        <span className="text-faint text-sm">{noteOn(by, split)}</span>
      </div>
      <PivotTable
        grouping={grouping}
        pivot={query.data}
        status={query.status}
        error={query.isError ? failureSentence(query.error) : null}
        onRetry={() => void query.refetch()}
        during={during}
      />
    </Section>
  );
}

function noteOn(by: Dimension, split: Dimension | null): string {
  const has = (one: Dimension) => by === one || split === one;
  if (has("group") || has("tag"))
    return "Calls count under the agents' current groups and tags. Agents with the same set of groups or tags share one row, so no call counts twice.";
  if (has("person"))
    return "The person or service that each call was made for. All rows together are the total, with calls of an unknown person.";
  if (has("provider")) return "The part of the model id before the first slash. Harnesses report no provider.";
  if (has("root")) return "Includes sub-sessions.";
  return "";
}
