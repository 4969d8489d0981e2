import { listStricterAnswers } from "../client-findings.ts";
import { CODEX, QWEN } from "../example-clients.ts";
import type { Rule } from "../rule.ts";

export const clientAnswersStricter: Rule = {
  id: "client-answers-stricter",
  severity: "advice",
  title: "A client that the policy binds takes the answer as a denial",
  why: "A client that cannot be asked, or cannot change a call, must not run it as it was: the call is denied, or the run ended, and nobody is asked.",
  fix: "Keep it when a denial is right there. Otherwise bind agents of this client by a policy of their own.",
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
