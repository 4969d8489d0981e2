import { expect, it } from "vitest";
import { costPerDay } from "./run-cost.ts";
import { EMPTY_TALLY } from "./tally-schema.ts";

const runOf = (addedByModel: Record<string, number>, days = 10) => ({
  ...{ callsMax: null, days },
  tally: { ...EMPTY_TALLY, judgeQuestions: { inForce: 0, candidate: 0, addedByModel } },
});
const COSTS = new Map([
  ["a/large", { nano: 4_000n, calls: 2n }],
  ["b/free", { nano: 0n, calls: 9n }],
]);

it("is the mean cost of each model times the questions that are added, by day", () => {
  expect(costPerDay(runOf({ "a/large": 50, "b/free": 1_000 }), COSTS)).toBe(10_000n);
  expect(costPerDay(runOf({ "a/large": -50 }), COSTS)).toBe(-10_000n);
});

it("is unknown if the ledger has no cost of a model", () => {
  expect(costPerDay(runOf({ "a/large": 50, "c/new": 1 }), COSTS)).toBeNull();
  expect(costPerDay(runOf({ "a/large": 50, "c/new": 0 }), COSTS)).toBe(10_000n);
});
