import { displayName } from "../../hook.ts";
import { NEWEST_PROFILE, PROFILE_RULES } from "../../profiles.ts";
import { truncateToLine } from "../../truncate-text.ts";
import { allowingGateMessage, GATE_ALLOWS_ON_FAILURE } from "../allowing-gate.ts";
import { canHookStop } from "../outputs.ts";
import type { Rule } from "../rule.ts";

export const gateAllowsOnFailure: Rule = {
  id: GATE_ALLOWS_ON_FAILURE,
  severity: "error",
  title: "A gate in profile 2026-07 allows when its command fails",
  why: "In profile 2026-07, which is also that of a text without a profile, a command that ends with an exit code other than 0 and 2 says nothing: a missing program (127), a missing right (126), a crash under set -e (1). Output that is not one whole object and a verdict of an unknown word say nothing either. on_error does not change that, and the call runs.",
  fix: `Write profile: "${NEWEST_PROFILE}" above hooks. There each of these failures denies.`,
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            if jq -r .tool_input.cmd | grep -q mkfs; then echo "No new file systems." >&2; exit 2; fi
`,
  },
  silent: {
    policy: `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            if jq -r .tool_input.cmd | grep -q mkfs; then echo "No new file systems." >&2; exit 2; fi
`,
  },
  *check({ hooks, profile }) {
    if (PROFILE_RULES[profile].otherExitCode === "failure") return;
    for (const linted of hooks) {
      const { hook, entry, at } = linted;
      if (hook.type !== "command" || !entry.contract.canBlock) continue;
      if (!entry.contract.failsClosed && !canHookStop(linted)) continue;
      const name = truncateToLine(displayName(hook), 60);
      yield { at, message: allowingGateMessage(name, entry.event) };
    }
  },
};
