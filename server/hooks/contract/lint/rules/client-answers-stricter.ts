import { listStricterAnswers } from "../client-findings.ts";
import { CODEX, QWEN } from "../example-clients.ts";
import type { Rule } from "../rule.ts";

export const clientAnswersStricter: Rule = {
  id: "client-answers-stricter",
  severity: "advice",
  title: "An assigned client treats the answer as a denial",
  why: "A client that cannot ask or change a call must not run it unchanged. The call is denied, or the run is ended, without a question.",
  fix: "Keep it if a denial is acceptable. Otherwise assign agents of this client to a separate policy.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: Bash
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"permission_decision":"ask"}}'
`,
    clients: [CODEX],
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: run_shell_command
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"permission_decision":"ask"}}'
`,
    clients: [QWEN],
  },
  *check(policy) {
    yield* listStricterAnswers(policy);
  },
};
