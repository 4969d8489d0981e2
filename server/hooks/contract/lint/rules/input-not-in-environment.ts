import type { Rule } from "../rule.ts";

const OTHERS = /^(?:TOOL_NAME|TOOL_INPUT|TOOL_ARGS|HOOK_\w+|CLAUDE_\w+|DOCKER_AGENT_\w+|CAGENT_\w+)$/;

export const inputNotInEnvironment: Rule = {
  id: "input-not-in-environment",
  severity: "warning",
  title: "The command reads its input from a variable that is not set",
  why: "A hook gets its input as JSON on stdin, not as variables. An empty variable matches nothing, so a gate that tests it allows every call.",
  fix: "Read stdin, for example with jq -r .tool_name or .tool_input.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            case "$TOOL_INPUT" in *mkfs*) echo "No new file systems." >&2; exit 2 ;; esac
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
            input=$(cat)
            case "$input" in *mkfs*) echo "No new file systems." >&2; exit 2 ;; esac
`,
  },
  *check({ hooks }) {
    for (const { hook, script, at } of hooks) {
      if (!script) continue;
      const assigned = new Set(script.nodes.flatMap((node) => (node.type === "Assignment" ? [node.name] : [])));
      const name = script.nodes
        .map((node) =>
          node.type === "SimpleExpansion"
            ? node.text.slice(1)
            : node.type === "ParameterExpansion"
              ? node.parameter
              : "",
        )
        .find((one) => OTHERS.test(one) && !assigned.has(one) && hook.env?.[one] === undefined);
      if (name !== undefined)
        yield { at: [...at, "command"], message: `$${name} is not set; the input is JSON on stdin` };
    }
  },
};
