"use client";

import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { BudgetBar } from "@/components/budgets/budget-bar";
import { BudgetPerson } from "@/components/budgets/budget-person";
import { StateMark } from "@/components/budgets/budget-row";
import {
  aboutWords,
  bindingWords,
  forecastWords,
  PERIOD_WORDS,
  peopleWords,
  unpricedWords,
} from "@/components/budgets/labels";
import { ActDialog } from "@/components/layout/act-dialog";
import type { ListDrawerProps } from "@/components/layout/record-drawer";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDay } from "@/components/ui/format/day";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue, type KeyValueProps } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { BudgetDetailView, BudgetView } from "@/server/budgets/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

interface BudgetDrawerProps {
  budgetId: string | null;
  drawer: ListDrawerProps;
  onEdit: (budget: BudgetView) => void;
}

const ID = /^[0-9a-f-]{36}$/;

/** One budget: its status, its open reservations, its refusals and its warnings. */
export function BudgetDrawer({ budgetId, drawer: { open, ...moves }, onEdit }: BudgetDrawerProps) {
  const trpc = useTRPC();
  const isAsked = budgetId !== null && ID.test(budgetId);
  const detail = useQuery(trpc.budgets.detail.queryOptions(isAsked ? { budgetId } : skipToken));
  const budget = detail.data?.budget;
  return (
    <Drawer
      {...moves}
      open={open !== null}
      title={budget?.name ?? "Budget"}
      subtitle={
        budget ? `${shortMoney(budget.amountNano)} ${PERIOD_WORDS[budget.period]} for ${aboutWords(budget)}` : null
      }
      footer={budget ? <Acts budget={budget} onEdit={onEdit} onRemoved={moves.onClose} /> : null}
    >
      {detail.data ? (
        <Detail detail={detail.data} />
      ) : detail.isError || !isAsked ? (
        <ErrorState
          title="The budget could not be loaded"
          reason={detail.isError ? failureSentence(detail.error) : "The link to the budget may be incomplete."}
          stillWorks="The list shows the existing budgets."
          onRetry={() => void detail.refetch()}
        />
      ) : (
        <Loading label="the budget" className="flex flex-col gap-4">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-24 w-full" />
        </Loading>
      )}
    </Drawer>
  );
}

function Acts({
  budget,
  onEdit,
  onRemoved,
}: {
  budget: BudgetView;
  onEdit: (one: BudgetView) => void;
  onRemoved: () => void;
}) {
  const trpc = useTRPC();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <PermittedButton to="budget:write" variant="ghost" onClick={() => setAsking(true)}>
        Remove…
      </PermittedButton>
      <PermittedButton to="budget:write" onClick={() => onEdit(budget)}>
        Edit…
      </PermittedButton>
      <ActDialog
        mutation={trpc.budgets.remove.mutationOptions()}
        input={isAsking && { budgetId: budget.id, version: budget.version }}
        onClose={() => setAsking(false)}
        title={`Remove the budget ${budget.name}?`}
        confirm="Remove budget"
        success={`${budget.name} is removed`}
        onDone={onRemoved}
      >
        <p>The limit for {aboutWords(budget)} ends. Recorded spend stays in the ledger.</p>
      </ActDialog>
    </>
  );
}

function Detail({ detail }: { detail: BudgetDetailView }) {
  const { budget, refusalText, reservations, reservationsMore, lapsed, refusals, alerts } = detail;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-3">
          <StateMark budget={budget} />
          <span className="text-muted text-sm">{forecastWords(budget)}</span>
        </div>
        <BudgetBar budget={budget} />
      </div>
      <KeyValue items={[...amountItems(budget, refusalText), ...stateItems(budget)]} />
      <Reservations budget={budget} reservations={reservations} isMore={reservationsMore} lapsed={lapsed} />
      <Refusals budget={budget} refusals={refusals} />
      <Thresholds alerts={alerts} />
    </div>
  );
}

type Items = KeyValueProps["items"];

/** Calls without a cost, of all calls: "0 of 175 calls". */
function unpricedText({ priced, free, unpriced }: BudgetView["account"]): string {
  const calls = priced + free + unpriced;
  return calls === 0 ? "no calls yet" : `${formatCount(unpriced)} of ${plural(calls, "call")}`;
}

function amountItems(budget: BudgetView, refusalText: string | null): Items {
  const { account } = budget;
  return [
    { label: "Spent", value: `${exactMoney(account.spentNano)}, as reported by agents` },
    {
      label: "Unpriced",
      value: account.assumedNano > 0n ? `counted as ${exactMoney(account.assumedNano)}` : unpricedText(account),
    },
    { label: "Reserved", value: exactMoney(account.heldNano) },
    {
      label: "Blocks",
      value:
        budget.reserveNano === null
          ? "no"
          : account.dearestNano > budget.reserveNano
            ? `yes, each call reserves up to ${exactMoney(account.dearestNano)}, the most expensive call to date`
            : `yes, each call reserves up to ${exactMoney(budget.reserveNano)}`,
    },
    {
      label: "At the limit",
      value:
        refusalText === null ? undefined : (
          <>
            message to the agent&apos;s user: <q>{refusalText}</q>
          </>
        ),
    },
  ];
}

