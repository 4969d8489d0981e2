import { expect, it } from "vitest";
import { gapSentences, seenShare } from "@/components/coverage/gap-text";

const NONE = {
  turns: 3120,
  turnsWithoutEnd: 0,
  turnsWithoutStart: 0,
  calls: 3000,
  callsWithoutAnswer: 0,
  toolCalls: 900,
  toolsWithoutDecision: 0,
  toolsWithoutResult: 0,
  iterationsSkipped: 0,
  underWay: 0,
  implied: 4000,
  missing: 0,
  checkedAt: null,
};

it("every gap is told with what it is a part of; what is not told at all is no gap", () => {
  const gaps = {
    ...NONE,
    turnsWithoutEnd: 41,
    toolsWithoutDecision: 1,
    toolsWithoutResult: null,
    iterationsSkipped: 1,
  };
  expect(gapSentences(gaps)).toEqual([
    "41 of 3,120 turns have no end",
    "1 of 900 tool calls has no decision",
    "1 iteration skipped",
  ]);
});

it("a share is never rounded up to all of it", () => {
  expect([
    seenShare(NONE),
    seenShare({ ...NONE, missing: 1 }),
    seenShare({ ...NONE, missing: 53 }),
    seenShare({ ...NONE, missing: 4000 }),
    seenShare({ ...NONE, implied: 0 }),
  ]).toEqual(["100 %", "99.9 %", "98.6 %", "0.0 %", null]);
});
