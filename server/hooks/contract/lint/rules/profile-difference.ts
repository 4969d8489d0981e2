import { listProfileDifferences } from "../profile-differences.ts";
import type { Rule } from "../rule.ts";

export const profileDifference: Rule = {
  id: "profile-difference",
  severity: "advice",
  title: "The profiles treat this differently",
  why: "Between July and November 2026, docker-agent changed the meaning of some hooks. A policy that relies on them behaves differently after an update of the agents or of its profile.",
  fix: "Write it so that it means the same in all profiles. The message explains the difference.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: grep -q mkfs && exit 1
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            if grep -q mkfs; then echo "No new file systems." >&2; exit 2; fi
`,
  },
  *check(policy) {
    yield* listProfileDifferences(policy);
  },
};