function stateItems(budget: BudgetView): Items {
  const { account } = budget;
  return [
    { label: "Person", value: budget.scope === "person" ? <BudgetPerson budget={budget} /> : undefined },
    { label: "Counts", value: peopleWords(budget) ?? undefined },
    { label: "Applies to", value: budget.binding ? bindingWords(budget.binding) : undefined },
    {
      label: "Over reservation",
      value:
        account.beyond > 0
          ? `${plural(account.beyond, "call")} cost more than the reservation: raise the cost limit for one call`
          : undefined,
    },
    {
      label: "Not reserved",
      value:
        budget.isHard && account.unreserved > 0
          ? `${exactMoney(account.unreservedNano)} in ${plural(account.unreserved, "call")} without a reservation: a limit blocks only calls that reserve first`
          : undefined,
    },
    {
      label: "Refused",
      value: account.refusedAt ? (
        <>
          {formatCount(account.refused)}, last <RelativeTime at={account.refusedAt} />
        </>
      ) : (
        "none in this period"
      ),
    },
    { label: "Without a price", value: unpricedWords(budget.unpriced, budget.reserveNano) },
    {
      label: "Period",
      value:
        budget.periodDays && budget.periodEnd ? (
          <PeriodWords days={budget.periodDays} to={budget.periodEnd} />
        ) : (
          "no end date"
        ),
    },
    {
      label: "Last changed",
      value: (
        <>
          by {budget.updatedBy}, <RelativeTime at={budget.updatedAt} />
        </>
      ),
    },
  ];
}

function Refusals({ budget, refusals }: Pick<BudgetDetailView, "budget" | "refusals">) {
  return (
    <Section title="Recent refusals" aside={refusals.length === 0 ? "none" : null}>
      <ul className="flex flex-col gap-2 text-sm">
        {refusals.map((one) => (
          <li key={one.dispatchId} className="flex flex-col">
            <Link
              href={`/activity?range=all&open=${eventKeyText({ occurredAt: one.occurredAt, id: one.dispatchId })}`}
              className="text-accent-text hover:underline"
            >
              {one.agentName}, {one.modelId || "no model"}
            </Link>
            <span className="text-muted">
              <RelativeTime at={one.occurredAt} /> · {reasonWithout(budget.name, one.reason)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Thresholds({ alerts }: Pick<BudgetDetailView, "alerts">) {
  return (
    <Section title="Thresholds passed" aside={alerts.length === 0 ? "none" : null}>
      <ul className="flex flex-col gap-1 text-sm">
        {alerts.map((alert) => (
          <li key={`${alert.periodStart} ${alert.subject} ${alert.threshold}`}>
            {alert.threshold} % at {shortMoney(alert.usedNano)} of {shortMoney(alert.amountNano)},{" "}
            <RelativeTime at={alert.at} />
            {alert.subject === "" ? "" : ` (session ${alert.subject.slice(37)})`}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function PeriodWords({ days, to }: { days: NonNullable<BudgetView["periodDays"]>; to: Date }) {
  const { first, last, timeZone } = days;
  return (
    <>
      {first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`} in {timeZone}, ends{" "}
      <RelativeTime at={to} />
    </>
  );
}

/** The reason after "Budget NAME: ": the drawer names the budget and links to the rule. */
function reasonWithout(name: string, reason: string): string {
  const mark = `Budget "${name}": `;
  const at = reason.indexOf(mark);
  return at < 0 ? reason : reason.slice(at + mark.length);
}

interface ReservationsProps {
  budget: BudgetView;
  reservations: BudgetDetailView["reservations"];
  isMore: boolean;
  lapsed: BudgetDetailView["lapsed"];
}

function Reservations({ budget, reservations, isMore, lapsed }: ReservationsProps) {
  const trpc = useTRPC();
  const release = useMutation(
    trpc.budgets.release.mutationOptions({
      onSuccess: () => toast.success("Reservation released"),
      onError: (error) => toast.error(failureSentence(error)),
    }),
  );
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title="Calls under way"
      aside={reservations.length === 0 ? "none" : isMore ? "the newest 100" : null}
      actions={
        lapsed.count > 0 ? (
          <PermittedButton to="budget:write" size="sm" onClick={() => setAsking(true)}>
            Release lapsed…
          </PermittedButton>
        ) : null
      }
    >
      <ActDialog
        mutation={trpc.budgets.releaseLapsed.mutationOptions()}
        input={isAsking && { budgetId: budget.id }}
        onClose={() => setAsking(false)}
        title={`Release ${plural(lapsed.count, "lapsed reservation")}?`}
        confirm="Release"
        success={({ count }) => (count === 1 ? "1 reservation is released" : `${count} reservations are released`)}
      >
        <p>
          These calls have not reported a cost for an hour. {shortMoney(lapsed.nano)} can be spent again. A cost
          reported later still counts.
        </p>
      </ActDialog>
      <ul className="flex flex-col divide-y divide-line text-sm">
        {reservations.map(({ requestId, agentId, agentName, sessionId, modelId, nano, madeAt, isLapsed }) => (
          <li key={`${agentId} ${requestId}`} className="flex items-center justify-between gap-3 py-1.5">
            <span className="min-w-0">
              <span className="block truncate">
                {agentName}, {modelId || "no model"}: {shortMoney(nano)}
              </span>
              <span className="block truncate text-muted">
                <RelativeTime at={madeAt} />
                {isLapsed ? ", never reported: counts as spent" : ""} · session {sessionId || "without a name"}
              </span>
            </span>
            <PermittedButton
              to="budget:write"
              size="sm"
              onClick={() => release.mutate({ budgetId: budget.id, agentId, requestId })}
            >
              Release
            </PermittedButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}
