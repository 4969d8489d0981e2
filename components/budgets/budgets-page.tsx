"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, Wallet } from "lucide-react";
import { useMemo, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { BudgetDrawer } from "@/components/budgets/budget-drawer";
import { BudgetList } from "@/components/budgets/budget-list";
import { UNKNOWN_NOT_COUNTED } from "@/components/budgets/labels";
import { filterKeys, matchingBudgets } from "@/components/budgets/query";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useOpenRecord } from "@/components/layout/use-open-record";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { WorkspaceDays } from "@/components/layout/workspace-days";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useFilter } from "@/components/ui/filter/use-filter";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Card } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { BudgetView } from "@/server/budgets/schema";

const BudgetDialog = loadWhenOpened(
  () => import("@/components/budgets/budget-dialog").then((one) => one.BudgetDialog),
  "editing",
);

const NONE: readonly BudgetView[] = [];

/** The budgets, the used part of each, and the reasons for refused calls. */
export function BudgetsPage() {
  useLiveQueries(["budgets", "policies", "agents"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const [editing, setEditing] = useState<BudgetView | "new" | null>(null);
  const statuses = useQuery(trpc.budgets.statuses.queryOptions());
  const budgets = statuses.data ?? NONE;
  const [filter, setFilter] = useFilter(filterKeys);
  const shown = useMemo(() => matchingBudgets(budgets, filter), [budgets, filter]);
  const { open, show, drawer } = useOpenRecord(shown, ({ id }) => id);
  useRequestedAct({ create: () => setEditing("new") });
  const add = (labelled: boolean) => (
    <PermittedButton to="budget:write" variant="primary" onClick={() => setEditing("new")}>
      <Plus aria-hidden />
      <span className={labelled ? "" : "max-sm:sr-only"}>New budget</span>
    </PermittedButton>
  );
  return (
    <>
      <PageHeader live primary={add(false)} />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {statuses.isError && !statuses.data ? (
          <ErrorState
            title="The budgets could not be loaded"
            reason={failureSentence(statuses.error)}
            stillWorks="Budgets are kept."
            onRetry={() => void statuses.refetch()}
            retrying={statuses.isFetching}
          />
        ) : !statuses.data ? (
          <Loading label="the budgets" className="flex flex-col gap-3 rounded-md border bg-surface p-4">
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
          </Loading>
        ) : budgets.length === 0 ? (
          <Card className="p-0">
            <EmptyState icon={Wallet} title="No budgets yet" action={add(true)}>
              A budget limits what the workspace, a group, an agent, a person, a model or each session may spend. It
              warns at thresholds you choose. A blocking budget also refuses calls over the limit.
            </EmptyState>
          </Card>
        ) : (
          <BudgetList budgets={shown} filter={filter} onFilter={setFilter} onOpen={show} />
        )}
        {budgets.some(({ period }) => period !== "total") ? <WorkspaceDays of="Days and months" /> : null}
        {budgets.some(({ agents }) => agents !== null) ? (
          <p className="text-faint text-sm">
            A budget of a person or a sign-on group counts the calls that were made for them. {UNKNOWN_NOT_COUNTED}
          </p>
        ) : null}
        {budgets.some(({ isHard }) => isHard) ? (
          <p className="text-faint text-sm">
            A blocking budget refuses calls only for agents whose policy runs <code>budget_guard</code>. Other
            agents&apos; calls are counted.{" "}
            <Link href="/policies" className="link">
              Policies
            </Link>
          </p>
        ) : null}
      </PageBody>
      <BudgetDialog editing={editing} onClose={() => setEditing(null)} onSaved={() => void statuses.refetch()} />
      <BudgetDrawer budgetId={open} drawer={drawer} onEdit={setEditing} />
    </>
  );
}
