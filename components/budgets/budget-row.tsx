"use client";

import { BudgetBar } from "@/components/budgets/budget-bar";
import {
  aboutWords,
  bindingWords,
  bindsNobody,
  coverageWords,
  forecastWords,
  PERIOD_WORDS,
  STATES,
  UNGUARDED,
} from "@/components/budgets/labels";
import { Badge } from "@/components/ui/badge";
import { formatCount, plural } from "@/components/ui/format/count";
import { shortMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Hint } from "@/components/ui/tooltip";
import type { BudgetView } from "@/server/budgets/schema";

const COUNTED_MAX = 10_000;

/** One budget in the list; opens its drawer. */
export function BudgetRow({ budget, onOpen }: { budget: BudgetView; onOpen: () => void }) {
  const { account, sessions } = budget;
  return (
    <li className="relative grid grid-cols-1 items-center gap-x-6 gap-y-2 px-3 py-3 hover:bg-hover md:grid-cols-[minmax(0,1.6fr)_minmax(0,1.6fr)_minmax(0,1.6fr)_auto]">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <button type="button" onClick={onOpen} className="truncate font-medium after:absolute after:inset-0">
            {budget.name}
          </button>
          <Badge look="outline">{budget.isHard ? "hard" : "soft"}</Badge>
        </span>
        <span className="truncate text-muted text-sm">
          {shortMoney(budget.amountNano)} {PERIOD_WORDS[budget.period]} for {aboutWords(budget)}
        </span>
        {budget.binding ? (
          <span className={bindsNobody(budget.binding) ? "text-deny text-sm" : "text-muted text-sm"}>
            {bindingWords(budget.binding)}
          </span>
        ) : null}
      </div>
      <div className="min-w-0">
        {sessions ? (
          <span className="text-faint text-xs">
            The fullest of{" "}
            {sessions.counted >= COUNTED_MAX ? `${formatCount(COUNTED_MAX)} or more` : formatCount(sessions.counted)}{" "}
            sessions; {plural(sessions.closed, "session")} closed
          </span>
        ) : null}
        <BudgetBar budget={budget} />
      </div>
      <div className="flex min-w-0 flex-col text-sm">
        <span className="text-muted">
          {coverageWords(budget)}
          {account.refused > 0 ? `, ${formatCount(account.refused)} refused` : ""}
        </span>
        <span className="text-faint">{forecastWords(budget)}</span>
        {budget.forecast.kind === "linear" && budget.forecast.reachedAt ? (
          <span className="text-ask">
            On track to hit the limit <RelativeTime at={budget.forecast.reachedAt} />.
          </span>
        ) : null}
      </div>
      <StateMark budget={budget} />
    </li>
  );
}

export function StateMark({ budget }: { budget: BudgetView }) {
  const isIdle = budget.state === "closed" && budget.binding !== null && bindsNobody(budget.binding);
  const { tone, word, says } = isIdle ? UNGUARDED : STATES[budget.state];
  const label = budget.state === "warned" ? `${budget.passed} % warning sent` : word;
  return (
    <Hint content={says}>
      <Mark tone={tone} label={label} />
    </Hint>
  );
}
