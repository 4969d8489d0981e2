import { expect, test } from "vitest";
import { sentenceOf } from "./labels.ts";
import type { Condition } from "./schema.ts";

const COST: Condition = {
  ...{ measure: "cost", agentId: null, groupId: null, modelId: null, windowMinutes: 60 },
  ...{ comparison: "above", threshold: 4_200_000_000n, forMinutes: 0 },
};

test.each([
  [1n, "$0.000000001"],
  [12_345_678_901_234_567n, "$12345678.901234567"],
  [-500_000_000n, "-$0.50"],
])("%s nano-dollars are written with all their digits, and cents at least", (value, text) => {
  const says = `Cost of model calls: ${text} in 1 hour; the alert is for above $4.20.`;
  expect(sentenceOf(COST, { value, coverage: null })).toBe(says);
});
