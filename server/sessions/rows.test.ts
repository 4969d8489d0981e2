import { expect, it } from "vitest";
import type { EventRow } from "./repository.ts";
import { rowsOf } from "./rows.ts";

let at = 0;
function row(event: string, more: Partial<EventRow> = {}): EventRow {
  at += 1;
  const nothing = {
    tool_name: null,
    tool_use_id: null,
    tool_error: null,
    detail: null,
    said: null,
    answer: null,
    hooks: null,
  };
  return {
    ...{ occurred_at: new Date(at), id: `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`, session_id: "s" },
    ...{
      event,
      agent_name: "root",
      origin: "report",
      verdict: "none",
      duration_us: 0,
      has_hooks: false,
      ...nothing,
      ...more,
    },
  };
}

it("a turn that a hook stopped names the event of the block, in its own session and turn", () => {
  const blocked = { verdict: "deny" };
  const end = (session_id: string) => row("turn_end", { session_id, detail: "hook_blocked" });
  const events = [
    row("before_llm_call", { session_id: "a", ...blocked }),
    row("pre_tool_use", { session_id: "b", ...blocked, tool_name: "shell" }),
    end("a"),
    end("b"),
    row("turn_start", { session_id: "a" }),
    end("a"),
  ];
  const before = { nano: 0n, unpriced: 0 };
  const rows = rowsOf({ events, calls: [], decisions: [], compactions: [], lanes: new Map(), before });
  expect(rows.filter(({ event }) => event === "turn_end").map(({ words }) => words)).toEqual([
    "stopped by a hook: Before a model call",
    "stopped by a hook",
    "stopped by a hook",
  ]);
});

it("a route names the agent, the evaluator and its choice, or why the default agent works", () => {
  const routed = (metadata: object, hooks: object[] = []) =>
    row("before_agent_run", {
      said: JSON.stringify({ input: "fix the invoice" }),
      answer: JSON.stringify({
        hook_specific_output: { transition: { action: "route", agent: "writer" }, metadata },
      }),
      hooks: JSON.stringify(hooks),
    });
  const events = [
    routed({ evaluator: "topics", evaluator_choice: "billing" }),
    routed({ evaluator: "topics", fallback_reason: "tie" }),
    routed({}, [
      { name: "silent", said: "nothing" },
      { name: "by size", said: "route" },
    ]),
    row("before_agent_run", { said: JSON.stringify({ input: "fix it" }), answer: "{}", hooks: "[]" }),
    row("before_agent_run", { said: JSON.stringify({ input: "fix it" }), answer: '{"hook_spec', hooks: "[{" }),
  ];
  const before = { nano: 0n, unpriced: 0 };
  const rows = rowsOf({ events, calls: [], decisions: [], compactions: [], lanes: new Map(), before });
  expect(rows.map(({ words }) => words)).toEqual([
    "Routed to writer by evaluator topics: billing · fix the invoice",
    "Routed to writer by evaluator topics, as the default: two choices were equally likely · fix the invoice",
    "Routed to writer by hook by size · fix the invoice",
    "fix it",
    "fix it",
  ]);
});
