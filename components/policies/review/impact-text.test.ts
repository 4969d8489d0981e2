import { describe, expect, it } from "vitest";
import { packDenialText } from "@/components/policies/packs/pack-impact";
import {
  callCountWords,
  changeWords,
  impactSummary,
  packImpactText,
  reachSummary,
  sampledCallsText,
} from "@/components/policies/review/impact-text";
import type { ImpactView } from "@/server/backtest/schema";

const view = (over: Partial<ImpactView>): ImpactView => ({
  ...{ since: new Date(0), sampled: 500, unchanged: 500, changes: [], unknown: [], notReached: 0, commandsRun: 0 },
  ...{ durationMs: 1, reached: 500, replayed: 0, neverEarly: 0, unreached: [], unreachedCount: 0 },
  calls: { tools: 250, others: 0, reached: 250, denied: 0, asked: 0, unknown: 0 },
  ...over,
});
const change = { from: "allow", to: "deny", count: 12, alreadyDenied: 0, events: [] } as const;

describe("impact in words", () => {
  it.each([
    [{ count: 1, alreadyDenied: 0 }, ""],
    [{ count: 16, alreadyDenied: 0 }, "×16"],
    [{ count: 16, alreadyDenied: 16 }, "×16, 16 already denied"],
    [{ count: 1, alreadyDenied: 1 }, "already denied"],
  ])("counts equal calls: %j", (counts, words) => {
    expect(callCountWords(counts)).toBe(words);
  });
  it("names its denominator, and the calls that were denied already", () => {
    expect(changeWords({ ...change, alreadyDenied: 3, events: [] }, 500)).toBe(
      "denies calls that it allowed before: 12 of 500 events, 3 already denied",
    );
    expect(changeWords({ ...change, events: [] }, 500)).toBe("denies calls that it allowed before: 12 of 500 events");
  });
  it("says what changes, what does not, what cannot be told and what was not reached", () => {
    const unknown = [{ why: "a judge would have to be asked", count: 5 }];
    const changes = [{ ...change, events: [] }];
    expect(impactSummary(view({ changes, unknown, unchanged: 480, notReached: 3 }))).toBe(
      "This policy would answer 12 of 500 recorded events differently, 480 as before; 5 have an unknown effect; 3 were not reached in time.",
    );
    expect(impactSummary(view({}))).toBe("This policy would answer 500 of 500 recorded events as before.");
  });
  it("of nothing recorded is unknown, not nothing", () => {
    expect(impactSummary(view({ sampled: 0, unchanged: 0 }))).toContain("its impact is unknown");
  });
  it("that no recorded call reaches is unknown, never nothing", () => {
    expect(impactSummary(view({ sampled: 323, unchanged: 323, reached: 0 }))).toBe(
      "0 of 323 recorded calls reach this policy. Impact unknown.",
    );
    const changes = [{ ...change, events: [] }];
    expect(impactSummary(view({ changes, unchanged: 488, reached: 0 }))).toContain(
      "this policy's rules, so their effect is unknown",
    );
  });
  it("says that the early lane was replayed on the default lane's record", () => {
    expect(reachSummary(view({ reached: 40, replayed: 12 }))).toBe(
      "40 of 500 recorded events reach the rules of this policy. 12 were recorded without an early check: rules of the early check were replayed on that record of the same call.",
    );
  });
  it("of a pack counts what it would deny and ask, and is unknown when nothing reaches it", () => {
    const calls = { tools: 323, others: 0, reached: 40, denied: 3, asked: 11, unknown: 0 };
    expect(packImpactText(view({ calls }))).toEqual({
      isKnown: true,
      text: "This pack would deny 3 and require approval for 11 of the 40 calls that its rules would see, out of 323 tool calls in the last 24 h.",
    });
    expect(packImpactText(view({ calls: { ...calls, reached: 0, others: 2 }, neverEarly: 23 }))).toEqual({
      isKnown: false,
      text: "The pack's rules would check 0 of 323 tool calls and 2 other events in the last 24 h. 23 calls of agents without a recorded early check are left out: the effect of early rules on them is unknown.",
    });
    expect(packImpactText(view({ calls: { ...calls, reached: 2, unknown: 2 } })).isKnown).toBe(false);
    expect(packImpactText(view({ sampled: 0, reached: 0 })).isKnown).toBe(false);
    expect(packDenialText(view({ calls: { ...calls, denied: 1, asked: 0 } }))).toBe(
      "The pack would have denied 1 of the last 323 tool calls.",
    );
    expect(sampledCallsText({ ...calls, tools: 0, others: 1 })).toBe("1 event");
  });
});
