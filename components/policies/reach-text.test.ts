import { expect, it } from "vitest";
import { notRunText, reachText } from "@/components/policies/reach-text";

const rule = {
  ...{ revision: 1, event: "pre_tool_use", name: "gate", matcher: null, lane: "preempt_yolo" as const },
  ...{ agents: 12, calls: 340, reached: 0, ran: 0, lastRan: null },
};

it("names how many of the bound agents asked", () => {
  const counts = { agents: 12, bound: 50, calls: 340, ran: 0, isCut: false };
  expect(reachText({ ...counts, rules: [rule] })).toBe(
    "12 of 50 bound agents sent calls for its events in 24 h: 340 calls, 0 rule runs",
  );
  expect(reachText({ ...counts, isCut: true, rules: [rule, { ...rule, lane: "default" }] })).toContain(
    "at least 12 of 50 bound agents sent calls",
  );
});

it.each([
  [2 * 60_000, "Not run yet (in force for 2 min)"],
  [5_000, "Not run yet (in force for 1 min)"],
  [3 * 3_600_000, "Not run yet (in force for 3 h)"],
  [12 * 86_400_000, "Not run yet (in force for 12 days)"],
  [30 * 86_400_000, "Not run in 30 days"],
])("a rule in force for %d ms without a run reads %j", (ageMs, text) => {
  expect(notRunText(new Date(1_000), 1_000 + ageMs)).toBe(text);
});
