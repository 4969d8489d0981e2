"use client";

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { approvalSourceLabels } from "@/components/decisions/approval-sources/labels";
import type { DecisionsInput } from "@/components/decisions/query";
import { useTRPC } from "@/components/trpc/client";
import type { FilterField } from "@/components/ui/filter/suggest";
import {
  type DecisionFacets,
  type DecisionRange,
  type DecisionView,
  keyText,
  sourceWords,
} from "@/server/decisions/schema";
import { APPROVAL_SOURCE_KINDS } from "@/server/hooks/contract/approval-sources";

/** Searches that found nothing go on by themselves this many times before they ask. */
const PAGES_UNASKED = 2;

/**
 * The pages loaded so far, as one list, and how far a search that is not done has come. What is frozen is asked for once and
 * then stands, whatever happens.
 */
export function useDecisions(input: DecisionsInput, isFrozen: boolean) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.decisions.list.infiniteQueryOptions(input, {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const query = useInfiniteQuery({
    ...options,
    enabled: !isFrozen || client.getQueryData(options.queryKey) === undefined,
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => distinct(pages?.flatMap((page) => page.rows) ?? []), [pages]);
  const last = pages?.at(-1);
  const read = pages?.reduce((sum, page) => sum + (page.searched?.rows ?? 0), 0) ?? 0;
  const searched = last?.searched ? { rows: read, until: last.searched.until } : null;
  return {
    query,
    rows,
    searched,
    goesOn: searched !== null && rows.length === 0 && (pages?.length ?? 0) <= PAGES_UNASKED,
  };
}

/** A row that arrived between two pages of a search may come twice. */
function distinct(rows: readonly DecisionView[]): DecisionView[] {
  return [...new Map(rows.map((row) => [keyText(row), row])).values()];
}

/** The fields that the filter bar offers: the values that really occur, with their counts. */
export function useFilterFields(range: DecisionRange): { fields: FilterField[]; facets: DecisionFacets | undefined } {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.decisions.facets.queryOptions({ range: { from: range.from, to: range.to } }),
    placeholderData: keepPreviousData,
  });
  const fields = useMemo(() => fieldsOf(data), [data]);
  return { fields, facets: data };
}

function fieldsOf(facets: DecisionFacets | undefined): FilterField[] {
  const of = (key: Exclude<keyof DecisionFacets, "counted" | "isWhole">, hint: string): FilterField => ({
    key,
    hint,
    ...(facets ? { values: facets[key] } : {}),
  });
  const source = of("source", "who or what decided it");
  return [
    of("verdict", "allow, ask, deny or canceled"),
    of("tool", "what was called"),
    of("agent", "who asked"),
    {
      ...of("by", "gate: decided here; final: decided at the agent"),
      ...(facets
        ? {
            values: facets.by.map(({ value, count }) => ({
              value,
              count,
              label: value === "gate" ? "gate, decided here" : "final, at the agent",
            })),
          }
        : {}),
    },
    {
      ...source,
      ...(facets
        ? {
            values: facets.source.map(({ value, count }) => ({
              value,
              count,
              label: sourceLabel(value),
            })),
          }
        : {}),
    },
    {
      key: "settled",
      hint: "how the agent's last word came about",
      values: APPROVAL_SOURCE_KINDS.filter((kind) => kind !== "judge").map((kind) => ({
        value: kind,
        label: approvalSourceLabels[kind].label,
      })),
    },
    {
      key: "outcome",
      hint: "what became of a denial",
      values: [{ value: "denied_but_ran", label: "denied, but the tool ran" }],
    },
    of("session", "one session's calls"),
  ];
}

/** Words that tell apart what one hook or rule may say: "team rule, deny". */
function sourceLabel(source: string): string {
  const { label, tone } = sourceWords(source);
  return tone === "unknown" ? label : `${label}, ${tone}`;
}
