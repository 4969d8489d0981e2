import { describe, expect, it } from "vitest";
import { changeWords, impactSummary } from "@/components/policies/review/impact-text";
import type { ImpactView } from "@/server/backtest/schema";

const view = (over: Partial<ImpactView>): ImpactView => ({
  ...{ since: new Date(0), sampled: 500, unchanged: 500, changes: [], unknown: [], notReached: 0, commandsRun: 0 },
  durationMs: 1,
  ...over,
});
const change = { from: "allow", to: "deny", count: 12, events: [] } as const;

describe("impact in words", () => {
  it("names its denominator", () => {
    expect(changeWords({ ...change, events: [] }, 500)).toBe("denies what it allowed before: 12 of 500 events");
  });
  it("says what changes, what does not, what cannot be told and what was not reached", () => {
    const unknown = [{ why: "a judge would have to be asked", count: 5 }];
    const changes = [{ ...change, events: [] }];
    expect(impactSummary(view({ changes, unknown, unchanged: 480, notReached: 3 }))).toBe(
      "12 of 500 recorded events would end otherwise, 480 as before; 5 cannot be told; 3 were not reached in time.",
    );
    expect(impactSummary(view({}))).toBe("Nothing changes in 500 of 500 recorded events.");
  });
  it("of nothing recorded is unknown, not nothing", () => {
    expect(impactSummary(view({ sampled: 0, unchanged: 0 }))).toContain("nothing can be said");
  });
});
