import type { Rule } from "../rule.ts";
import { bashismsOf } from "../shell/bashisms.ts";

export const commandBashism: Rule = {
  id: "command-bashism",
  severity: "warning",
  title: "The command is written for bash",
  why: "A server runs hooks with /bin/sh, and an agent with whatever its SHELL is. A construct that the shell does not know is an error: on a gate it denies everything, elsewhere the hook fails.",
  fix: "Write it for /bin/sh, or say bash -c '…' where bash is installed.",
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
