import { expect, test } from "vitest";
import { conditionWords, thresholdIn, thresholdText } from "@/components/alerts/labels";

test("a threshold is read and written digit by digit, in its measure's unit", () => {
  expect(thresholdIn("12.5", "share", "above")).toBe(12_500n);
  expect(thresholdIn("$0.000000001", "money", "above")).toBe(1n);
  expect(thresholdIn("25 %", "count", "rises_by")).toBe(25_000n);
  expect(thresholdIn("10", "count", "below")).toBe(10n);
  expect(thresholdIn("1.5", "count", "above")).toBeNull();
  expect(thresholdIn("many", "count", "above")).toBeNull();
  expect(thresholdText(12_500n, "share", "above")).toBe("12.5");
  expect(thresholdText(3_000_000_000n, "money", "above")).toBe("3");
});

test("a condition reads as one sentence", () => {
  const rule = {
    measure: "gate_denied",
    comparison: "above",
    threshold: 10n,
    windowMinutes: 5,
    forMinutes: 60,
  } as const;
  const names = { agentName: "ci-bot", groupName: null, modelId: null, personName: null, signOnGroupName: null };
  expect(conditionWords({ ...rule, ...names })).toBe("is above 10 in 5 minutes, for 1 hour; agent ci-bot");
  const whose = { ...names, agentName: null, signOnGroupName: "ops" };
  expect(conditionWords({ ...rule, ...whose })).toBe("is above 10 in 5 minutes, for 1 hour; calls for members of ops");
});
