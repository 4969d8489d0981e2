import { expect, it } from "vitest";
import { countsByPolicy } from "@/components/policies/policy-counts";
import type { RuleCard } from "@/server/decisions/rules/schema";

const card = (policyId: string | null, denied: number, asked: number): RuleCard => ({
  ...{ policy: "p", event: "pre_tool_use", hook: "gate", policyId, inForce: 1, type: "command", matcher: "Bash" },
  monitoredUntil: null,
  ...{ fired: 9, latency: { p50: null, p95: null, p99: null }, judge: null, overturned: { denied: 0, asked: 0 } },
  outcomes: {
    ...{ denied, asked, allowed: 3, acted: 0, silent: 0, failed: 0, timed_out: 0, skipped: 0 },
    ...{ canceled: 0, tolerated: 0 },
  },
});

it("sums denials and requests of all rules of a policy", () => {
  const range = { from: new Date(0), to: new Date(1), countedSince: null };
  const countsOf = countsByPolicy({
    ...range,
    cards: [card("a", 2, 0), card("a", 3, 1), card("b", 0, 4), card(null, 7, 7)],
    isWhole: false,
  });
  expect(countsOf("a")).toEqual({ denied: 5, asked: 1, isWhole: false });
  expect(countsOf("b")).toEqual({ denied: 0, asked: 4, isWhole: false });
  expect(countsOf("c")).toEqual({ denied: 0, asked: 0, isWhole: false });
});
