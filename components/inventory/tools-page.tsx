"use client";

import { SELECTABLE_KINDS } from "@quarterdeck/hooks/contract/tool-kinds";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Wrench } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { AllowListDialog } from "@/components/inventory/allow-list-dialog";
import { toolColumns, toolKey } from "@/components/inventory/columns";
import { filterKeys, sortOf, toolsInput, unknownTerms } from "@/components/inventory/query";
import { useAllowList } from "@/components/inventory/use-allow-list";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { type Filter, isEmptyFilter, noFilter, printTerm } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { DataTable } from "@/components/ui/table/data-table";
import { printSort } from "@/components/ui/table/sort-text";
import type { Sort } from "@/components/ui/table/types";
import { useNarrow } from "@/components/ui/use-media";
import { CLIENT_NAMES, clientTitle } from "@/server/dialects/schema";
import { INVENTORY_DAYS } from "@/server/inventory/schema";

const FIELDS: readonly FilterField[] = [
  { key: "agent", hint: "part of the agent's name" },
  {
    key: "client",
    hint: "the client that called the tool",
    values: CLIENT_NAMES.map((value) => ({ value, label: clientTitle(value) })),
  },
  {
    key: "kind",
    hint: "what the tool does",
    values: [...SELECTABLE_KINDS.map(({ kind, title }) => ({ value: kind, label: title })), { value: "other" }],
  },
];

function useTools(filter: Filter) {
  const trpc = useTRPC();
  const [text, setText] = useQueryState("sort", parseAsString);
  const sort = useMemo(() => sortOf(text), [text]);
  const input = useMemo(() => toolsInput(filter, sort), [filter, sort]);
  const query = useInfiniteQuery(
    trpc.inventory.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const rows = useMemo(() => {
    // A tool that was called between two pages is on both; the first is newer.
    const shown = new Set<string>();
    const all = query.data?.pages.flatMap((page) => page.rows) ?? [];
    return all.filter((row) => !shown.has(toolKey(row)) && shown.add(toolKey(row)));
  }, [query.data]);
  const total = query.data?.pages[0]?.total ?? null;
  return { query, rows, total, sort, setSort: (next: Sort) => void setText(printSort(next)) };
}

/** Every tool, MCP server and skill that agents called, and the rules that check each. */
export function ToolsPage() {
  useLiveQueries(["agents", "policies"]);
  const [filter, setFilter] = useFilter(filterKeys);
  const { query, rows, total, sort, setSort } = useTools(filter);
  const allowList = useAllowList();
  const columns = toolColumns(allowList.open);
  const stale = useStaleSentence();
  const isNarrow = useNarrow();
  const asking = useAsking(query.isPlaceholderData, listQuestion(filter, sort));
  const unknown = unknownTerms(filter);
  return (
    <>
      <PageHeader live />
      <PageBody width="fill" className="overflow-y-auto">
        {unknown.length === 0 ? null : (
          <Notice kind="warning" className="mb-2">
            {unknown.map(printTerm).join(", ")} is not a known filter and is ignored. Try client:codex or kind:mcp.
          </Notice>
        )}
        <DataTable
          id="tools"
          label="tools"
          columns={columns}
          rows={rows}
          getRowId={toolKey}
          status={query.isError ? "error" : query.isPending ? "pending" : "success"}
          error={query.isError ? failureSentence(query.error) : null}
          stillWorks={<GatewayStatus />}
          onRetry={() => void query.refetch()}
          stale={stale}
          asking={asking}
          sort={sort}
          onSort={setSort}
          question={listQuestion(filter, sort)}
          holdsInUse
          onOpen={(row) => (row.tool === "" ? undefined : allowList.open(row))}
          loadMore={{
            hasMore: query.hasNextPage,
            loading: query.isFetchingNextPage,
            onLoadMore: () => void query.fetchNextPage(),
          }}
          rowHeight={40}
          height={isNarrow ? "auto" : "fill"}
          hotkeys
          summary={
            total === null
              ? null
              : `${plural(total, isEmptyFilter(filter) ? "row" : "matching row")}, last ${INVENTORY_DAYS} days`
          }
          toolbar={
            <FilterBar
              label="tools"
              fields={[...FIELDS]}
              value={filter}
              onChange={setFilter}
              placeholder="kind:mcp client:codex, or a part of a name"
            />
          }
          empty={isEmptyFilter(filter) ? <NoTools /> : <NoMatch onClear={() => setFilter(noFilter)} />}
        />
      </PageBody>
      <AllowListDialog of={allowList.of} onClose={allowList.close} />
    </>
  );
}

function NoTools() {
  return (
    <EmptyState
      icon={Wrench}
      title={`No tool was called in the last ${INVENTORY_DAYS} days`}
      action={
        <Button asChild>
          <Link href="/agents">Agents</Link>
        </Button>
      }
    >
      Each tool, MCP server and skill is listed after an agent&apos;s first call. Enrol an agent to start.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={Wrench} title="No tool matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
      Tools match every filter that you set. A filter with several values matches any of them.
    </EmptyState>
  );
}
