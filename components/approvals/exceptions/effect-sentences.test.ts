import { describe, expect, it } from "vitest";
import {
  callsSentences,
  decisionsHref,
  effectSentences,
  inputText,
  requestsSentence,
} from "@/components/approvals/exceptions/effect-sentences";
import { parseFilter, valuesOf } from "@/components/ui/filter/filter-text";
import type { EffectOnCalls } from "@/server/exceptions/schema";

const calls = (more: Partial<EffectOnCalls> = {}): EffectOnCalls => ({
  ...{ denied: 0, asked: 0, agents: 0, sessions: 0, stopped: 0, unknown: 0, examples: [], looked: 0, isWhole: true },
  rules: [{ policy: "guard", rule: "no fetch" }],
  ...more,
});

describe("the effect on calls", () => {
  it("is said with its whole, and with whose calls they were", () => {
    expect(callsSentences(calls({ denied: 4, asked: 1, agents: 2, sessions: 3 }))).toEqual([
      "In the last 7 days, it would have covered 5 calls of 2 agents in 3 sessions: 4 denied, 1 sent for approval.",
    ]);
    expect(callsSentences(calls({ asked: 1, agents: 1 }))).toEqual([
      "In the last 7 days, it would have covered 1 call of 1 agent: 1 sent for approval.",
    ]);
    expect(callsSentences(calls())).toEqual(["In the last 7 days, it would have covered no call."]);
  });

  it("names the part that was looked at, and what is not known", () => {
    expect(callsSentences(calls({ looked: 2_000, isWhole: false, stopped: 1, unknown: 2 }))).toEqual([
      "In the newest 2,000 results of the exception's rules (last 7 days), it would have covered no call.",
      "1 more call might still have been stopped: another rule objected, a hook failed, or another approval was needed.",
      "2 calls could not be compared: part of the input is masked, erased or too long.",
    ]);
  });
});

it("the effect on requests names their ends, and those that are open", () => {
  const ended = { matched: 6, allowed: 3, denied: 1, lapsed: 1, looked: 6, isWhole: true };
  expect(requestsSentence(ended)).toBe(
    "In the last 7 days, it would have avoided 6 requests: 3 allowed, 1 denied, 1 lapsed, 1 not answered yet.",
  );
  expect(requestsSentence({ ...ended, looked: 2_000, isWhole: false })).toContain(
    "In the newest 2,000 approval requests",
  );
});

it("a call that still waits is a request, and no sentence says that there was none", () => {
  const requests = { matched: 1, allowed: 0, denied: 0, lapsed: 0, looked: 1, isWhole: true };
  const avoided = "In the last 7 days, it would have avoided 1 request: 1 not answered yet.";
  expect(effectSentences({ calls: calls(), requests })).toEqual([avoided]);
  expect(effectSentences({ calls: calls({ asked: 1, agents: 1 }), requests })).toEqual([
    "In the last 7 days, it would have covered 1 call of 1 agent: 1 sent for approval.",
    avoided,
  ]);
  const none = "In the last 7 days, it would have covered no call.";
  expect(effectSentences({ calls: calls(), requests: { ...requests, matched: 0 } })).toEqual([none]);
  expect(effectSentences({ calls: calls(), requests: null })).toEqual([none]);
});

it("an input that is one text is shown as that text", () => {
  expect(inputText('{"cmd":"git push"}')).toBe("git push");
  expect(inputText('{"cmd":"git push","cwd":"."}')).toBe('{"cmd":"git push","cwd":"."}');
  expect(inputText('{"cmd":"git pu')).toBe('{"cmd":"git pu');
});

/** The filter bar of the Calls page. */
const KEYS = ["policy", "rule", "tool", "session", "agent", "group"];

describe("the link to Calls", () => {
  const subject = { scope: "session", about: "s 1", toolName: "fetch", lifts: "verdict", agentName: "ci bot" } as const;
  const filterOf = (href: string | null) =>
    parseFilter(new URL(href ?? "", "http://x").searchParams.get("q") ?? "", KEYS);

  it("filters by rule, tool and scope", () => {
    const filter = filterOf(decisionsHref(calls(), subject));
    const values = ["policy", "rule", "tool", "session", "agent"].map((key) => valuesOf(filter, key));
    expect(values).toEqual([["guard"], ["no fetch"], ["fetch"], ["s 1"], ["ci bot"]]);
    expect(filterOf(decisionsHref(calls(), { ...subject, scope: "group", about: "night" })).terms).toContainEqual({
      ...{ key: "group", value: "night" },
    });
  });

  it("is none for a rule that decisions are not found by", () => {
    expect(decisionsHref(calls({ rules: [{ policy: "guard", rule: 'say "no"' }] }), subject)).toBeNull();
    expect(decisionsHref(calls({ rules: [] }), subject)).toBeNull();
  });
});
