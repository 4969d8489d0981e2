"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Receipt } from "lucide-react";
import { useMemo } from "react";
import { agentField } from "@/components/costs/agent-field";
import { callColumns } from "@/components/costs/call-columns";
import { ExportMenu } from "@/components/costs/export-menu";
import { callsInput, filterKeys, UNNAMED } from "@/components/costs/query";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { RecordList } from "@/components/layout/record-list";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { usePersonField } from "@/components/principals/use-person-field";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { isEmptyFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { formatCount, plural } from "@/components/ui/format/count";
import { shortMoney } from "@/components/ui/format/nano";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { CallsTotalView, CostBreakdownView } from "@/server/costs/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const CallDrawer = loadWhenOpened(() => import("@/components/costs/call-drawer").then((one) => one.CallDrawer));

export interface CallsViewProps {
  range: TimeRangeControl;
  during: string;
  models: CostBreakdownView | undefined;
  agents: CostBreakdownView | undefined;
  stale: string | null;
}

/** Model calls one by one, the newest first. */
export function CallsView({ range, during, models, agents, stale }: CallsViewProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [filter, setFilter] = useFilter(filterKeys);
  const { from, to } = range;
  const input = useMemo(() => callsInput({ from, to }, filter), [from, to, filter]);
  const query = useInfiniteQuery(
    trpc.costs.calls.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const { limit: _limit, ...filters } = input;
  const total = useQuery({ ...trpc.costs.callsTotal.queryOptions(filters), placeholderData: keepPreviousData });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.calls) ?? [], [query.data]);
  const person = usePersonField();
  const fields = useMemo(() => [...fieldsOf(models, agents), person], [models, agents, person]);
  return (
    <RecordList
      id="costs-calls"
      holdsInUse
      label="model calls"
      columns={callColumns}
      rows={rows}
      keyOf={eventKeyText}
      query={query}
      stillWorks={<GatewayStatus />}
      stale={stale}
      filter={filter}
      onFilter={setFilter}
      fields={fields}
      placeholder="model:… agent:… person:… session:… pricing:unpriced, or part of a name"
      summary={
        <span className="flex flex-wrap items-center gap-2">
          <FilteredTotal total={total.data} hasFilter={!isEmptyFilter(filter)} />
          <ExportMenu
            name="costs-calls"
            part={(format, cursor) => {
              const { limit: _limit, ...asked } = input;
              return client.costs.exportCalls.query({ ...asked, cursor, format });
            }}
          />
        </span>
      }
      rangeLabel={range.label}
      icon={Receipt}
      noMatch="No call matches"
      empty={<NoCalls during={during} />}
      drawer={(drives) => <CallDrawer {...drives} />}
    />
  );
}

/** The calls that the filter names, and their sum; without a filter the sum is the page's own. */
function FilteredTotal({ total, hasFilter }: { total: CallsTotalView | undefined; hasFilter: boolean }) {
  if (total === undefined) return null;
  const calls = plural(total.calls, "call");
  if (!hasFilter) return calls;
  const unpriced = total.unpriced === 0 ? "" : `, ${formatCount(total.unpriced)} unpriced`;
  return (
    <span>
      <span className="font-semibold text-text">
        {total.calls === total.unpriced ? "no priced calls" : shortMoney(total.nano)}
      </span>{" "}
      in {calls} that match{unpriced}
    </span>
  );
}

/** The empty list: what would be here, and the command that makes it so. */
export function NoCalls({ during }: { during: string }) {
  return (
    <EmptyState
      icon={Receipt}
      title={`No model calls reported ${during}`}
      command={
        'curl -sS "$QUARTERDECK_URL/api/v1/hooks/after_llm_call" -H "Authorization: Bearer $QUARTERDECK_KEY" -H \'Content-Type: application/json\' -d \'{"session_id":"s1","model_id":"openai/gpt-5","cost":0.0042,"usage":{"input_tokens":1200,"output_tokens":90,"cached_input_tokens":0,"cached_write_tokens":0}}\''
      }
    >
      Enrolled agents report the cost of each call with <code>after_llm_call</code>.
    </EmptyState>
  );
}

function fieldsOf(models: CostBreakdownView | undefined, agents: CostBreakdownView | undefined): FilterField[] {
  const values = (breakdown: CostBreakdownView | undefined) =>
    breakdown
      ? { values: breakdown.lines.map(({ name, ledger }) => ({ value: name || UNNAMED, count: ledger.calls })) }
      : {};
  const count = (pick: "priced" | "free" | "unpriced") =>
    models
      ? { count: models.lines.reduce((sum, { ledger }) => sum + ledger[pick], models.rest?.ledger[pick] ?? 0) }
      : {};
  return [
    { key: "model", hint: "which model", ...values(models) },
    agentField(agents),
    { key: "session", hint: "one session's calls" },
    {
      key: "by",
      hint: "a provider's model, or a coding harness",
      values: [{ value: "provider" }, { value: "harness" }],
    },
    {
      key: "pricing",
      hint: "priced, free or unpriced",
      values: [
        { value: "priced", ...count("priced") },
        { value: "free", ...count("free") },
        { value: "unpriced", ...count("unpriced") },
      ],
    },
  ];
}
