import { listMissedNames } from "../client-findings.ts";
import { CODEX } from "../example-clients.ts";
import type { Rule } from "../rule.ts";

export const matcherMissesClient: Rule = {
  id: "matcher-misses-client",
  severity: "warning",
  title: "The matcher misses the tool name of another assigned client",
  why: "Clients use different names for the same tool: docker-agent names its shell tool shell, Claude Code Bash. A matcher selects names, so calls of other clients are not checked.",
  fix: "Select a tool kind in the form, such as Shell commands (any client), or list the names of all clients with |.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
    clients: [CODEX],
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell|Bash
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
    clients: [CODEX],
  },
  *check(policy) {
    yield* listMissedNames(policy);
  },
};
