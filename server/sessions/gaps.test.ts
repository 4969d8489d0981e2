import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Gaps, gapsOf, type SessionEventRow } from "./gaps.ts";

interface Planned {
  readonly event: string;
  readonly toolUseId: string | null;
  readonly detail: string | null;
}

/** A whole session: runs of turns, each with a model call and some tool calls, a millisecond or none between events. */
function session(runs: readonly (readonly number[])[], stepMs = 1): SessionEventRow[] {
  let tool = 0;
  const planned = runs.flatMap((turns) =>
    turns.flatMap((tools, at): Planned[] => [
      { event: "turn_start", toolUseId: null, detail: null },
      { event: "before_llm_call", toolUseId: null, detail: String(at + 1) },
      { event: "after_llm_call", toolUseId: null, detail: null },
      ...Array.from({ length: tools }, () => {
        tool += 1;
        const toolUseId = `call_${tool}`;
        return ["pre_tool_use", "on_tool_approval_decision", "tool_response_transform", "post_tool_use"].map(
          (event) => ({ event, toolUseId, detail: null }),
        );
      }).flat(),
      { event: "turn_end", toolUseId: null, detail: at === turns.length - 1 ? "normal" : "continue" },
    ]),
  );
  return planned.map((one, at) => ({ ...one, atMs: 1_000 + at * stepMs }));
}

const NONE: Partial<Gaps> = {
  turnsWithoutEnd: 0,
  turnsWithoutStart: 0,
  callsWithoutAnswer: 0,
  toolsWithoutDecision: 0,
  toolsWithoutResult: 0,
  iterationsSkipped: 0,
  underWay: 0,
};
const runs = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
});
const without = (rows: readonly SessionEventRow[], gone: (row: SessionEventRow, at: number) => boolean) =>
  rows.filter((row, at) => !gone(row, at));

describe("gaps", () => {
  test("a session of which everything was heard has none", () => {
    fc.assert(
      fc.property(runs, (plan) => {
        expect(gapsOf(session(plan), false)).toMatchObject(NONE);
      }),
    );
  });

  test("the order in which events came does not matter, not even within one millisecond", () => {
    const shuffled = fc.tuple(runs, fc.nat(), fc.integer({ min: 0, max: 1 })).chain(([plan, salt, step]) => {
      const rows = session(plan, step).filter((_, at) => (at * 7 + salt) % 5 !== 0);
      return fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
        fc.boolean(),
      );
    });
    fc.assert(
      fc.property(shuffled, ([rows, other, isActive]) => {
        expect(gapsOf(other, isActive)).toEqual(gapsOf(rows, isActive));
      }),
    );
  });

  test("events that are lost one here and one there are found, each as what it is", () => {
    const losses = fc.tuple(runs, fc.array(fc.nat({ max: 5_000 }), { maxLength: 6 }));
    fc.assert(
      fc.property(losses, ([plan, picks]) => {
        const rows = session(plan);
        // Apart from each other, so that what is left on both sides tells what is missing; nothing of the last turn.
        const lastTurn = rows.findLastIndex(({ event }) => event === "turn_start");
        const turnOf = (at: number) => rows.slice(0, at + 1).filter(({ event }) => event === "turn_start").length;
        const lost = new Map<number, number>();
        for (const pick of picks) {
          const at = pick % rows.length;
          const isAlone = ![...lost.values()].some((turn) => Math.abs(turn - turnOf(at)) < 2);
          if (at < lastTurn && isAlone) lost.set(at, turnOf(at));
        }
        const count = (event: string) => [...lost.keys()].filter((at) => rows[at]?.event === event).length;
        const found = gapsOf(
          without(rows, (_, at) => lost.has(at)),
          false,
        );
        expect(found).toMatchObject({
          turnsWithoutEnd: count("turn_end"),
          turnsWithoutStart: count("turn_start"),
          callsWithoutAnswer: count("after_llm_call"),
          toolsWithoutDecision: count("on_tool_approval_decision"),
          // One of response and completion is enough to know that there was a result.
          toolsWithoutResult: 0,
        });
      }),
      { numRuns: 300 },
    );
  });

  test("a start and an end lost from different turns do not cancel out", () => {
    const rows = session([[0, 0, 0, 0]]);
    const [ends, starts] = ["turn_end", "turn_start"].map((event) =>
      rows.flatMap((row, at) => (row.event === event ? [at] : [])),
    );
    const found = gapsOf(
      without(rows, (_, at) => at === ends?.[0] || at === starts?.[3]),
      false,
    );
    expect(found).toMatchObject({ turnsWithoutEnd: 1, turnsWithoutStart: 1 });
  });

  test("iterations that were skipped whole show in the numbers of those around them, run by run", () => {
    const rows = session([
      [0, 0, 0, 0, 0],
      [0, 0],
    ]);
    const turn = (at: number) => rows.slice(at * 4, at * 4 + 4);
    const gone = new Set([...turn(1), ...turn(2), ...turn(5)]);
    const found = gapsOf(
      rows.filter((row) => !gone.has(row)),
      false,
    );
    expect(found).toMatchObject({ ...NONE, iterationsSkipped: 3 });
  });

  test("a tool call is under way until the session falls silent, then it has no result", () => {
    const rows = session([[1]]).filter(({ event }) => !/response|post|turn_end/.test(event));
    expect(gapsOf(rows, true)).toMatchObject({ ...NONE, underWay: 2 });
    expect(gapsOf(rows, false)).toMatchObject({ ...NONE, toolsWithoutResult: 1, turnsWithoutEnd: 1 });
  });

  test("a model call that a failed or canceled turn explains is no gap; one that went on is", () => {
    const answeredWith = (reason: string): SessionEventRow[] =>
      [
        { event: "turn_start", detail: null },
        { event: "before_llm_call", detail: "1" },
        { event: "turn_end", detail: reason },
      ].map((row, at) => ({ ...row, toolUseId: null, atMs: at }));
    expect(
      ["error", "canceled", "continue"].map((reason) => gapsOf(answeredWith(reason), false).callsWithoutAnswer),
    ).toEqual([0, 0, 1]);
  });

  test("a refusal alone tells of no call: an unknown tool is refused without a decision", () => {
    const row = { event: "tool_response_transform", toolUseId: "x", detail: null, atMs: 1 };
    expect(gapsOf([row], false)).toMatchObject({ ...NONE, toolCalls: 0 });
  });

  test("an iteration that no agent reaches is not believed", () => {
    const row = { event: "before_llm_call", toolUseId: null, detail: "999999", atMs: 1 };
    expect(gapsOf([row], true)).toMatchObject({ iterationsSkipped: 0, calls: 1 });
  });
});
