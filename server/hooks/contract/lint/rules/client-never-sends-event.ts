import { listEventsNotSent } from "../client-findings.ts";
import { CODEX } from "../example-clients.ts";
import type { Rule } from "../rule.ts";

export const clientNeverSendsEvent: Rule = {
  id: "client-never-sends-event",
  severity: "advice",
  title: "An assigned client never sends the event",
  why: "Clients have fewer events than the policy language. Hooks on an event that a client never sends have no effect.",
  fix: "Use an event that the client sends (see the table in docs/dialects.md), or rely on other clients.",
  firing: {
    policy: `hooks:
  before_llm_call:
    - {type: builtin, command: max_iterations, args: ["50"], on_error: block}
`,
    clients: [CODEX],
  },
  silent: {
    policy: `hooks:
  user_prompt_submit:
    - {type: command, command: ./gate.sh, run_on: agent, on_error: block}
`,
    clients: [CODEX],
  },
  *check(policy) {
    yield* listEventsNotSent(policy);
  },
};
