import { listGaps } from "../client-findings.ts";
import { CODEX, QWEN } from "../example-clients.ts";
import type { Rule } from "../rule.ts";

export const clientIgnoresAnswer: Rule = {
  id: "client-ignores-answer",
  severity: "warning",
  title: "An assigned client ignores the answer",
  why: "The client supports neither this answer nor a stricter one. The hook runs and is recorded, and the client continues.",
  fix: "Decide on pre_tool_use, which every client follows, or assign the policy only to agents of other clients.",
  firing: {
    policy: `hooks:
  post_tool_use:
    - matcher: Bash
      hooks:
        - type: command
          command: |
            echo "Too many failures." >&2
            exit 2
`,
    clients: [CODEX, QWEN],
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: Bash|run_shell_command
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            echo "Not here." >&2
            exit 2
`,
    clients: [CODEX, QWEN],
  },
  *check(policy) {
    yield* listGaps(policy);
  },
};
