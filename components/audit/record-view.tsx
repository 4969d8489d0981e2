"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { auditColumns } from "@/components/audit/columns";
import { EntryDrawer } from "@/components/audit/entry-drawer";
import { auditInput, filterKeys } from "@/components/audit/query";
import { kindLabel } from "@/components/audit/sentences";
import { useStaleSentence } from "@/components/layout/connection-state";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { isEmptyFilter, noFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { DataTable } from "@/components/ui/table/data-table";
import { neighbours } from "@/components/ui/table/hold-rows";
import type { AuditFacets, AuditView } from "@/server/evidence/schema";

const seqText = (row: AuditView): string => String(row.seq);

/** The acts, the newest first. */
export function RecordView() {
  const trpc = useTRPC();
  const range = useTimeRange("30d");
  const stale = useStaleSentence();
  const [filter, setFilter] = useFilter(filterKeys);
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
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
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const fields = useMemo(() => fieldsOf(facets.data), [facets.data]);
  const near = neighbours(rows, seqText, open);
  const show = (key: string | null) =>
    void setOpen(key, { history: key !== null && open !== null ? "replace" : "push" });
  const step = (key: string | null) => (key === null ? undefined : () => show(key));
  return (
    <>
      <DataTable
        id="audit"
        label="audit entries"
        columns={auditColumns}
        rows={rows}
        getRowId={seqText}
        status={query.isError ? "error" : query.isPending ? "pending" : "success"}
        error={query.isError ? failureSentence(query.error) : null}
        stillWorks="Whatever is done is still recorded, in the same transaction."
        onRetry={() => void query.refetch()}
        stale={stale}
        onOpen={(row) => show(seqText(row))}
        openId={open}
        loadMore={{
          hasMore: query.hasNextPage,
          loading: query.isFetchingNextPage,
          onLoadMore: () => void query.fetchNextPage(),
        }}
        toolbar={
          <FilterBar
            label="audit entries"
            fields={fields}
            value={filter}
            onChange={setFilter}
            placeholder="kind:policy_published actor:ada target:…"
          />
        }
        summary={query.isSuccess && !query.hasNextPage ? plural(rows.length, "entry", "entries") : null}
        empty={
          isEmptyFilter(filter) ? (
            <EmptyState icon={ScrollText} title="Nothing was done in this range">
              Whatever a person or a script changes here is an entry of this list. Dispatches are recorded too, a batch
              an entry: filter by kind:dispatches_recorded to see them.
            </EmptyState>
          ) : (
            <EmptyState
              icon={ScrollText}
              title="No entry matches"
              action={<Button onClick={() => setFilter(noFilter)}>Clear the filter</Button>}
            >
              Chips of one key mean any of them, different keys all of them. The range is {range.label.toLowerCase()}.
            </EmptyState>
          )
        }
      />
      <EntryDrawer open={open} onClose={() => show(null)} onPrevious={step(near.previous)} onNext={step(near.next)} />
    </>
  );
}

function fieldsOf(facets: AuditFacets | undefined): FilterField[] {
  const kinds = facets?.kind ?? [];
  return [
    {
      key: "kind",
      hint: "what was done",
      values: [
        ...kinds.map(({ value, count }) => ({ value, count, hint: kindLabel(value) })),
        { value: "dispatches_recorded" },
      ],
    },
    { key: "actor", hint: "who did it", values: facets?.actor ?? [] },
    { key: "target", hint: "what it was done to", values: facets?.target ?? [] },
  ];
}
