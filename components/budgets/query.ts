/** The filter and the groups of the list of budgets. Pure. */
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import { type BudgetView, SCOPES, type Scope } from "@/server/budgets/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["person", "for"] as const;

/** The words of `for:`, which are easier to type than the names of the scopes. */
export const FOR_WORDS: Readonly<Record<Scope, string>> = {
  workspace: "workspace",
  group: "group",
  agent: "agent",
  person: "person",
  sign_on_group: "sign-on-group",
  model: "model",
  session: "session",
};

/** Budgets that match each key with one of its values, and the text with a part of their name or target. */
export function matchingBudgets(budgets: readonly BudgetView[], filter: Filter): readonly BudgetView[] {
  const [people, scopes] = [valuesOf(filter, "person"), valuesOf(filter, "for")];
  const text = filter.text.trim().toLowerCase();
  return budgets.filter(
    ({ name, scope, target, targetName }) =>
      (people.length === 0 || (scope === "person" && people.includes(target))) &&
      (scopes.length === 0 || scopes.includes(FOR_WORDS[scope])) &&
      `${name} ${targetName ?? target}`.toLowerCase().includes(text),
  );
}

export const GROUPINGS = ["none", "person", "for"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const groupingOf = (text: string | null): Grouping => GROUPINGS.find((one) => one === text) ?? "none";

export interface BudgetGroup {
  /** The id of a person, or a scope; "" for budgets of no person, and without groups. */
  readonly key: string;
  readonly budgets: readonly BudgetView[];
}

/** The budgets of each person, by name, or of each scope; those of no person are last. */
export function groupBudgets(budgets: readonly BudgetView[], by: Grouping): readonly BudgetGroup[] {
  if (by === "none") return [{ key: "", budgets }];
  if (by === "for")
    return SCOPES.map((scope) => ({ key: scope, budgets: budgets.filter((one) => one.scope === scope) })).filter(
      (group) => group.budgets.length > 0,
    );
  const ofPeople = budgets.filter(({ scope }) => scope === "person");
  const people = [...new Map(ofPeople.map(({ target, targetName }) => [target, targetName ?? ""]))].sort(
    ([, a], [, b]) => a.localeCompare(b),
  );
  const rest = budgets.filter(({ scope }) => scope !== "person");
  return [
    ...people.map(([key]) => ({ key, budgets: ofPeople.filter(({ target }) => target === key) })),
    ...(rest.length > 0 ? [{ key: "", budgets: rest }] : []),
  ];
}
