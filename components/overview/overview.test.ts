import { describe, expect, it } from "vitest";
import { barWords, dispatchModel, outcomesOf, sparkOf } from "@/components/overview/dispatch-model";
import { gateState } from "@/components/overview/gate-state";
import type { OverviewPoint, OverviewSummary } from "@/server/overview/schema";

const nothing: OverviewSummary = {
  from: new Date(0),
  to: new Date(1),
  dispatches: 0,
  gates: 0,
  gatesWithoutOpinion: 0,
  gateDenied: 0,
  hooksFailed: 0,
  allowed: 0,
  denied: 0,
  canceled: 0,
  prompted: 0,
  compactions: 0,
  callsPriced: 0,
  callsFree: 0,
  callsUnpriced: 0,
  costNano: 0n,
  activeAgents: 0,
  perMinuteNow: null,
};
const state = (sums: Partial<OverviewSummary>, isGoverned = true) =>
  gateState({ ...nothing, ...sums }, { isGoverned }, "in the last hour");

describe("the state of the gate", () => {
  it("is never called working when nothing governs, whatever else is fine", () => {
    expect(state({ dispatches: 9, gates: 9 }, false).word).toBe("No gate");
  });
  it("puts failing hooks before everything that works", () => {
    expect(state({ dispatches: 9, gates: 9, hooksFailed: 1 })).toMatchObject({ tone: "error", word: "Hooks fail" });
  });
  it.each([
    [{}, "Quiet"],
    [{ dispatches: 5 }, "Watching only"],
    [{ dispatches: 5, gates: 3, gatesWithoutOpinion: 3 }, "Open"],
    [{ dispatches: 5, gates: 3, gatesWithoutOpinion: 2 }, "Working"],
  ])("of %j is %s", (sums, word) => expect(state(sums).word).toBe(word));
  it("names its denominator and its range", () => {
    expect(state({ dispatches: 5, gates: 4, gatesWithoutOpinion: 1, gateDenied: 2 }).sentence).toBe(
      "4 gate calls answered in the last hour: 2 denied, 25 % without an opinion, no hook failed.",
    );
  });
});

const point = (at: number, more: Partial<OverviewPoint>): OverviewPoint => ({
  at: new Date(at),
  dispatches: 0,
  gates: 0,
  gatesWithoutOpinion: 0,
  gateDenied: 0,
  denied: 0,
  hooksFailed: 0,
  compactions: 0,
  costNano: 0n,
  ...more,
});

describe("dispatches by outcome", () => {
  it.each([
    { dispatches: 10, gates: 6, gatesWithoutOpinion: 2, gateDenied: 3 },
    { dispatches: 10, gates: 2, gatesWithoutOpinion: 0, gateDenied: 5 },
    { dispatches: 1 },
  ])("counts each dispatch once in %j", (counts) => {
    const values = Object.values(outcomesOf(point(0, counts)));
    expect(values.every((value) => value >= 0)).toBe(true);
    expect(values.reduce((sum, value) => sum + value, 0)).toBe(counts.dispatches);
  });
  it("leaves what has not happened yet as a gap, and what did not happen as zero", () => {
    const series = {
      from: new Date(0),
      to: new Date(240_000),
      bucketMs: 60_000,
      points: [point(60_000, { dispatches: 2 })],
    };
    const model = dispatchModel(series, "all", 130_000);
    expect(model.buckets.map((bucket) => bucket.values.at(-1))).toEqual([0, 2, 0, null]);
    expect(dispatchModel(series, "gates", 130_000).series.map((each) => each.name)).toEqual([
      "denied",
      "answered",
      "open",
    ]);
    expect(sparkOf(series, (each) => each.dispatches, 130_000)).toEqual([0, 2, 0]);
  });
  it.each([
    [60_000, "minute"],
    [300_000, "5 minutes"],
    [3_600_000, "hour"],
    [21_600_000, "6 hours"],
    [86_400_000, "day"],
  ])("says that a bar of %d ms is one %s", (ms, words) => expect(barWords(ms)).toBe(words));
});
