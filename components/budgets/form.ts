/** The fields of the budget dialog as text, and their conversion into the input. Pure. */
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
}

const FRESH: BudgetForm = {
  name: "",
  scope: "workspace",
  target: "",
  period: "month",
  amount: "",
  reserve: "",
  thresholds: "50, 80, 100",
  isHard: false,
  unpriced: "pass",
};

export function formOf(budget: BudgetView | null): BudgetForm {
  if (!budget) return FRESH;
  const { name, scope, target, period, amountNano, reserveNano, thresholds, isHard, unpriced } = budget;
  return {
    ...{ name, scope, target, period, isHard, unpriced },
    amount: dollarsOf(amountNano),
    reserve: reserveNano === null ? "" : dollarsOf(reserveNano),
    thresholds: thresholds.join(", "),
  };
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
  if (dearestNano === null || dearestNano <= 0n) return `No priced call yet: ${RESERVE_WITHOUT_CALLS} is an example.`;
  return "Set to the most expensive call of the last 30 days, rounded up to a cent.";
}

/** Returns the form as the server's input, or the error of each field. */
export function readForm(
  form: BudgetForm,
): { input: CreateBudget } | { wrongs: Partial<Record<keyof BudgetForm, string>> } {
  const wrong: Partial<Record<keyof BudgetForm, string>> = {};
  const { name, isHard, unpriced } = form;
  const period = form.scope === "session" ? "total" : form.period;
  const amountNano = nanoOf(form.amount);
  const needsReserve = isHard || unpriced !== "pass";
  const reserveNano = form.reserve.trim() === "" ? null : nanoOf(form.reserve);
  const words = form.thresholds.split(/[\s,;%]+/).filter((word) => word !== "");
  const about = aboutOf(form);
  if (name.trim() === "") wrong.name = "Enter a name.";
  if (!about) wrong.target = "Choose a target.";
  if (!amountNano) wrong.amount = "Enter dollars, such as 250 or 12.50.";
  if (form.reserve.trim() !== "" && !reserveNano) wrong.reserve = "Enter dollars, such as 0.20.";
  else if (needsReserve && reserveNano === null) wrong.reserve = "Enter the maximum cost of one call.";
  else if (amountNano && reserveNano && reserveNano > amountNano)
    wrong.reserve = "The maximum cost of one call can't exceed the budget.";
  if (words.length > 10 || !words.every((word) => /^\d{1,3}$/.test(word) && Number(word) > 0))
    wrong.thresholds = "Enter up to ten percentages, such as 50, 80, 100.";
  if (!about || !amountNano || Object.keys(wrong).length > 0) return { wrongs: wrong };
  return { input: { name, about, period, amountNano, reserveNano, thresholds: words.map(Number), isHard, unpriced } };
}

/** Whose money it is; null while that is not chosen. */
export function aboutOf({ scope, target }: Pick<BudgetForm, "scope" | "target">): About | null {
  if (scope === "workspace" || scope === "session") return { scope };
  if (target.trim() === "") return null;
  if (scope === "model") return { scope, model: target };
  return scope === "agent" ? { scope, agentId: target } : { scope, groupId: target };
}
