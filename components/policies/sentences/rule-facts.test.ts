import { describe, expect, it } from "vitest";
import { findGap, gapText, type PolicyFacts, resultText } from "@/components/policies/sentences/rule-facts";
import type { RuleCard } from "@/server/decisions/rules/schema";

const NOW = 10_000_000;
const PLACE = { event: "pre_tool_use", matcher: "Bash", isEarly: false, fields: { name: "gate", type: "command" } };
const reached = (over: object = {}) => ({
  ...{ revision: 1, event: "pre_tool_use", name: "gate", matcher: "Bash", lane: "default" as const },
  ...{ agents: 1, calls: 40, reached: 20, ran: 20, lastRan: { at: new Date(NOW), unit: "hour" as const }, ...over },
});
const facts = (rule: object | null, card: object | null = {}, more: Partial<PolicyFacts> = {}): PolicyFacts => ({
  isInForce: true,
  hold: undefined,
  reach: {
    ...{ bound: 1, publishedAt: new Date(NOW - 120_000), isCut: false, agents: 1, calls: 40, ran: 20, lastRan: null },
    ...{ isUnreached: false, rules: rule === null ? [] : [reached(rule)], rulesLeftOut: 0 },
  },
  cards: card === null ? undefined : [cardOf(card)],
  ...more,
});
const cardOf = ({ outcomes = {}, overturned = {} }: { outcomes?: object; overturned?: object }): RuleCard => ({
  ...{ policy: "p", event: "pre_tool_use", hook: "gate", policyId: null, inForce: 1, type: "command", matcher: "Bash" },
  monitoredUntil: null,
  ...{ fired: 20, latency: { p50: null, p95: null, p99: null }, judge: null },
  outcomes: {
    ...{ denied: 0, asked: 0, allowed: 0, acted: 0, silent: 0, failed: 0, timed_out: 0, skipped: 0 },
    ...{ canceled: 0, tolerated: 0, ...outcomes },
  },
  overturned: { denied: 0, asked: 0, ...overturned },
});

describe("the results of a rule", () => {
  it.each([
    ["denials", facts({}, { outcomes: { denied: 16 } }), "16 denied in 24 h · never overturned"],
    [
      "denials that a person overturned",
      facts({}, { outcomes: { denied: 1, asked: 2 }, overturned: { asked: 1 } }),
      "1 denied, 2 sent to a person in 24 h · 1 time overturned",
    ],
    ["runs without a verdict", facts({}, { outcomes: { silent: 20 } }), "ran 20 times in 24 h, decided 0"],
    ["failures", facts({}, { outcomes: { failed: 3, timed_out: 1 } }), "3 failed, 1 timed out in 24 h"],
    ["failures that a profile lets pass", facts({}, { outcomes: { tolerated: 2 } }), "2 failed and allowed in 24 h"],
    ["a rule that is new", facts({ ran: 0, lastRan: null }), "Not run yet (in force for 2 min)"],
    ["a rule that ran before", facts({ ran: 0 }), "0 in 24 h"],
    ["a rule of the draft", facts(null), "Rule not in force yet"],
    ["a rule of another lane", facts({ lane: "preempt_yolo" }), "Rule not in force yet"],
    ["counts that load", facts({}, null), "ran 20 times in 24 h"],
    ["a policy that is not in force", facts({}, {}, { isInForce: false }), null],
    ["facts that load", facts({}, {}, { reach: undefined }), null],
  ])("of %s", (_, of, expected) => {
    expect(resultText(PLACE, of, NOW)).toBe(expected);
  });
});

it("names the agents for which a rule cannot fire", () => {
  const gap = {
    event: "pre_tool_use",
    name: "gate",
    matcher: "Bash",
    isEarly: false,
    agents: 4,
    of: 5,
    reasons: ["a names its shell tool bash", "b is old"],
  };
  const hold = { hasGate: true, answered: 5, held: 1, unheld: 4, unknown: 0, gaps: [gap] };
  expect(findGap(PLACE, facts({}, {}, { hold }))).toBe(gap);
  expect(findGap({ ...PLACE, isEarly: true }, facts({}, {}, { hold }))).toBeUndefined();
  expect(gapText(gap)).toBe(
    "This rule cannot apply to 4 of 5 agents: a names its shell tool bash; b is old; and 2 more.",
  );
});
