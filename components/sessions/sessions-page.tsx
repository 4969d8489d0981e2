"use client";

import { History } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { duringWords, labelInSentence } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { endedSessionColumns, sessionColumns } from "@/components/sessions/columns";
import { stateWords } from "@/components/sessions/labels";
import { filterKeys, sessionsInput } from "@/components/sessions/query";
import { type SearchProgress, sessionRowId, useSessions } from "@/components/sessions/use-sessions";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { isEmptyFilter, noFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { DataTable } from "@/components/ui/table/data-table";
import { countFilterNames } from "@/server/recording/reported-name-schema";
import { type SessionView, sessionState, sessionTrait, timelineHref } from "@/server/sessions/schema";
import { SWITCH_KINDS, TURN_ENDS } from "@/server/sessions/word-schema";

/** Every session that was active, the most recent first. A session opens as its timeline. */
export function SessionsPage() {
  useLiveQueries(["sessions"]);
  const router = useRouter();
  const range = useTimeRange("24h", true);
  const stale = useStaleSentence();
  const [filter, setFilter] = useFilter(filterKeys);
  const { from, to } = range;
  const input = useMemo(() => sessionsInput({ from, to }, filter), [from, to, filter]);
  const { query, rows, searched, isSearching } = useSessions(input);
  const fields = useMemo(() => fieldsOf(rows), [rows]);
  const question = listQuestion(filter, null, range.label);
  const asking = useAsking(query.isPlaceholderData, question);
  const during = duringWords(range);
  return (
    <>
      <PageHeader range={RANGE} live />
      <PageBody width="fill">
        <DataTable
          id="sessions"
          label="sessions"
          columns={rows.every(({ state }) => state === "ended") ? endedSessionColumns : sessionColumns}
          rows={rows}
          getRowId={sessionRowId}
          status={query.isError ? "error" : query.isPending || isSearching ? "pending" : "success"}
          error={query.isError ? failureSentence(query.error) : null}
          stillWorks={<GatewayStatus />}
          stale={stale}
          asking={asking}
          question={question}
          holdsInUse
          onRetry={() => void query.refetch()}
          onOpen={(row) => router.push(timelineHref(row))}
          loadMore={{
            hasMore: query.hasNextPage,
            loading: query.isFetchingNextPage,
            onLoadMore: () => void query.fetchNextPage(),
          }}
          summary={
            searched ? (
              <Searched {...searched} />
            ) : query.isSuccess && !query.hasNextPage ? (
              plural(rows.length, "session")
            ) : null
          }
          toolbar={
            <FilterBar
              label="sessions"
              fields={fields}
              value={filter}
              onChange={setFilter}
              placeholder="state:running has:denials, or words of the title"
            />
          }
          empty={
            isEmptyFilter(filter) ? (
              <EmptyState icon={History} title={`No session ${during}`}>
                A session is one conversation of an agent, from <code>session_start</code> to <code>session_end</code>.
                A session appears with the first event that has its <code>session_id</code>.
              </EmptyState>
            ) : searched ? (
              <EmptyState
                icon={History}
                title={`No match in the newest ${plural(searched.sessions, "session")}`}
                action={
                  <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Search further back
                  </Button>
                }
              >
                The search reached <RelativeTime at={searched.until} look="clock" />. An agent or a shorter range makes
                it faster.
              </EmptyState>
            ) : (
              <EmptyState
                icon={History}
                title="No session matches"
                action={<Button onClick={() => setFilter(noFilter)}>Clear the filter</Button>}
              >
                All words and all values of <code>has</code> must match. For other keys, one matching value is enough.
                Words are found in titles, ids and agents. Range: {labelInSentence(range.label)}.
              </EmptyState>
            )
          }
        />
      </PageBody>
    </>
  );
}

function Searched({ sessions, until }: SearchProgress) {
  return (
    <>
      read {plural(sessions, "session")} back to <RelativeTime at={until} look="clock" />
    </>
  );
}

const RANGE = { all: true } as const;

const labelled = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([value, label]) => ({ value, label }));

function fieldsOf(rows: readonly SessionView[]): FilterField[] {
  return [
    {
      key: "agent",
      hint: "the agent",
      values: countFilterNames(rows.map((row) => ({ name: row.agentName, count: 1 }))),
    },
    {
      key: "state",
      hint: "running, ended or quiet",
      values: sessionState.options.map((value) => ({ value, label: stateWords[value].label.toLowerCase() })),
    },
    { key: "has", hint: "events in the session", values: sessionTrait.options.map((value) => ({ value })) },
    { key: "ended", hint: "end of a turn", values: labelled(TURN_ENDS) },
    { key: "switched", hint: "handover to another agent", values: labelled(SWITCH_KINDS) },
  ];
}
