import { canHookStop } from "../outputs.ts";
import { createSetRepair, type Rule } from "../rule.ts";

const NOT_HERE = new Set(["pre_compact", "before_compaction", "permission_request"]);

export const gateFailsOpen: Rule = {
  id: "gate-fails-open",
  severity: "advice",
  title: "A failed gate allows the call",
  why: "Outside pre_tool_use and tool_guard, a hook that times out or cannot start only causes a warning, and the action continues.",
  fix: "Add on_error: block.",
  firing: {
    policy: `hooks:
  user_prompt_submit:
    - type: command
      command: |
        if grep -qi 'ignore previous'; then echo "Not like this." >&2; exit 2; fi
`,
  },
  silent: {
    policy: `hooks:
  user_prompt_submit:
    - type: command
      on_error: block
      command: |
        if grep -qi 'ignore previous'; then echo "Not like this." >&2; exit 2; fi
`,
  },
  *check({ hooks }) {
    for (const linted of hooks) {
      const { hook, entry, at } = linted;
      const { canBlock, failsClosed } = entry.contract;
      // An accidental failure should not veto a compaction, and a failure on permission_request asks the user.
      if (!canBlock || failsClosed || NOT_HERE.has(entry.event) || hook.on_error !== undefined) continue;
      // A failed rules hook refuses on every event.
      if (hook.type === "rules") continue;
      const isGate = hook.type === "builtin" ? hook.command === "max_iterations" : canHookStop(linted);
      if (!isGate) continue;
      const repair = createSetRepair([...at, "on_error"], "block", "Add on_error: block");
      yield { at, message: `when this hook fails, ${entry.event} continues as if it had agreed`, repair };
    }
  },
};
