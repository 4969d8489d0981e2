"use client";

import { BudgetBar } from "@/components/budgets/budget-bar";
import { BudgetPerson } from "@/components/budgets/budget-person";
import {
  aboutWords,
  agentsWords,
  bindingWords,
  bindsNobody,
  coverageWords,
  PERIOD_WORDS,
  percentOf,
  STATES,
  UNGUARDED,
} from "@/components/budgets/labels";
import { Badge } from "@/components/ui/badge";
import { formatCount } from "@/components/ui/format/count";
import { shortMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Hint } from "@/components/ui/tooltip";
import type { BudgetView } from "@/server/budgets/schema";

const COUNTED_MAX = 10_000;

/** One budget in the list, in the columns that all rows share; opens its drawer, which says the rest. */
export function BudgetRow({ budget, onOpen }: { budget: BudgetView; onOpen: () => void }) {
  const { account, amountNano, forecast, sessions } = budget;
  return (
    <li className="relative grid grid-cols-1 items-center gap-y-2 px-3 py-3 hover:bg-hover md:col-span-full md:grid-cols-subgrid">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <button type="button" onClick={onOpen} className="truncate font-medium after:absolute after:inset-0">
            {budget.name}
          </button>
          <Badge look="outline">{budget.isHard ? "hard" : "soft"}</Badge>
        </span>
        <span className="flex min-w-0 items-baseline gap-1 text-muted text-sm">
          <span className="shrink-0">
            {shortMoney(budget.amountNano)} {PERIOD_WORDS[budget.period]} for
          </span>{" "}
          {budget.scope === "person" ? (
            <BudgetPerson budget={budget} />
          ) : (
            <span className="truncate" title={budget.targetName ?? undefined}>
              {aboutWords(budget)}
            </span>
          )}
        </span>
        {budget.agents === null ? null : <span className="text-faint text-sm">{agentsWords(budget)}</span>}
        {budget.problem === null ? null : (
          <span className="break-words text-deny text-sm">
            This budget cannot be read ({budget.problem}){budget.isHard ? ", so it refuses every call" : ""}. Remove it
            and create it again.
          </span>
        )}
        {budget.binding ? (
          <span className={bindsNobody(budget.binding) ? "text-deny text-sm" : "text-muted text-sm"}>
            {bindingWords(budget.binding)}
          </span>
        ) : null}
      </div>
      <div className="min-w-0">
        {sessions ? (
          <span className="text-faint text-xs">
            Fullest of{" "}
            {sessions.counted >= COUNTED_MAX ? `${formatCount(COUNTED_MAX)} or more` : formatCount(sessions.counted)}{" "}
            sessions · {formatCount(sessions.closed)} closed
          </span>
        ) : null}
        <BudgetBar budget={budget} />
      </div>
      <div className="flex min-w-0 flex-col text-sm">
        <span className="text-muted">
          {coverageWords(budget)}
          {account.refused > 0 ? ` · ${formatCount(account.refused)} refused` : ""}
        </span>
        {forecast.kind !== "linear" ? null : forecast.reachedAt ? (
          <span className="text-ask">
            At this pace, the budget is used up <RelativeTime at={forecast.reachedAt} />
          </span>
        ) : (
          <span className="text-faint">
            Forecast {shortMoney(forecast.nano)} · {percentOf(forecast.nano, amountNano)} %
          </span>
        )}
      </div>
      <StateMark budget={budget} />
    </li>
  );
}

export function StateMark({ budget }: { budget: BudgetView }) {
  const isIdle = budget.state === "closed" && budget.binding !== null && bindsNobody(budget.binding);
  const { tone, word, says } = isIdle ? UNGUARDED : STATES[budget.state];
  const label = budget.state === "warned" ? `past ${budget.passed} %` : word;
  return (
    <Hint content={says}>
      <Mark tone={tone} label={label} />
    </Hint>
  );
}
