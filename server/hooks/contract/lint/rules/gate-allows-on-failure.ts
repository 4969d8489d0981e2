import { displayName } from "../../hook.ts";
import { NEWEST_PROFILE } from "../../profiles.ts";
import { allowingGateMessage, GATE_ALLOWS_ON_FAILURE, listAllowingGates } from "../allowing-gate.ts";
import type { Rule } from "../rule.ts";

export const gateAllowsOnFailure: Rule = {
  id: GATE_ALLOWS_ON_FAILURE,
  severity: "error",
  title: "A gate in profile 2026-07 allows when its command fails",
  why: "In profile 2026-07 (also the profile of a text without one), a command with an exit code other than 0 and 2 gives no verdict: a missing program (127), a missing permission (126), a crash under set -e (1). Incomplete output and unknown verdicts give no verdict either. on_error does not change this, and the call runs.",
  fix: `Write profile: "${NEWEST_PROFILE}" above hooks. In this profile, each of these failures denies.`,
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
  *check(policy) {
    for (const { hook, entry, at } of listAllowingGates(policy))
      yield { at, message: allowingGateMessage(displayName(hook), entry.event) };
  },
};
