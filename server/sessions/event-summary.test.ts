import { describe, expect, it } from "vitest";
import { turnEndWords, wordsOf } from "./event-summary.ts";

const said = (input: object) => wordsOf(JSON.stringify({ session_id: "s", agent_name: "root", ...input }));

describe("the line of an event", () => {
  it.each([
    [
      { from_agent: "root", to_agent: "writer", agent_switch_kind: "handoff" },
      "root → writer: the conversation is handed off",
    ],
    [{ from_agent: "root", to_agent: "writer", agent_switch_kind: "route" }, "root → writer: routed by a hook"],
    [{ from_agent: "root", to_agent: "writer", agent_switch_kind: "a_new_kind" }, "root → writer: a_new_kind"],
    [{ from_agent: "root", to_agent: "writer", agent_switch_kind: "constructor" }, "root → writer: constructor"],
    [{ from_agent: "root", to_agent: "writer" }, "root → writer"],
    [{ previous_max_iterations: 20, new_max_iterations: 30 }, "iteration limit 20 → 30"],
    [{ new_max_iterations: 30 }, "iteration limit unknown → 30"],
    [{ worktree_path: "/w/a", worktree_branch: "a", worktree_source_dir: "/w" }, "branch a in /w/a, made from /w"],
    [{ worktree_path: "/w/a" }, "in /w/a"],
    [{ notification_level: "warning", notification_message: "slow\nmodel" }, "slow model"],
    [{ prompt: 'say "no"' }, 'say "no"'],
    [{ steering_messages: ["stop", "now"] }, "stop"],
    [{ tool_name: "shell" }, ""],
  ])("says %j as %s", (input, words) => expect(said(input)).toBe(words));

  it("is read from an input that is cut anywhere", () => {
    const whole = JSON.stringify({ from_agent: "root", to_agent: "writer", agent_switch_kind: "handoff" });
    for (let end = 0; end < whole.length; end += 1) expect(typeof wordsOf(whole.slice(0, end))).toBe("string");
    expect(wordsOf(whole.slice(0, whole.indexOf("handoff") + 4))).toBe("root → writer: hand");
  });
});

describe("the end of a turn", () => {
  it.each([
    ["normal", null, "finished"],
    ["budget_exceeded", null, "stopped at its budget"],
    ["hook_blocked", null, "stopped by a hook"],
    ["hook_blocked", "Before a model call", "stopped by a hook: Before a model call"],
    ["canceled", "Before a model call", "canceled"],
    ["a_new_reason", null, "a_new_reason"],
    ["", null, ""],
  ])("of %s, blocked on %s, is said as %s", (reason, blockedOn, words) =>
    expect(turnEndWords(reason, blockedOn)).toBe(words),
  );
});
