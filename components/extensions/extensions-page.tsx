"use client";

import { EXTENSION_KINDS } from "@quarterdeck/hooks/contract/extension-kinds";
import { Puzzle } from "lucide-react";
import { useState } from "react";
import { extensionColumns, extensionKey } from "@/components/extensions/columns";
import { DecideDialog } from "@/components/extensions/decide-dialog";
import { filterKeys, unknownTerms } from "@/components/extensions/query";
import { RuleDialog } from "@/components/extensions/rule-dialog";
import { useExtensions } from "@/components/extensions/use-extensions";
import { KIND_WORDS } from "@/components/extensions/words";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { isEmptyFilter, noFilter, printTerm } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { DataTable } from "@/components/ui/table/data-table";
import { useNarrow } from "@/components/ui/use-media";
import { CLIENT_NAMES, clientTitle } from "@/server/dialects/schema";
import type { ExtensionView } from "@/server/extensions/schema";

const FIELDS: readonly FilterField[] = [
  {
    key: "status",
    hint: "the state of the version",
    values: [
      { value: "unaccepted", label: "not accepted" },
      { value: "accepted", label: "accepted" },
      { value: "changed", label: "digest changed" },
      { value: "removed", label: "no longer on the machine" },
    ],
  },
  {
    key: "kind",
    hint: "skill, plugin, slash command or MCP server",
    values: EXTENSION_KINDS.map((value) => ({ value, label: KIND_WORDS[value] })),
  },
  { key: "agent", hint: "part of the agent's name" },
  {
    key: "client",
    hint: "the client that loads it",
    values: CLIENT_NAMES.map((value) => ({ value, label: clientTitle(value) })),
  },
];

/** The skills, plugins, slash commands and MCP servers that agents' machines reported, and their acceptance. */
export function ExtensionsPage() {
  useLiveQueries(["extensions", "agents"]);
  const [filter, setFilter] = useFilter(filterKeys);
  const { query, rows, total, isReported, sort, setSort } = useExtensions(filter);
  const [isRuleOpen, setIsRuleOpen] = useState(false);
  const [decided, setDecided] = useState<ExtensionView | null>(null);
  const columns = extensionColumns(setDecided);
  const stale = useStaleSentence();
  const isNarrow = useNarrow();
  const asking = useAsking(query.isPlaceholderData, listQuestion(filter, sort));
  const unknown = unknownTerms(filter);
  return (
    <>
      <PageHeader live actions={<Button onClick={() => setIsRuleOpen(true)}>Rule…</Button>} />
      <PageBody width="fill" className="overflow-y-auto">
        {unknown.length === 0 ? null : (
          <Notice kind="warning" className="mb-2">
            {unknown.map(printTerm).join(", ")} is not a known filter and is ignored. Try status:unaccepted or
            kind:skill.
          </Notice>
        )}
        <DataTable
          id="extensions"
          label="extensions"
          columns={columns}
          rows={rows}
          getRowId={extensionKey}
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
          loadMore={{
            hasMore: query.hasNextPage,
            loading: query.isFetchingNextPage,
            onLoadMore: () => void query.fetchNextPage(),
          }}
          rowHeight={40}
          height={isNarrow ? "auto" : "fill"}
          hotkeys
          summary={total === null ? null : plural(total, isEmptyFilter(filter) ? "extension" : "matching extension")}
          toolbar={
            <FilterBar
              label="extensions"
              fields={[...FIELDS]}
              value={filter}
              onChange={setFilter}
              placeholder="status:unaccepted kind:skill, or a part of a name"
            />
          }
          empty={isReported ? <NoMatch onClear={() => setFilter(noFilter)} /> : <NoReport />}
        />
      </PageBody>
      <RuleDialog isOpen={isRuleOpen} onClose={() => setIsRuleOpen(false)} />
      <DecideDialog row={decided} onClose={() => setDecided(null)} />
    </>
  );
}

function NoReport() {
  return (
    <EmptyState icon={Puzzle} title="No inventory yet" command="quarterdeck inventory">
      Run this on an enrolled machine, or at the start of each session of its client. It reports skills, plugins, slash
      commands and MCP servers with their digests, and never their contents.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={Puzzle} title="No extension matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
      Extensions match every filter that you set. Removed ones are listed with status:removed.
    </EmptyState>
  );
}
