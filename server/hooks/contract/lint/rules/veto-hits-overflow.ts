import { VETO_HITS_OVERFLOW } from "../blocking-rules.ts";
import { canHookStop } from "../outputs.ts";
import type { Rule } from "../rule.ts";

export const vetoHitsOverflow: Rule = {
  id: VETO_HITS_OVERFLOW,
  severity: "error",
  title: "A veto can hit a compaction that the run depends on",
  why: "After an overflow, the conversation no longer fits the model. Without the compaction, the next call fails again and the run is stuck.",
  fix: "Allow overflow: check compaction_reason (before_compaction) or source (pre_compact) first.",
  firing: {
    policy: `hooks:
  before_compaction:
    - type: command
      command: |
        echo "Not during the release." >&2
        exit 2
`,
  },
  silent: {
    policy: `hooks:
  before_compaction:
    - type: command
      command: |
        if grep -q '"compaction_reason":"overflow"'; then exit 0; fi
        echo "Not during the release." >&2
        exit 2
`,
  },
  *check({ hooks }) {
    for (const linted of hooks) {
      const { hook, entry, at, script } = linted;
      if (entry.event !== "pre_compact" && entry.event !== "before_compaction") continue;
      if (hook.on_error === "block")
        yield {
          at: [...at, "on_error"],
          message: `a failure of this hook vetoes every compaction, also after an overflow`,
        };
      else if (
        canHookStop(linted) &&
        !/overflow|compaction_reason|\bsource\b|manual|threshold/.test(script?.text ?? "")
      )
        yield {
          at: [...at, "command"],
          message: `this veto does not check the reason of the compaction and also blocks overflow`,
        };
    }
  },
};
