/** A stored budget as this release reads it: an unreadable hard budget has room for no call. */
import { z } from "zod";
import { storedProblem } from "../platform/stored-fault.ts";
import { period, type Scope, scope, unpriced } from "./schema.ts";

/** A budget's columns, as stored. */
export interface BudgetColumns {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly target: string;
  readonly period: string;
  readonly amountNano: bigint;
  readonly reserveNano: bigint | null;
  readonly isHard: boolean;
  readonly unpriced: string;
}

const UNKNOWN = "this release does not know it";
const known = <T extends z.ZodType>(schema: T) =>
  z.unknown().transform((value, context): z.output<T> => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    context.addIssue({ code: "custom", message: UNKNOWN });
    return z.NEVER;
  });
const amount = z.bigint().positive("not above zero");

const OF_ID: ReadonlySet<string> = new Set(["agent", "group", "person", "sign_on_group"]);

const storedBudget = z
  .object({
    scope: known(scope),
    target: z.string(),
    period: known(period),
    amountNano: amount,
    reserveNano: amount.nullable(),
    isHard: z.boolean(),
    unpriced: known(unpriced),
  })
  .superRefine(({ reserveNano, isHard, unpriced: rule, ...budget }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (reserveNano === null && (isHard || rule !== "pass")) refuse("reserveNano", "missing");
    if (budget.scope === "session" && budget.period !== "total") refuse("period", "a session has no days");
    const isOfId = OF_ID.has(budget.scope);
    if (isOfId && !z.uuid().safeParse(budget.target).success) refuse("target", "not an id");
    if (budget.scope === "model" && budget.target === "") refuse("target", "empty");
  });

/**
 * The first problem of a budget; null when all of it can be read. `isLost`: its agent or person does not exist, so the
 * budget can match no call.
 */
export function budgetProblem(row: BudgetColumns, isLost: boolean): string | null {
  const read = storedBudget.safeParse(row);
  if (!read.success) return storedProblem(read.error);
  return isLost ? `target: there is no ${read.data.scope} with this id` : null;
}

/** A budget as pages and changes read it; the widest reading of each part that this release does not know. */
export function readBudget<T extends BudgetColumns>(row: T, isLost = false) {
  return {
    ...row,
    scope: scope.safeParse(row.scope).data ?? "workspace",
    period: period.safeParse(row.period).data ?? "total",
    unpriced: unpriced.safeParse(row.unpriced).data ?? "deny",
    problem: budgetProblem(row, isLost),
  };
}

export interface BudgetCall {
  readonly agent: string;
  readonly model: string;
  readonly groups: readonly string[];
  /** The principal that the call is made for; null if it is not known. */
  readonly person: string | null;
}

/** True if a call may count in a budget that cannot be read: only a target that can be read rules others out. */
export function mayConcern(row: Pick<BudgetColumns, "scope" | "target">, isLost: boolean, call: BudgetCall): boolean {
  const stored: Scope | undefined = scope.safeParse(row.scope).data;
  const isId = z.uuid().safeParse(row.target).success;
  if (stored === "agent" && isId && !isLost) return row.target === call.agent;
  if (stored === "group" && isId) return call.groups.includes(row.target);
  if (stored === "model" && row.target !== "") return row.target === call.model;
  if (stored === "person" || stored === "sign_on_group") return call.person !== null;
  return true;
}
