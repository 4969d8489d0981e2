import { describe, expect, it } from "vitest";
import { observedWords, untilWords } from "@/components/layout/monitor-mode/monitor-mode-text";
import { duringFreeze } from "@/components/policies/rollout/brake-field";
import { canaryWhom, sideWords } from "@/components/policies/rollout/canary-text";
import { canaryAgentsText, readCanary } from "@/components/policies/rollout/read-canary";
import { EVERYONE, rolloutOf } from "@/components/policies/rollout/rollout-choice";
import { DEFAULT_LIMITS } from "@/server/policies/canary-watch/limits-schema";

const NOW = Date.UTC(2026, 10, 22, 12);
const sums = {
  ...{ policyId: "p", name: "p", since: new Date(NOW), until: new Date(NOW) },
  ...{ gates: 340, judged: 200, denied: 12, asked: 0, failed: 0, dropped: 0 },
};

describe("what came of observing", () => {
  it.each([
    [{}, "The policy would have denied 12 of 340 gate calls."],
    [{ asked: 3 }, "The policy would have denied 12 and required approval for 3 of 340 gate calls."],
    [{ denied: 0 }, "The policy would have changed 0 of 340 gate calls."],
    [{ denied: 0, gates: 0 }, "The policy has checked no gate call in monitor mode yet."],
    [
      { gates: 1, denied: 1, failed: 1, dropped: 7 },
      "The policy would have denied 1 of 1 gate call. The policy's hooks failed on 1. 7 more could not be checked in time.",
    ],
    [{ gates: 0, denied: 0, dropped: 7 }, "7 more could not be checked in time."],
  ])("with %j is told with its denominator, and the unknown as unknown", (over, words) => {
    expect(observedWords({ ...sums, ...over })).toBe(words);
  });

  it("says when it closes by itself, also before the viewer's clock is known", () => {
    expect(untilWords(new Date(NOW + 90_000), NOW)).toContain("in 1 m 30 s");
    expect(untilWords(new Date(NOW), NOW)).toBe("The policy is now enforced.");
    expect(untilWords(new Date(NOW), null)).toContain("2026-11-22 12:00 UTC");
  });
});

describe("a canary", () => {
  it("is a share, a group or both, and never nobody", () => {
    expect(readCanary({ share: "20", groupId: null })).toEqual({ share: 20, groupId: null });
    expect(readCanary({ share: "", groupId: "g" })).toEqual({ share: 0, groupId: "g" });
    for (const share of ["", "0", "101", "-1", "1.5", "x"])
      expect(readCanary({ share, groupId: null })).toEqual(expect.any(String));
    expect(rolloutOf(EVERYONE)).toEqual({ kind: "everyone" });
    expect(rolloutOf({ ...EVERYONE, kind: "canary" })).toEqual({
      ...{ kind: "canary", share: 10, groupId: null, limits: DEFAULT_LIMITS },
    });
  });

  it("is told with its denominators", () => {
    expect(canaryWhom({ share: 20, group: { id: "g", name: "nightly" } })).toBe("20 % of the agents and group nightly");
    expect(sideWords({ agents: 3, active: 2, gates: 120, denied: 3 })).toBe("3 of 120 gate calls denied (3 %).");
    expect(sideWords({ agents: 3, active: 0, gates: 0, denied: 0 })).toBe("no gate calls yet.");
  });
});

it("a brake in a frozen workspace wants a reason, and none in another", () => {
  expect(duringFreeze(false, "")).toEqual({});
  expect(duringFreeze(true, " it burns ")).toEqual({ duringFreeze: "it burns" });
  expect(() => duringFreeze(true, " ")).toThrow(/reason/i);
});

it("names the agents of a canary, and says that nobody is in one", () => {
  expect(canaryAgentsText(10, null, { bound: 4, inside: 1, names: ["demo-docs"] })).toBe(
    "10 % of 4 agents = demo-docs",
  );
  expect(canaryAgentsText(10, null, { bound: 4, inside: 0, names: [] })).toContain("10 % of 4 agents = 0 agents.");
});
