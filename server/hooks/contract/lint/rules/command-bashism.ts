import type { Rule } from "../rule.ts";
import { bashismsOf } from "../shell/bashisms.ts";

export const commandBashism: Rule = {
  id: "command-bashism",
  severity: "warning",
  title: "The command is written for bash",
  why: "A server runs hooks with /bin/sh, an agent with its SHELL. A construct that the shell does not know is an error: a gate denies all calls, other hooks fail.",
  fix: "Write it for /bin/sh, or use bash -c '…' if bash is installed.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            cmd=$(jq -r .tool_input.cmd)
            if [[ "$cmd" == *mkfs* ]]; then
              echo "No new file systems." >&2
              exit 2
            fi
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
            cmd=$(jq -r .tool_input.cmd)
            case "$cmd" in
              *mkfs*) echo "No new file systems." >&2; exit 2 ;;
            esac
`,
  },
  *check({ hooks }) {
    for (const { script, at } of hooks) {
      if (!script) continue;
      const place = [...at, "command"];
      if (script.error !== null) {
        yield { at: place, message: `this is no shell command: ${script.error}` };
        continue;
      }
      for (const { written, instead } of bashismsOf(script))
        yield { at: place, message: `/bin/sh does not know ${written}: ${instead}` };
    }
  },
};
