"use client";

import { Wallet } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { BudgetRow } from "@/components/budgets/budget-row";
import { SCOPE_WORDS } from "@/components/budgets/labels";
import { FOR_WORDS, type Grouping, groupBudgets, groupingOf } from "@/components/budgets/query";
import { usePersonField } from "@/components/principals/use-person-field";
import { usePrincipals } from "@/components/principals/use-principals";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { type Filter, noFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { Card } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { UNKNOWN_PERSON } from "@/server/access/principal-schema";
import { type BudgetView, SCOPES, type Scope } from "@/server/budgets/schema";

const GROUPINGS: readonly { value: Grouping; label: string }[] = [
  { value: "none", label: "All" },
  { value: "person", label: "By person" },
  { value: "for", label: "By target" },
];

interface BudgetListProps {
  /** Those that match the filter. */
  budgets: readonly BudgetView[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onOpen: (id: string) => void;
}

/** The matching budgets, all in one list or in groups; the choice is in the address. */
export function BudgetList({ budgets, filter, onFilter, onOpen }: BudgetListProps) {
  const [text, setText] = useQueryState("by", parseAsString);
  const by = groupingOf(text);
  const fields = useFields();
  const titleOf = useGroupTitle(by);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <FilterBar
          label="budgets"
          fields={fields}
          value={filter}
          onChange={onFilter}
          placeholder="for:person, or a part of a name"
          className="max-sm:basis-full"
        />
        <Segmented
          label="Group budgets"
          value={by}
          options={GROUPINGS}
          onChange={(next) => void setText(next === "none" ? null : next)}
        />
      </div>
      {budgets.length === 0 ? (
        <Card className="p-0">
          <EmptyState
            icon={Wallet}
            title="No budget matches"
            action={<Button onClick={() => onFilter(noFilter)}>Clear filter</Button>}
          >
            Other budgets are hidden by the filter.
          </EmptyState>
        </Card>
      ) : null}
      {groupBudgets(budgets, by).map(({ key, budgets: members }) =>
        members.length === 0 ? null : (
          <section key={key} aria-label={titleOf(key)} className="flex flex-col gap-1">
            {by === "none" ? null : <h2 className="font-medium text-sm">{titleOf(key)}</h2>}
            <ul
              aria-label={titleOf(key)}
              className="grid grid-cols-1 gap-x-6 divide-y divide-line rounded-md border bg-surface md:grid-cols-[minmax(0,1.6fr)_minmax(0,1.6fr)_minmax(0,1.2fr)_auto]"
            >
              {members.map((budget) => (
                <BudgetRow key={budget.id} budget={budget} onOpen={() => onOpen(budget.id)} />
              ))}
            </ul>
          </section>
        ),
      )}
    </div>
  );
}

function useFields(): readonly FilterField[] {
  const person = usePersonField();
  const known = person.values?.filter(({ value }) => value !== UNKNOWN_PERSON) ?? [];
  return [
    { ...person, hint: "the person or service of a budget", values: known },
    {
      key: "for",
      hint: "the kind of target",
      values: SCOPES.map((scope) => ({ value: FOR_WORDS[scope], label: SCOPE_WORDS[scope] })),
    },
  ];
}

function useGroupTitle(by: Grouping): (key: string) => string {
  const { nameOf } = usePrincipals();
  if (by === "none") return () => "Budgets";
  if (by === "person") return (key) => (key === "" ? "Other budgets" : nameOf(key));
  return (key) => {
    const words = SCOPE_WORDS[key as Scope]; // a scope: the list groups by these
    return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  };
}
