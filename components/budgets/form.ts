/** The fields of the budget dialog as text, and their conversion into the input. Pure. */
import type { NewPolicy } from "@/components/layout/put-in-force/use-put-in-force";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import type { About, BudgetView, CreateBudget, Period, Scope, Unpriced } from "@/server/budgets/schema";

export interface BudgetForm {
  readonly name: string;
  readonly scope: Scope;
  readonly target: string;
  readonly period: Period;
  readonly amount: string;
  readonly reserve: string;
  readonly thresholds: string;
  readonly isHard: boolean;
  readonly unpriced: Unpriced;
  /** Saving also puts `budget_guard` in force for the agents that lack it. */
  readonly addsGuard: boolean;
}

/** The longest name of a budget. */
const NAME_MAX = 64;

const FRESH: BudgetForm = {
  name: firstName("workspace", "", "day"),
  scope: "workspace",
  target: "",
  period: "day",
  amount: "",
  reserve: "",
  thresholds: "50, 80, 100",
  isHard: true,
  unpriced: "count",
  addsGuard: true,
};

export function formOf(budget: BudgetView | null): BudgetForm {
  if (!budget) return FRESH;
  const { name, scope, target, period, amountNano, reserveNano, thresholds, isHard, unpriced } = budget;
  return {
    ...{ name, scope, target, period, isHard, unpriced, addsGuard: false },
    amount: dollarsOf(amountNano),
    reserve: reserveNano === null ? "" : dollarsOf(reserveNano),
    thresholds: thresholds.join(", "),
  };
}

/** The name that a new budget starts with: "demo-frontend, each day". */
export function firstName(scope: Scope, targetName: string, period: Period): string {
  const ending = scope === "session" || period === "total" ? "" : `, each ${period}`;
  const whose = {
    workspace: "Workspace",
    session: "Each session",
    agent: targetName,
    group: targetName,
    // The audit log keeps a budget's name, and no name of a person belongs there.
    person: "Personal budget",
    sign_on_group: targetName,
    model: targetName,
  };
  return `${whose[scope].slice(0, NAME_MAX - ending.length)}${ending}`;
}

/** A maximum cost of one call where no call has a price yet. */
const RESERVE_WITHOUT_CALLS = "0.20";
const CENT = 10_000_000n;

/** The maximum cost of one call that a new budget starts with: the dearest call, rounded up to a cent. */
export function reserveOf(dearestNano: bigint | null): string {
  if (dearestNano === null || dearestNano <= 0n) return RESERVE_WITHOUT_CALLS;
  return dollarsOf(((dearestNano + CENT - 1n) / CENT) * CENT);
}

/** The origin of the first maximum cost, in a sentence; "" until it is known. */
export function firstReserveWords(dearestNano: bigint | null | undefined): string {
  if (dearestNano === undefined) return "";
  if (dearestNano === null || dearestNano <= 0n)
    return `No model call has a price yet, so ${RESERVE_WITHOUT_CALLS} is only an example.`;
  return "This amount is the most expensive call of the last 30 days, rounded up to the next cent.";
}

/** The policy that lets a budget refuse calls, and the agents that it is for. */
export function guardPolicy(about: About, targetName: string): Omit<NewPolicy, "isPublished"> {
  const name = targetName.replace(/[^\p{L}\p{N} ._-]/gu, " ").trim();
  return {
    from: {
      name: name === "" ? "Budget guard" : `Budget guard for ${name}`.slice(0, GUARD_NAME_MAX).trim(),
      source: GUARD,
    },
    targets: guardTargets(about),
  };
}

function guardTargets(about: About): NewPolicy["targets"] {
  switch (about.scope) {
    case "group":
      return { scope: "chosen", groupIds: [about.groupId] };
    case "agent":
      return { scope: "chosen", agentIds: [about.agentId] };
    case "person":
      return { scope: "chosen", personIds: [about.personId] };
    case "sign_on_group":
      return { scope: "chosen", signOnGroupIds: [about.signOnGroupId] };
    case "model":
    case "workspace":
    case "session":
      return { scope: "workspace" };
  }
}

/** Leaves room for the number of a taken name. */
const GUARD_NAME_MAX = 60;
const GUARD = `# Refuses a model call that does not fit into a blocking budget.
profile: "2026-11"
hooks:
  before_llm_call:
    - {name: blocking budgets, type: builtin, command: budget_guard, on_error: block}
`;

export interface SavedForm {
  readonly budget: CreateBudget;
  readonly addsGuard: boolean;
}

/** Returns the form as the server's input, or the error of each field. */
export function readForm(
  form: BudgetForm,
): { input: SavedForm } | { wrongs: Partial<Record<keyof BudgetForm, string>> } {
  const wrong: Partial<Record<keyof BudgetForm, string>> = {};
  const { name, isHard, unpriced } = form;
  const period = form.scope === "session" ? "total" : form.period;
  const amountNano = nanoOf(form.amount);
  const needsReserve = isHard || unpriced !== "pass";
  const reserveNano = form.reserve.trim() === "" ? null : nanoOf(form.reserve);
  const words = form.thresholds.split(/[\s,;%]+/).filter((word) => word !== "");
  const about = aboutOf(form);
  if (name.trim() === "") wrong.name = "Enter a name.";
  if (!about) wrong.target = "Choose the agents, the person or the model that the budget limits.";
  if (!amountNano) wrong.amount = "Enter an amount in dollars, such as 250 or 12.50.";
  if (form.reserve.trim() !== "" && !reserveNano) wrong.reserve = "Enter an amount in dollars, such as 0.20.";
  else if (needsReserve && reserveNano === null) wrong.reserve = "Enter the maximum cost of one call.";
  else if (amountNano && reserveNano && reserveNano > amountNano)
    wrong.reserve = "The maximum cost of one call can't exceed the budget.";
  if (words.length > 10 || !words.every((word) => /^\d{1,3}$/.test(word) && Number(word) > 0))
    wrong.thresholds = "Enter up to ten percentages, such as 50, 80, 100.";
  if (!about || !amountNano || Object.keys(wrong).length > 0) return { wrongs: wrong };
  const budget = { name, about, period, amountNano, reserveNano, thresholds: words.map(Number), isHard, unpriced };
  return { input: { budget, addsGuard: form.addsGuard && isHard } };
}

/** Whose money it is; null while that is not chosen. */
export function aboutOf({ scope, target }: Pick<BudgetForm, "scope" | "target">): About | null {
  if (scope === "workspace" || scope === "session") return { scope };
  if (target.trim() === "") return null;
  switch (scope) {
    case "agent":
      return { scope, agentId: target };
    case "group":
      return { scope, groupId: target };
    case "person":
      return { scope, personId: target };
    case "sign_on_group":
      return { scope, signOnGroupId: target };
    case "model":
      return { scope, model: target };
  }
}
