"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { useCallsHref } from "@/components/costs/calls-href";
import { agentTerms, filterKeys, sessionCostsInputOf, typedAgents } from "@/components/costs/query";
import { SessionsTable } from "@/components/costs/sessions-table";
import { sessionSorts } from "@/components/costs/sort-order";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { parseSort, printSort } from "@/components/ui/table/sort-text";
import type { CostRange } from "@/server/costs/schema";

export interface SessionsViewProps {
  input: CostRange;
  /** The field `agent` of the filter, with its values. */
  agents: FilterField;
  during: string;
  stale: string | null;
}

/** Sessions with their costs, of all agents or of those in the address. */
export function SessionsView({ input, agents, during, stale }: SessionsViewProps) {
  const trpc = useTRPC();
  const hrefOf = useCallsHref();
  const [sortWord, setSort] = useQueryState("sort", parseAsString);
  const [filter, setFilter] = useFilter(filterKeys);
  const sort = useMemo(() => parseSort(sortWord, sessionSorts, { id: "spend", desc: true }), [sortWord]);
  const sessionHref = useMemo(() => (sessionId: string) => hrefOf("session", sessionId), [hrefOf]);
  const asked = useMemo(() => sessionCostsInputOf(input, filter), [input, filter]);
  const query = useQuery({ ...trpc.costs.bySession.queryOptions(asked), placeholderData: keepPreviousData });
  const shown = agentTerms(filter);
  return (
    <SessionsTable
      costs={query.data}
      status={query.status}
      error={query.isError ? failureSentence(query.error) : null}
      onRetry={() => void query.refetch()}
      stale={stale}
      sort={sort}
      onSort={(next) => void setSort(printSort(next))}
      during={during}
      hrefOf={sessionHref}
      isFiltered={shown.terms.length > 0}
      filter={
        <FilterBar
          label="sessions"
          fields={[agents]}
          value={shown}
          onChange={(next) => setFilter(typedAgents(next))}
          placeholder="agent:…"
        />
      }
    />
  );
}
