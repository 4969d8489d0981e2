"use client";

import { APPROVAL_SOURCE_KINDS } from "@quarterdeck/hooks/contract/approval-sources";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { usePermission } from "@/components/access/permission";
import { approvalSourceLabels } from "@/components/decisions/approval-sources/labels";
import { useListPace } from "@/components/decisions/feed/use-list-pace";
import { isFollowableList, useLiveRows } from "@/components/decisions/feed/use-live-rows";
import { usePeople } from "@/components/decisions/follow-up/use-people";
import { sourceLabel } from "@/components/decisions/labels";
import { outcomeLabel } from "@/components/decisions/outcome-words";
import type { DecisionsInput } from "@/components/decisions/query";
import { usePrincipals } from "@/components/principals/use-principals";
import { useTRPC } from "@/components/trpc/client";
import type { FilterField } from "@/components/ui/filter/suggest";
import { DECISION_OUTCOMES } from "@/server/decisions/call-outcome-schema";
import { READ_AGAIN_MS } from "@/server/decisions/live-calls/schema";
import type { CallFacet, CallFacets, CallView } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** The number of empty pages that are loaded automatically before the person is asked. */
const PAGES_UNASKED = 2;

/**
 * The loaded pages as one list, and the progress of an unfinished search. A frozen list is fetched once and then does
 * not change.
 */
export function useDecisions(input: DecisionsInput, isFrozen: boolean) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.decisions.calls.infiniteQueryOptions(input, {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const canFollow = isFollowableList(input);
  const query = useInfiniteQuery({
    ...options,
    enabled: !isFrozen || client.getQueryData(options.queryKey) === undefined,
    meta: canFollow ? {} : { refreshEveryMs: READ_AGAIN_MS },
  });
  const isSlowed = useLiveRows(options.queryKey, input, !isFrozen && canFollow);
  const pace = useListPace(options.queryKey, { isFrozen, canFollow, isSlowed });
  const pages = query.data?.pages;
  const { order } = input;
  const rows = useMemo(() => distinct(pages?.flatMap((page) => page.rows) ?? [], order), [pages, order]);
  const last = pages?.at(-1);
  const read = pages?.reduce((sum, page) => sum + (page.searched?.rows ?? 0), 0) ?? 0;
  const searched = last?.searched ? { rows: read, until: last.searched.until } : null;
  return {
    query,
    rows,
    searched,
    pace,
    goesOn: rows.length === 0 && (last?.nextCursor ?? null) !== null && (pages?.length ?? 0) <= PAGES_UNASKED,
  };
}

/**
 * Removes duplicates: a row that arrived between two pages of a search may be on both. A call that waits may be older
 * than its page.
 */
function distinct(rows: readonly CallView[], order: DecisionsInput["order"]): CallView[] {
  const all = [...new Map(rows.map((row) => [eventKeyText(row), row])).values()];
  if (all.every(({ isRecorded }) => isRecorded)) return all;
  const sign = order === "newest" ? -1 : 1;
  return all.toSorted((a, b) => sign * (a.occurredAt.getTime() - b.occurredAt.getTime()));
}

/** The fields that the filter bar offers: the values that really occur, with the calls of each. */
export function useFilterFields(input: DecisionsInput): {
  fields: FilterField[];
  facets: CallFacets | undefined;
  /** The counts are of the question before. */
  isPlaceholder: boolean;
  /** The counts could not be read, and none are known. */
  isMissing: boolean;
} {
  const trpc = useTRPC();
  const { range, filters } = input;
  const { data, isError, isPlaceholderData } = useQuery({
    ...trpc.decisions.callFacets.queryOptions({ range, filters }),
    placeholderData: keepPreviousData,
  });
  const keywords = useQuery(trpc.followUps.keywords.queryOptions()).data;
  const { nameOf } = usePrincipals();
  const people = usePeople(usePermission("call:follow-up").isGranted);
  const fields = useMemo(
    () => [
      ...fieldsOf(data, nameOf),
      { key: "keyword", hint: "a keyword of the follow-up", values: keywords ?? [] },
      {
        key: "assignee",
        hint: "the person who follows the call up",
        values: people.map(({ name }) => ({ value: name })),
      },
      { key: "has", hint: "comments", values: [{ value: "comments" }] },
    ],
    [data, keywords, people, nameOf],
  );
  return { fields, facets: data, isPlaceholder: isPlaceholderData, isMissing: isError && data === undefined };
}

const OUTCOMES = DECISION_OUTCOMES.map((value) => ({ value, label: outcomeLabel(value) }));

function fieldsOf(facets: CallFacets | undefined, personName: (id: string) => string): FilterField[] {
  const of = (key: CallFacet, hint: string, labelOf?: (value: string) => string): FilterField => ({
    key,
    hint,
    ...(facets
      ? { values: facets.values[key].map((each) => (labelOf ? { ...each, label: labelOf(each.value) } : each)) }
      : {}),
  });
  return [
    of("verdict", "allow, ask, deny or canceled"),
    of("tool", "what was called"),
    of("agent", "who asked"),
    of("person", "the person or service behind the agent", personName),
    of("group", "the group of the agent"),
    of("policy", "the policy that decided"),
    of("rule", "the rule that decided"),
    of("by", "gate: policy decision; final: the agent's own", (value) =>
      value === "gate" ? "policy decision" : "final decision (agent)",
    ),
    of("source", "who or what decided it", sourceLabel),
    {
      key: "settled",
      hint: "how the agent's last word came about",
      values: APPROVAL_SOURCE_KINDS.filter((kind) => kind !== "judge").map((kind) => ({
        value: kind,
        label: approvalSourceLabels[kind].label,
      })),
    },
    { key: "outcome", hint: "the outcome of the call", values: OUTCOMES },
    of("session", "one session's calls"),
  ];
}
