/** The pairing of results with calls, for clients that send no call id. */
import { expect, it } from "vitest";
import { pairResults, type UnnamedEvent } from "./pair-results.ts";

const INSTANT = new Date(0);
const gate = (id: string, sent: string | null, more: Partial<UnnamedEvent> = {}): UnnamedEvent => ({
  ...{ id, sent, rewritten: null, occurredAt: INSTANT, toolError: null },
  ...{ agentId: "agent", sessionId: "s1", tool: "bash", event: "pre_tool_use", lane: "default", verdict: "allow" },
  ...more,
});
const result = (id: string, sent: string | null, more: Partial<UnnamedEvent> = {}): UnnamedEvent =>
  gate(id, sent, { event: "post_tool_use", verdict: "none", toolError: false, ...more });

const DENIED = { verdict: "deny" };
const OTHER_SESSION = { sessionId: "s2" };

it.each<[string, UnnamedEvent[], string[]]>([
  ["one call", [gate("a", "x"), result("r", "x")], ["a r"]],
  ["results in another order", [gate("a", "x"), gate("b", "y"), result("q", "y"), result("r", "x")], ["b q", "a r"]],
  [
    "two equal calls, one after the other",
    [gate("a", "x"), result("r", "x"), gate("b", "x"), result("q", "x")],
    ["a r", "b q"],
  ],
  [
    "two equal calls at once",
    [gate("a", "x"), gate("b", "x"), result("r", "x"), result("q", "x")],
    ["a r by order", "b q"],
  ],
  ["two equal calls and one result", [gate("a", "x"), gate("b", "x"), result("r", "x")], ["a r by order"]],
  ["a result without a call", [result("r", "x"), gate("a", "x")], []],
  ["a result of other arguments", [gate("a", "x"), result("r", "y")], []],
  ["a result of another session", [gate("a", "x"), result("r", "x", OTHER_SESSION)], []],
  ["a result of another agent", [gate("a", "x"), result("r", "x", { agentId: "other" })], []],
  ["a result of another tool", [gate("a", "x"), result("r", "x", { tool: "view" })], []],
  ["arguments that are erased", [gate("a", null), result("r", null)], []],
  ["a denial, then an allowed retry", [gate("a", "x", DENIED), gate("b", "x"), result("r", "x")], ["b r"]],
  ["a denied call that ran", [gate("a", "x", DENIED), result("r", "x")], ["a r"]],
  ["rewritten arguments", [gate("a", "x", { rewritten: "y" }), result("r", "y")], ["a r"]],
  [
    "two gates of one call",
    [gate("a", "x"), gate("b", "x", { event: "permission_request" }), result("r", "x")],
    ["a r", "b r"],
  ],
])("%s", (_, events, pairs) => {
  const found = [...pairResults(events)].map(
    ([call, { id, isByOrder }]) => `${call} ${id}${isByOrder ? " by order" : ""}`,
  );
  expect(found).toEqual(pairs);
});

it("says whether the tool failed, and when", () => {
  const at = new Date(5);
  const found = pairResults([gate("a", "x"), result("r", "x", { toolError: true, occurredAt: at })]);
  expect(found.get("a")).toEqual({ id: "r", occurredAt: at, isError: true, isByOrder: false });
});
