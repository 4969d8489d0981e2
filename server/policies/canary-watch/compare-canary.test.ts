import { describe, expect, it } from "vitest";
import { compareCanary, smallestDifference } from "./compare-canary.ts";
import { type CanaryCounts, canaryLimits, DEFAULT_LIMITS } from "./limits-schema.ts";

const side = (calls: number, counts: Partial<CanaryCounts> = {}): CanaryCounts => ({
  ...{ agents: 1, calls, denied: 0, asked: 0, failed: 0, slow: 0, overturned: 0 },
  ...counts,
});

describe("the comparison of a canary", () => {
  it("gives no verdict for too few calls on either side, whatever they show", () => {
    expect(compareCanary(DEFAULT_LIMITS, side(3, { denied: 3 }), side(5_000))).toEqual({
      ...{ state: "too_few_inside", passed: null },
    });
    expect(compareCanary(DEFAULT_LIMITS, side(5_000, { denied: 5_000 }), side(29))).toEqual({
      ...{ state: "too_few_others", passed: null },
    });
  });

  it("names the first limit that the canary passed", () => {
    const others = side(400, { denied: 4 });
    for (const measure of ["denied", "asked", "failed", "slow", "overturned"] as const)
      expect(compareCanary(DEFAULT_LIMITS, side(60, { [measure]: 30 }), others).passed).toBe(measure);
  });

  it("ignores a measure without a limit", () => {
    const limits = { ...DEFAULT_LIMITS, denied: null };
    expect(compareCanary(limits, side(60, { denied: 60 }), side(400)).state).toBe("within");
  });

  it("is within its limits when both sides are equally bad", () => {
    expect(compareCanary(DEFAULT_LIMITS, side(200, { denied: 100 }), side(800, { denied: 400 })).state).toBe("within");
  });

  it("needs a difference beyond chance: three denials of thirty calls are not enough", () => {
    expect(compareCanary(DEFAULT_LIMITS, side(30, { denied: 3 }), side(400)).state).toBe("within");
    expect(compareCanary(DEFAULT_LIMITS, side(300, { denied: 60 }), side(400)).passed).toBe("denied");
  });

  it("bounds the difference as Newcombe's interval does, for 56 of 70 and 48 of 80", () => {
    // Newcombe 1998, table II, method 10, gives 0.0524 at 1.96; the wider interval of 3.0902 reaches below zero.
    const bound = smallestDifference({ events: 56, calls: 70 }, { events: 48, calls: 80 });
    expect(bound).toBeGreaterThan(-0.05);
    expect(bound).toBeLessThan(0.0524);
  });
});

describe("limits", () => {
  it("are whole percentage points, and at least one is set", () => {
    const none = { denied: null, asked: null, failed: null, slow: null, overturned: null, slowMs: 1_000 };
    expect(canaryLimits.safeParse(none).success).toBe(false);
    expect(canaryLimits.safeParse({ ...none, denied: 0 }).success).toBe(false);
    expect(canaryLimits.safeParse({ ...none, denied: 1.5 }).success).toBe(false);
    expect(canaryLimits.safeParse({ ...none, denied: 1 }).success).toBe(true);
  });
});
