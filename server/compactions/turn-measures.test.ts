/** The turns around a compaction and their counts, for clients that report model calls and for those that do not. */
import { describe, expect, it } from "vitest";
import { findIncreasedTroubles, hasMoreTroubles, measureTurns } from "./turn-measures.ts";
import { type SessionEvent, splitIntoTurns } from "./turns.ts";

let at = 0;
function said(event: string, more: Partial<SessionEvent> = {}): SessionEvent {
  at += 1;
  const none = { tool: null, toolUseId: null, toolError: null, verdict: "none" };
  return { id: `e${at}`, occurredAt: new Date(at * 1_000), event, ...none, ...more };
}
/** The events of a tool call; a denied one has no result. */
function called(id: string, { isDenied = false } = {}): SessionEvent[] {
  const call = { tool: "Bash", toolUseId: id };
  if (isDenied) return [said("pre_tool_use", { ...call, verdict: "deny" })];
  return [said("pre_tool_use", call), said("post_tool_use", call)];
}
const compare = (before: readonly SessionEvent[], after: readonly SessionEvent[]) =>
  measureTurns(splitIntoTurns(before, after), new Map());

describe("a client that reports no model calls", () => {
  const before = [said("user_prompt_submit"), ...called("a"), ...called("b"), ...called("c"), ...called("d")];

  it("has a turn for each tool call", () => {
    const measured = compare(before, [...called("e"), ...called("f", { isDenied: true }), ...called("g")]);
    expect(measured.before).toMatchObject({ turns: 4, calls: 4, denied: 0, finished: 4 });
    expect(measured.after).toMatchObject({ turns: 3, calls: 3, denied: 1, finished: 2 });
  });

  it("counts a call that began before the compaction once, as a turn before it", () => {
    const [asked, answered] = called("across");
    const turns = splitIntoTurns([...called("a"), asked as SessionEvent], [answered as SessionEvent, ...called("b")]);
    expect(turns).toMatchObject({ baselineTurns: 2, nextTurns: 1 });
  });
});

it("the turns of a client that reports them are its own, however many calls they hold", () => {
  const turn = (...ids: string[]) => [said("turn_start"), ...ids.flatMap((id) => called(id)), said("turn_end")];
  const modelCalls = [...called("a"), said("after_llm_call"), ...called("b"), said("after_llm_call")];
  expect(splitIntoTurns(turn("a", "b"), turn("c"))).toMatchObject({ baselineTurns: 1, nextTurns: 1 });
  expect(splitIntoTurns(modelCalls, modelCalls)).toMatchObject({ baselineTurns: 2, nextTurns: 2 });
});

it("a denied call after a compaction is trouble where fewer calls were denied before", () => {
  const calm = ["a", "b", "c", "d"].flatMap((id) => called(id));
  const refused = [...called("e"), ...called("f", { isDenied: true }), ...called("g")];
  const worse = compare(calm, refused);
  expect(findIncreasedTroubles(worse.before, worse.after)).toEqual(["denied"]);
  expect(hasMoreTroubles(worse.before, worse.after)).toBe(true);
  const same = compare(refused, calm);
  expect(hasMoreTroubles(same.before, same.after)).toBe(false);
});
