"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { ruleColumns } from "@/components/decisions/rules/columns";
import { ruleSorts, sortedCards } from "@/components/decisions/rules/figures";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { duringWords, type TimeRange } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useOpenRecord } from "@/components/layout/use-open-record";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { COUNTS_EVERY_MS } from "@/components/trpc/refresher";
import { usePaceWords } from "@/components/trpc/use-pace-words";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Select } from "@/components/ui/select";
import { DataTable } from "@/components/ui/table/data-table";
import { parseSort, printSort } from "@/components/ui/table/sort-text";
import { RULE_CARDS_MAX, type RuleCard, ruleKeyText } from "@/server/decisions/rules/schema";

const RuleDrawer = loadWhenOpened(() =>
  import("@/components/decisions/rules/rule-drawer").then((one) => one.RuleDrawer),
);

/** The report card of every rule in force, and of every other that did anything. */
export function RulesView() {
  useLiveQueries(["rules", "policies", "judges"]);
  const trpc = useTRPC();
  const range = useTimeRange();
  const stale = useStaleSentence();
  const [sortText, setSort] = useQueryState("sort", parseAsString);
  const [policy, setPolicy] = useQueryState("policy", parseAsString);
  const { from, to } = range;
  const query = useQuery({ ...trpc.rules.cards.queryOptions({ from, to }), placeholderData: keepPreviousData });
  const during = duringWords(range);
  const columns = useMemo(() => ruleColumns(during), [during]);
  const sort = useMemo(() => parseSort(sortText, ruleSorts, FIRED), [sortText]);
  const all = query.data?.cards;
  const rows = useMemo(
    () =>
      sortedCards(
        (all ?? []).filter((card) => policy === null || card.policy === policy),
        sort,
      ),
    [all, policy, sort],
  );
  const policies = useMemo(() => [...new Set((all ?? []).map((card) => card.policy))].sort(), [all]);
  const record = useOpenRecord(rows, ruleKeyText);
  const silent = rows.filter(({ fired, inForce }) => fired === 0 && inForce > 0).length;
  return (
    <>
      <PageHeader range live views="rules" />
      <PageBody width="fill">
        <DataTable
          id="rules"
          label="rules"
          columns={columns}
          rows={rows}
          getRowId={ruleKeyText}
          status={query.status}
          error={query.isError ? failureSentence(query.error) : null}
          stillWorks={<GatewayStatus />}
          onRetry={() => void query.refetch()}
          onOpen={(card: RuleCard) => record.show(ruleKeyText(card))}
          openId={record.open}
          stale={stale}
          sort={sort}
          onSort={(next) => void setSort(printSort(next))}
          toolbar={
            <div className="flex min-w-0 flex-wrap items-center gap-3">
              <Select
                aria-label="Policy"
                size="sm"
                className="min-w-32 shrink-0"
                value={policy ?? ALL}
                onChange={(next) => void setPolicy(next === ALL ? null : next)}
                options={[
                  { value: ALL, label: "All policies" },
                  ...policies.filter((name) => name !== "").map((name) => ({ value: name, label: name })),
                ]}
              />
              <p className="text-muted text-sm">
                {query.data ? <Counted view={query.data} silent={silent} range={range} /> : null}
              </p>
            </div>
          }
          summary={query.data ? plural(rows.length, "rule") : null}
          empty={<NoRules policy={policy} during={during} onShowAll={() => void setPolicy(null)} />}
        />
        <RuleDrawer {...record.drawer} card={rows.find((card) => ruleKeyText(card) === record.open)} range={range} />
      </PageBody>
    </>
  );
}

interface CountedProps {
  view: { isWhole: boolean; countedSince: Date | null };
  /** Rules in force that have not run. */
  silent: number;
  range: TimeRange;
}

function Counted({ view: { isWhole, countedSince }, silent, range }: CountedProps) {
  const during = duringWords(range);
  const pace = usePaceWords(range.isLive, COUNTS_EVERY_MS);
  return (
    <>
      {pace === null ? "" : `Figures update ${pace}. `}
      {silent > 0 ? `${plural(silent, "rule")} ${silent === 1 ? "has" : "have"} not run ${during}. ` : ""}
      {isWhole ? "" : `Only the ${formatCount(RULE_CARDS_MAX)} rules with the most runs are listed. `}
      {countedSince ? (
        <>
          Hook runs are counted since <RelativeTime at={countedSince} look="clock" />.
        </>
      ) : null}
    </>
  );
}

interface NoRulesProps {
  policy: string | null;
  during: string;
  onShowAll: () => void;
}

function NoRules({ policy, during, onShowAll }: NoRulesProps) {
  return policy === null ? (
    <EmptyState icon={ScrollText} title="No rule is in force">
      A rule is one hook of a published policy. Publish a policy and assign it to an agent, a group or the workspace.
    </EmptyState>
  ) : (
    <EmptyState
      icon={ScrollText}
      title={`No rule of ${policy} is in force, and none ran ${during}`}
      action={<Button onClick={onShowAll}>Show all policies</Button>}
    >
      When you publish a policy, its rules appear on this page.
    </EmptyState>
  );
}

const FIRED = { id: "fired", desc: true };
/** No policy's name begins with a space. */
const ALL = " all";
