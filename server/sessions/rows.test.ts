import { expect, it } from "vitest";
import type { EventRow } from "./repository.ts";
import { rowsOf } from "./rows.ts";

let at = 0;
function row(event: string, more: Partial<EventRow> = {}): EventRow {
  at += 1;
  const nothing = { tool_name: null, tool_use_id: null, tool_error: null, detail: null, said: null };
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
