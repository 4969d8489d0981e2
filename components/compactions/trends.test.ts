import { expect, it } from "vitest";
import { sorted } from "@/components/compactions/breakdown-table";
import { nextTurnsWords, rateOf, rates, troubleSentence } from "@/components/compactions/measure-text";
import { trendModels } from "@/components/compactions/trend-model";
import type { BreakdownLine, JoinedView, TrendView } from "@/server/compactions/schema";

const HOUR = 3_600_000;
const from = new Date("2026-11-20T00:00:00Z");
const at = (hours: number) => new Date(from.getTime() + hours * HOUR);
const point = { attempts: 2, applied: 2, medianRatio: 0.25, judged: 0, troubled: 0 };
const trend: TrendView = {
  ...{ from, to: at(4), bucketMs: HOUR, by: "model", keys: ["m"] },
  points: [
    { at: at(0), key: "m", ...point },
    { at: at(2), key: null, ...point, medianRatio: null, judged: 4, troubled: 1 },
  ],
};

it("no attempt is a zero, and a share of nothing is a gap", () => {
  const { attempts, kept, troubled } = trendModels(trend, at(3).getTime());
  expect(attempts.series.map(({ label }) => label)).toEqual(["m", "others"]);
  expect(attempts.buckets.map(({ values }) => values)).toEqual([
    [2, 0],
    [0, 0],
    [0, 2],
    [0, 0],
  ]);
  expect(kept.buckets.map(({ values }) => values[0])).toEqual([25, null, null, null]);
  expect(troubled.buckets.map(({ values }) => values[1])).toEqual([null, null, 25, null]);
});

const none = {
  ...{ turns: 0, calls: 0, loops: 0, denied: 0, finished: 0, failed: 0, errors: 0 },
  ...{ prompts: 0, repeats: 0, reads: 0, rereads: 0 },
};
const joined: JoinedView = {
  ...{ modelId: "m", tokensAfter: 1n, afterMissing: "", hooksRun: 0, hooksFailed: 0, costNano: null },
  ...{ costState: "not_told", secrets: 0, secretRules: [], nextTurns: "full" },
  before: { ...none, turns: 50, finished: 40, failed: 2 },
  after: { ...none, turns: 10, finished: 10, failed: 4 },
  isTroubled: true,
};

it("rates name what they are out of, and are nothing when that is nothing", () => {
  expect(rates.map((rate) => rateOf(joined.after, rate)?.text ?? null)).toEqual([
    null,
    "4 of 10",
    "0 of 10",
    null,
    null,
    null,
  ]);
});

it("trouble is told against the session's own turns before, and too few turns are said to be", () => {
  expect(troubleSentence(joined, ["failed", "loops"])).toBe(
    "More failed calls and looping calls in the next 10 turns than in the 50 turns before.",
  );
  const few = { ...joined, isTroubled: null, nextTurns: "ended", after: { ...none, turns: 2 } } as const;
  expect(nextTurnsWords(few)).toBe("2 turns, then the session ended");
  expect(troubleSentence(few, [])).toContain("Not enough data");
});

it("what is not known is sorted last, either way", () => {
  const line = (name: string, medianRatio: number | null) => ({ name, medianRatio }) as BreakdownLine; // only these are read
  const lines = [line("a", null), line("b", 0.2), line("c", 0.9)];
  for (const desc of [true, false]) expect(sorted(lines, { id: "ratio", desc }).at(-1)?.name).toBe("a");
});
