import { EVENTS, type EventName } from "@quarterdeck/hooks/contract/events";
import { sampleInput } from "@quarterdeck/hooks/contract/input-fields";
import { describe, expect, it } from "vitest";
import { turnEndWords, wordsOf } from "./event-summary.ts";

const said = (event: EventName, input: object) =>
  wordsOf(event, JSON.stringify({ session_id: "s", agent_name: "root", ...input }));
const handoff = { from_agent: "root", to_agent: "writer", agent_switch_kind: "handoff" };

describe("the line of an event", () => {
  it.each<[EventName, object, string]>([
    ["on_agent_switch", handoff, "root → writer: the conversation is handed off"],
    ["on_agent_switch", { ...handoff, agent_switch_kind: "route" }, "root → writer: routed by a hook"],
    ["on_agent_switch", { ...handoff, agent_switch_kind: "a_new_kind" }, "root → writer: a_new_kind"],
    ["on_agent_switch", { ...handoff, agent_switch_kind: "constructor" }, "root → writer: constructor"],
    ["on_agent_switch", { from_agent: "root", to_agent: "writer" }, "root → writer"],
    ["on_session_resume", { previous_max_iterations: 20, new_max_iterations: 30 }, "iteration limit 20 → 30"],
    ["on_session_resume", { new_max_iterations: 30 }, "iteration limit unknown → 30"],
    [
      "worktree_create",
      { worktree_path: "/w/a", worktree_branch: "a", worktree_source_dir: "/w" },
      "branch a in /w/a, made from /w",
    ],
    ["worktree_create", { worktree_path: "/w/a" }, "in /w/a"],
    ["notification", { notification_level: "warning", notification_message: "slow\nmodel" }, "warning: slow model"],
    ["on_error", { notification_level: "error", notification_message: "no answer" }, "no answer"],
    ["user_prompt_submit", { prompt: 'say "no"' }, 'say "no"'],
    ["user_steering_messages_submit", { steering_messages: ["stop", "now"] }, "stop"],
    ["prompt_file_guard", { prompt_file: { path: "/w/A.md" }, source: "stored" }, "/w/A.md, stored in the session"],
    [
      "prompt_file_guard",
      { prompt_file: { content: "x" }, source: "update" },
      "a text without a path, a change since it was loaded",
    ],
    [
      "skill_content_guard",
      { skill: { name: "notes", source: "local", path: "/s/notes", content: '"name": "other"' } },
      "notes, local skill, /s/notes",
    ],
    ["before_agent_run", { conversation: [{ role: "user", content: "earlier" }], input: "write it" }, "write it"],
    ["after_agent_complete", { input: "write it", output: "written" }, "written"],
    ["pre_tool_use", { tool_name: "shell", tool_input: { cmd: "ls", cwd: "/" }, path: "/other" }, "ls"],
    [
      "pre_tool_use",
      { tool_input: { title: "a", nested: { x: "}" } }, path: "/p" },
      '{"title":"a","nested":{"x":"}"}}',
    ],
    ["pre_tool_use", { tool_input: {}, path: "/other" }, ""],
    ["pre_tool_use", { tool_name: "shell" }, ""],
    [
      "on_tool_approval_decision",
      { tool_input: { cmd: "ls" }, approval_source: "user_approved" },
      "ls · approved once by a person",
    ],
    ["turn_end", { reason: "normal" }, ""],
  ])("of %s with %j is %s", (event, input, words) => expect(said(event, input)).toBe(words));

  it("of an unknown event is empty", () => {
    expect(wordsOf("constructor", "{}")).toBe("");
    expect(wordsOf("a_new_event", '{"prompt":"x"}')).toBe("");
  });

  it.each(Object.keys(EVENTS) as EventName[])("of %s is read from an input that is cut anywhere", (event) => {
    const whole = JSON.stringify(sampleInput(event));
    for (let end = 0; end < whole.length; end += 1) expect(typeof wordsOf(event, whole.slice(0, end))).toBe("string");
  });

  it("keeps the part of a word that is there", () => {
    const whole = JSON.stringify(handoff);
    expect(wordsOf("on_agent_switch", whole.slice(0, whole.lastIndexOf("handoff") + 4))).toBe("root → writer: hand");
  });
});

describe("the end of a turn", () => {
  it.each([
    ["normal", null, "finished"],
    ["continue", null, "continues with the next turn"],
    ["steered", null, "continues with a person's message"],
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
