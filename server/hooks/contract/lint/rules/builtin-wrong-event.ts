import { builtinFacts } from "../../builtins.ts";
import { createSetRepair, type Rule } from "../rule.ts";

export const builtinWrongEvent: Rule = {
  id: "builtin-wrong-event",
  severity: "warning",
  title: "A builtin is on an unsuitable event",
  why: "The builtin has no effect there, or its answer is dropped. Outside the preempt lane, safer_shell is skipped when questions are off.",
  fix: "Move the builtin to a suitable event.",
  firing: {
    policy: `hooks:
  session_start:
    - {type: builtin, command: max_iterations, args: ["50"]}
`,
  },
  silent: {
    policy: `hooks:
  before_llm_call:
    - {type: builtin, command: max_iterations, args: ["50"], on_error: block}
`,
  },
  *check({ hooks }) {
    for (const { hook, entry, at } of hooks) {
      if (hook.type !== "builtin") continue;
      const facts = builtinFacts(hook.command);
      if (!facts) continue;
      const place = [...at, "command"];
      const { event, lane } = entry;
      if (!facts.madeFor.includes(event)) {
        yield { at: place, message: `${hook.command} is made for ${facts.madeFor.join(", ")}, not for ${event}` };
      } else if (hook.command === "safer_shell" && lane === "default") {
        const repair = createSetRepair([...entry.at, "preempt_yolo"], true, "Add preempt_yolo: true");
        yield { at: place, message: "safer_shell belongs on the preempt lane; here yolo mode skips it", repair };
      } else if (hook.command === "redact_secrets" && lane === "preempt_yolo") {
        yield { at: place, message: "redact_secrets rewrites arguments, and the preempt lane takes no rewrite" };
      }
    }
  },
};
