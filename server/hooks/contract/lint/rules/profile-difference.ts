import { listProfileDifferences } from "../profile-differences.ts";
import type { Rule } from "../rule.ts";

export const profileDifference: Rule = {
  id: "profile-difference",
  severity: "advice",
  title: "The profiles treat this differently",
  why: "Between July and November 2026 docker-agent changed what some hooks mean. A policy that relies on one of these does something else when the agents, or its profile, move on.",
  fix: "Write it so that all profiles mean the same; the message says how they differ.",
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
