import { expect, test } from "vitest";
import { sentenceOf } from "./labels.ts";
import type { Condition } from "./schema.ts";

const COST: Condition = {
  ...{
    measure: "cost",
    agentId: null,
    groupId: null,
    modelId: null,
    personId: null,
    signOnGroupId: null,
    windowMinutes: 60,
  },
  ...{ comparison: "above", threshold: 4_200_000_000n, forMinutes: 0 },
};

test.each([
  [1n, "<$0.0001"],
  [4_213_750n, "$0.0042"],
  [12_345_678_901_234_567n, "$12,345,678.90"],
  [-500_000_000n, "-$0.50"],
  [0n, "$0.00"],
])("%s nano-dollars are rounded to what one reads", (value, text) => {
  const says = `Cost of model calls: ${text} in 1 hour; threshold: above $4.20.`;
  expect(sentenceOf(COST, { value, coverage: null })).toBe(says);
});

test("a value that would look like the threshold keeps its digits, and so does the threshold", () => {
  expect(sentenceOf(COST, { value: 4_200_000_001n, coverage: null })).toContain(": $4.200000001 in 1 hour;");
  expect(sentenceOf(COST, { value: 4_200_000_000n, coverage: null })).toContain(": $4.20 in 1 hour;");
  const fine = { ...COST, threshold: 4_213_750n };
  expect(sentenceOf(fine, { value: 9_000_000_000n, coverage: null })).toContain(
    "$9.00 in 1 hour; threshold: above $0.00421375.",
  );
});

test("shares have one decimal, counts their thousands apart", () => {
  const rise: Condition = { ...COST, comparison: "rises_by", threshold: 50_000n };
  expect(sentenceOf(rise, { value: 66_667n, coverage: null })).toContain("rose by 66.7 % against the 1 hour before");
  expect(sentenceOf(rise, { value: 50_001n, coverage: null })).toContain("rose by 50.001 %");
  const count: Condition = { ...COST, measure: "gate_denied", threshold: 10_000n };
  expect(sentenceOf(count, { value: 1_234_567n, coverage: null })).toContain(
    ": 1,234,567 in 1 hour; threshold: above 10,000.",
  );
});
