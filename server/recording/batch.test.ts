import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sumRecords, toProjectedRecord } from "./batch.ts";
import { addCounts, type Counts, ROLLUP_COUNTS, rollupCountsOf } from "./rollup-counts.ts";

const owners = [1, 2].map((n) => ({
  workspaceId: `00000000-0000-7000-8000-00000000000${n}`,
  agentId: `00000000-0000-7000-8000-00000000001${n}`,
}));
const START = Date.parse("2026-03-31T21:30:00.000Z");

const record = fc
  .record({
    owner: fc.constantFrom(...owners),
    event: fc.constantFrom(
      "after_llm_call",
      "pre_tool_use",
      "on_tool_approval_decision",
      "after_compaction",
      "session_end",
      "subagent_stop",
    ),
    session_id: fc.constantFrom("", "a", "b"),
    parent_session_id: fc.constantFrom("a", "b"),
    model_id: fc.constantFrom("", "m", "n"),
    agent_name: fc.constantFrom("root", "child"),
    cost: fc.option(fc.constantFrom("0", "0.000000001", "1.25", "999999"), { nil: null }),
    tokens: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: null }),
    verdict: fc.constantFrom("none", "allow", "deny"),
    seconds: fc.integer({ min: 0, max: 4 * 3_600 }),
  })
  .map(({ owner, event, cost, tokens, verdict, seconds, ...names }) => {
    const usage = tokens === null ? "" : `,"usage":{"input_tokens":${tokens},"output_tokens":1}`;
    const members = JSON.stringify({ ...names, tool_name: "t", approval_decision: verdict, reason: String(seconds) });
    const text = `${members.slice(0, -1)}${cost === null ? "" : `,"cost":${cost}`}${usage}}`;
    const isVerdict = event === "pre_tool_use";
    return recordOf(owner, event, text, {
      occurredAt: new Date(START + seconds * 1_000),
      origin: isVerdict ? "dispatch" : "report",
      ...(isVerdict ? { verdict: verdict as "none" | "allow" | "deny" } : {}), // one of the three by its generator
    });
  });
const entries = fc
  .array(record, { maxLength: 60 })
  .map((records) => records.map((each) => toProjectedRecord(each, each.event === "pre_tool_use")));

const total = (counts: readonly Counts[]) => counts.reduce<Counts>(addCounts, {});

describe("the sums of a batch", () => {
  test.each([
    ["notification", "notifications"],
    ["on_error", "errors"],
    ["on_max_iterations", "iteration_limits"],
    ["permission_request", "prompted"],
    ["after_compaction", "compactions"],
  ] as const)("count one %s as one of %s, and as nothing else", (event, name) => {
    const one = recordOf({ workspaceId: uuidv7(), agentId: uuidv7() }, event, "{}", { origin: "report" });
    const { gates, gates_without_opinion, gates_without_rule, ...counts } = rollupCountsOf(
      toProjectedRecord(one, false),
    );
    expect(counts).toEqual({ dispatches: 1n, [name]: 1n });
  });

  test("over minutes, over hours and record by record are the same", () => {
    fc.assert(
      fc.property(entries, (batch) => {
        const { minutes, hours } = sumRecords(batch);
        const each = total(batch.map((entry) => rollupCountsOf(entry)));
        expect(total(minutes.map(({ counts }) => counts))).toEqual(each);
        expect(total(hours.map(({ counts }) => counts))).toEqual(each);
      }),
    );
  });

  test("of sessions are those of the records that name one", () => {
    fc.assert(
      fc.property(entries, (batch) => {
        const named = batch.filter((entry) => entry.projection.sessionId !== "");
        const each = total(named.map((entry) => rollupCountsOf(entry)));
        const { sessions } = sumRecords(batch);
        expect(total(sessions.map(({ counts }) => counts))).toEqual(each);
        for (const { firstAt, lastAt, endAt } of sessions)
          expect(firstAt <= lastAt && (endAt === null || endAt <= lastAt)).toBe(true);
      }),
    );
  });

  test("do not depend on how the records are dealt into batches", () => {
    fc.assert(
      fc.property(entries, fc.nat(), (batch, at) => {
        const cut = batch.length === 0 ? 0 : at % batch.length;
        const parts = [sumRecords(batch.slice(0, cut)), sumRecords(batch.slice(cut))];
        const whole = sumRecords(batch);
        const byKey = (sums: typeof whole.hours) =>
          new Map(sums.map(({ counts, ...key }) => [JSON.stringify(key), counts]));
        const joined = new Map<string, Counts>();
        for (const part of parts)
          for (const [key, counts] of byKey(part.hours)) joined.set(key, addCounts({ ...joined.get(key) }, counts));
        expect(joined).toEqual(byKey(whole.hours));
      }),
    );
  });

  test("are in one order, so that batches of two nodes lock rows alike", () => {
    fc.assert(
      fc.property(entries, (batch) => {
        const there = sumRecords(batch).hours.map(({ counts: _, ...key }) => JSON.stringify(Object.values(key)));
        const back = sumRecords(batch.toReversed()).hours.map(({ counts: _, ...key }) =>
          JSON.stringify(Object.values(key)),
        );
        expect(back).toEqual(there);
      }),
    );
  });

  test("count a call once: priced, free or unpriced", () => {
    fc.assert(
      fc.property(record, (one) => {
        const counts = rollupCountsOf(toProjectedRecord(one, false));
        const calls = (counts.calls_priced ?? 0n) + (counts.calls_free ?? 0n) + (counts.calls_unpriced ?? 0n);
        expect(calls).toBe(one.event === "after_llm_call" ? 1n : 0n);
        for (const name of ROLLUP_COUNTS) expect(counts[name] ?? 0n).toBeGreaterThanOrEqual(0n);
      }),
    );
  });
});
