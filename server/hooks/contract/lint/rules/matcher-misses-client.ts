import { listMissedNames } from "../client-findings.ts";
import { CODEX } from "../example-clients.ts";
import type { Rule } from "../rule.ts";

export const matcherMissesClient: Rule = {
  id: "matcher-misses-client",
  severity: "warning",
  title: "The matcher names one client's tool, and another bound client calls it otherwise",
  why: "Each client has its own names for tools that do the same: docker-agent calls its shell shell, Claude Code Bash. A matcher selects names, so the calls of a client that is not named pass.",
  fix: "Select the tool kind: in the form choose, for example, Shell commands (any client), or write the names of every client with |.",
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
