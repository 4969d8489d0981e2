import { expect, it } from "vitest";
import { groupBudgets, groupingOf, matchingBudgets } from "@/components/budgets/query";
import { parseFilter } from "@/components/ui/filter/filter-text";
import type { BudgetView, Scope } from "@/server/budgets/schema";

const budget = (name: string, scope: Scope, target: string, targetName: string | null = target): BudgetView =>
  // Only these columns are read.
  ({ name, scope, target, targetName }) as BudgetView;
const ALL = [
  budget("a", "workspace", ""),
  budget("b", "person", "2", "Zoe"),
  budget("c", "person", "1", "Ada"),
  budget("d", "sign_on_group", "platform"),
  budget("e", "person", "2", "Zoe"),
];
const names = (budgets: readonly BudgetView[]) => budgets.map(({ name }) => name).join("");
const found = (text: string) => names(matchingBudgets(ALL, parseFilter(text, ["person", "for"])));

it("finds budgets of a person, of a kind of target, and by a part of their name or target", () => {
  expect(found("")).toBe("abcde");
  expect(found("person:2")).toBe("be");
  expect(found("person:1 person:2")).toBe("bce");
  expect(found("for:sign-on-group")).toBe("d");
  expect(found("person:2 for:workspace")).toBe("");
  expect(found("plat")).toBe("d");
  expect(found("zoe")).toBe("be");
});

it("groups by person with the others last, and by kind of target; every budget is in one group", () => {
  const groups = (by: string) =>
    groupBudgets(ALL, groupingOf(by)).map(({ key, budgets }) => `${key}:${names(budgets)}`);
  expect(groups("person")).toEqual(["1:c", "2:be", ":ad"]);
  expect(groups("for")).toEqual(["workspace:a", "person:bce", "sign_on_group:d"]);
  expect(groups("else")).toEqual([":abcde"]);
});
