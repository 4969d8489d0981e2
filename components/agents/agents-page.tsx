"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCommandLine } from "@/components/access/command-line";
import { DisabledWithoutPermission, usePermission } from "@/components/access/permission";
import { agentColumns, agentHref } from "@/components/agents/columns";
import { CountChips } from "@/components/agents/count-chips";
import { NOT_DRILLED_LATELY } from "@/components/agents/drill-text";
import { type NewKey, NewKeyDialog } from "@/components/agents/new-key-dialog";
import { filterKeys, unknownTerms } from "@/components/agents/query";
import { useAgents } from "@/components/agents/use-agents";
import { useCommands } from "@/components/layout/commands";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { usePersonField } from "@/components/principals/use-person-field";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { type FilterTerm, isEmptyFilter, noFilter, printTerm } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { DataTable } from "@/components/ui/table/data-table";
import { useNarrow } from "@/components/ui/use-media";
import { AGENT_STATUSES, POSTURES } from "@/server/agents/schema";
import { CLIENT_NAMES, clientTitle } from "@/server/dialects/schema";

const CreateAgentDialog = loadWhenOpened(() =>
  import("@/components/agents/create-agent-dialog").then((one) => one.CreateAgentDialog),
);

/** Every agent: filtered, ranked by a day's figures, and opened as a page of its own. */
export function AgentsPage() {
  useLiveQueries(["agents", "policies"]);
  const router = useRouter();
  const [filter, setFilter] = useFilter(filterKeys);
  const { query, rows, total, sort, setSort } = useAgents(filter);
  const fields = useFields();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewKey | null>(null);
  const stale = useStaleSentence();
  const isNarrow = useNarrow();
  const asking = useAsking(query.isPlaceholderData, listQuestion(filter, sort));
  const create = () => setCreating(true);
  useRequestedAct({ create });
  const enabled = usePermission("agent:write").isGranted;
  useHotkey("c", create, { label: "New agent", group: "Agents", enabled });
  useCommands([{ id: "agent.new", label: "New agent", icon: Bot, keys: "c", run: create }]);
  return (
    <>
      <AgentsHeader />
      <PageBody width="fill" className="overflow-y-auto">
        <CountChips filter={filter} onFilter={setFilter} />
        <UnknownTerms terms={unknownTerms(filter)} />
        {/* On a phone only the page scrolls. */}
        <div className="flex flex-col sm:min-h-112 sm:flex-1">
          <DataTable
            id="agents"
            label="agents"
            columns={agentColumns}
            rows={rows}
            getRowId={(row) => row.id}
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
            onOpen={({ agent }) => router.push(agentHref(agent))}
            loadMore={{
              hasMore: query.hasNextPage,
              loading: query.isFetchingNextPage,
              onLoadMore: () => void query.fetchNextPage(),
            }}
            rowHeight={40}
            height={isNarrow ? "auto" : "fill"}
            hotkeys
            summary={total === null ? null : plural(total, isEmptyFilter(filter) ? "agent" : "matching agent")}
            toolbar={
              <FilterBar
                label="agents"
                fields={fields}
                value={filter}
                onChange={setFilter}
                placeholder="policy:none seen:>1h tag:prod, or a part of a name"
              />
            }
            empty={
              isEmptyFilter(filter) ? <NoAgents onCreate={create} /> : <NoMatch onClear={() => setFilter(noFilter)} />
            }
          />
        </div>
      </PageBody>
      <CreateAgentDialog
        open={isCreating}
        onOpenChange={setCreating}
        onCreated={(key) => {
          setCreated(key);
          void query.refetch();
        }}
      />
      <NewKeyDialog created={created} onClose={() => setCreated(null)} />
    </>
  );
}

const CONNECT = (
  <>
    <Plus aria-hidden />
    <span className="max-sm:sr-only">Connect an agent</span>
  </>
);

function AgentsHeader() {
  return (
    <PageHeader
      live
      views="agents"
      primary={
        <DisabledWithoutPermission to="agent:write">
          {(isRefused) => (
            <Button asChild={!isRefused} variant="primary" disabled={isRefused}>
              {isRefused ? CONNECT : <Link href="/agents/connect">{CONNECT}</Link>}
            </Button>
          )}
        </DisabledWithoutPermission>
      }
    />
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={Bot} title="No agent matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
      Agents match every filter that you set. A filter with several values matches any of them.
    </EmptyState>
  );
}

/** The chips that name nothing, and the way to write them. */
function UnknownTerms({ terms }: { terms: readonly FilterTerm[] }) {
  if (terms.length === 0) return null;
  return (
    <Notice kind="warning" className="mb-2">
      {terms.map(printTerm).join(", ")} is not a known filter and is ignored. Try seen:&gt;1h, seen:never,
      status:silent, client:codex or posture:outdated.
    </Notice>
  );
}

function NoAgents({ onCreate }: { onCreate: () => void }) {
  const command = useCommandLine();
  return (
    <EmptyState
      icon={Bot}
      title="No agents yet"
      command={`${command} key create --agent NAME`}
      action={
        <>
          <Button asChild variant="primary">
            <Link href="/agents/connect">Connect an agent</Link>
          </Button>
          <Button onClick={onCreate}>Create agent with key only</Button>
        </>
      }
    >
      Run one command on the agent's machine. Its calls are then checked and recorded. For scripts, the command prints a
      key.
    </EmptyState>
  );
}

const STATUS_LABELS = {
  active: "active: events within 1 h",
  silent: "silent: no events for 1 h",
  never: "never: waiting for its first session",
  retired: "retired",
} as const;

const POSTURE_LABELS = {
  yolo: "in yolo mode: no approval prompts",
  outdated: "outdated: version does not enforce hooks",
  unchecked: "answers unchecked: requests without a nonce",
  blind_spots: "blind spots: actions no hook sees",
  undrilled: NOT_DRILLED_LATELY,
} as const;

/** The fields that the filter bar offers, with real groups and tags. */
function useFields(): FilterField[] {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const counts = useQuery(trpc.agents.counts.queryOptions());
  const person = usePersonField();
  return [
    {
      key: "policy",
      hint: "policy in force, by name; none, observed",
      values: [
        { value: "none", label: "none: no policy applies" },
        { value: "observed", label: "observed only" },
      ],
    },
    {
      key: "seen",
      hint: "newest event: >1h ago, <30m ago, never",
      values: [">1h", ">1d", ">7d", "never"].map((value) => ({ value })),
    },
    {
      key: "group",
      hint: "group",
      values: (groups.data ?? []).map(({ name, agentIds }) => ({ value: name, count: agentIds.length })),
    },
    { key: "tag", hint: "tag", values: counts.data?.tags ?? [] },
    person,
    { key: "name", hint: "part of the name" },
    {
      key: "status",
      hint: "active, silent, never, retired",
      values: AGENT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    },
    {
      key: "client",
      hint: "client of the latest event",
      values: CLIENT_NAMES.map((value) => ({ value, label: clientTitle(value) })),
    },
    {
      key: "posture",
      hint: "yolo, outdated, unchecked, blind_spots, undrilled",
      values: POSTURES.map((value) => ({ value, label: POSTURE_LABELS[value] })),
    },
  ];
}
