import { expect, it } from "vitest";
import { reachText } from "@/components/policies/reach-text";

const rule = {
  ...{ revision: 1, event: "pre_tool_use", name: "gate", matcher: null, lane: "preempt_yolo" as const },
  ...{ agents: 12, calls: 340, reached: 0, ran: 0, lastRan: null },
};

it("names how many of the bound agents asked, and through which lane", () => {
  const counts = { agents: 12, bound: 50, calls: 340, ran: 0, isCut: false };
  expect(reachText({ ...counts, rules: [rule] })).toBe(
    "12 of 50 bound agents asked through the early lane in 24 h: 340 calls, 0 hook runs",
  );
  expect(reachText({ ...counts, isCut: true, rules: [rule, { ...rule, lane: "default" }] })).toContain(
    "at least 12 of 50 bound agents asked through its lanes",
  );
});
