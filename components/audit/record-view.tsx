"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { type AuditRow, BatchesProvider, useOpenedBatches, withBatches } from "@/components/audit/batches";
import { auditColumns } from "@/components/audit/columns";
import { auditInput, filterKeys } from "@/components/audit/query";
import { kindLabel } from "@/components/audit/sentences";
import { useStaleSentence } from "@/components/layout/connection-state";
import { RecordList } from "@/components/layout/record-list";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { AuditFacets } from "@/server/record/schema";

const EntryDrawer = loadWhenOpened(() => import("@/components/audit/entry-drawer").then((one) => one.EntryDrawer));

/** Collapsed batches are known by their first: a batch that is added to them makes no other row. */
const keyOf = (row: AuditRow): string => String(row.batches?.from ?? row.seq);

/** The acts, the newest first. */
export function RecordView() {
  const trpc = useTRPC();
  const range = useTimeRange("30d");
  const stale = useStaleSentence();
  const [filter, setFilter] = useFilter(filterKeys);
  const { from, to } = range;
  const input = useMemo(() => auditInput({ from, to }, filter), [from, to, filter]);
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const facets = useQuery({
    ...trpc.audit.facets.queryOptions({ range: input.range }),
    placeholderData: keepPreviousData,
  });
  const { opened, opening } = useOpenedBatches(input.range);
  const rows = useMemo(() => {
    const pages = query.data?.pages ?? [];
    return withBatches(
      pages.flatMap((page) => page.rows),
      pages.flatMap((page) => page.batches),
      opened,
    );
  }, [query.data, opened]);
  const acts = rows.filter((row) => row.batches === undefined).length;
  const fields = useMemo(() => fieldsOf(facets.data), [facets.data]);
  return (
    <BatchesProvider value={opening}>
      <RecordList
        id="audit"
        label="audit entries"
        columns={auditColumns}
        rows={rows}
        keyOf={keyOf}
        query={query}
        holdsInUse
        stillWorks="The server refuses changes that it cannot record."
        stale={stale}
        filter={filter}
        onFilter={setFilter}
        fields={fields}
        placeholder="kind:policy_published actor:ada target:…"
        summary={query.isSuccess && !query.hasNextPage ? plural(acts, "entry", "entries") : null}
        rangeLabel={range.label}
        icon={ScrollText}
        noMatch="No entry matches"
        empty={
          <EmptyState icon={ScrollText} title="No audit entries in this range">
            Each change by a person or a script is an entry. Recorded agent events are shown in batches, one row for
            each.
          </EmptyState>
        }
        drawer={(drives) => <EntryDrawer {...drives} />}
      />
    </BatchesProvider>
  );
}

/** Offered without occurrences too, so that an empty result proves their absence. */
const REMOVAL_KINDS = ["content_erased", "dispatches_dropped", "data_dropped", "demo_removed"];

function fieldsOf(facets: AuditFacets | undefined): FilterField[] {
  const kinds = facets?.kind ?? [];
  return [
    {
      key: "kind",
      hint: "what was done",
      values: [
        ...kinds.map(({ value, count }) => ({ value, count, hint: kindLabel(value) })),
        ...REMOVAL_KINDS.filter((kind) => kinds.every(({ value }) => value !== kind)).map((value) => ({
          ...{ value, count: 0, hint: kindLabel(value) },
        })),
        { value: "dispatches_recorded" },
      ],
    },
    { key: "actor", hint: "who did it", values: facets?.actor ?? [] },
    { key: "target", hint: "what it was done to", values: facets?.target ?? [] },
  ];
}
