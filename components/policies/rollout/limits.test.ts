import { describe, expect, it } from "vitest";
import { limitsText, withdrawalReason } from "@/components/policies/rollout/comparison-text";
import { limitsChoice, readLimits } from "@/components/policies/rollout/read-limits";
import { type CanaryComparison, DEFAULT_LIMITS } from "@/server/policies/canary-watch/limits-schema";

const NONE = { agents: 0, calls: 0, denied: 0, asked: 0, failed: 0, slow: 0, overturned: 0 };
const compared = (more: Partial<CanaryComparison> = {}): CanaryComparison => ({
  from: new Date(0),
  inside: { ...NONE, agents: 1, calls: 100, denied: 40 },
  others: { ...NONE, agents: 2, calls: 200, denied: 2 },
  ...{ state: "within", passed: null },
  ...more,
});

describe("the fields of limits", () => {
  it("hold the defaults, the stored limits, or none", () => {
    expect(readLimits(limitsChoice())).toEqual(DEFAULT_LIMITS);
    const own = { ...DEFAULT_LIMITS, denied: 12, slow: null };
    expect(readLimits(limitsChoice(own))).toEqual(own);
    expect(readLimits(limitsChoice(null))).toBeNull();
  });

  it("say what is wrong with a value", () => {
    const typed = (denied: string) => {
      const choice = limitsChoice();
      return readLimits({ ...choice, points: { ...choice.points, denied } });
    };
    for (const text of ["0", "100", "1.5", "x"]) expect(typed(text)).toMatch("whole number from 1 to 99");
    expect(typed("")).toEqual({ ...DEFAULT_LIMITS, denied: null });
    const empty = { denied: "", asked: "", failed: "", slow: "", overturned: "" };
    expect(readLimits({ ...limitsChoice(), points: empty })).toMatch("at least one limit");
    expect(readLimits({ ...limitsChoice(), slowMs: "0" })).toMatch("milliseconds");
  });
});

describe("the sentences on a comparison", () => {
  it("name the calls that are missing for a verdict", () => {
    expect(limitsText(DEFAULT_LIMITS, null)).toBe("The canary's limits have not been checked yet.");
    expect(limitsText(DEFAULT_LIMITS, compared({ state: "too_few_inside", inside: { ...NONE, calls: 3 } }))).toBe(
      "Too few calls to compare: the canary's agents made 3 and must make at least 30.",
    );
    expect(limitsText(DEFAULT_LIMITS, compared({ state: "too_few_others", others: { ...NONE, calls: 7 } }))).toBe(
      "Too few calls to compare: the other agents made 7 and must make at least 30.",
    );
  });

  it("show both shares of each limit, and the limit that was passed", () => {
    const limits = { ...DEFAULT_LIMITS, failed: null, slow: null, overturned: null };
    expect(limitsText(limits, compared())).toBe(
      "The canary is within its limits: 100 calls; denials 40 % (other agents 1 %), asks 0 % (other agents 0 %).",
    );
    expect(withdrawalReason(limits, compared({ state: "passed", passed: "denied" }))).toBe(
      "denials 40 % (other agents 1 %) of 100 calls; the limit is 5 points above.",
    );
  });
});
