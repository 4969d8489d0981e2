import { selectsAll } from "../matchers.ts";
import { withoutComments } from "../outputs.ts";
import type { LintedHook } from "../policy.ts";
import type { Rule } from "../rule.ts";

export const allowTooBroad: Rule = {
  id: "allow-too-broad",
  severity: "warning",
  title: "A hook allows every tool without a condition",
  why: "An allow answers for the person. Without a matcher and a condition, no call is ever asked about.",
  fix: "Name the tools in the matcher, or allow only after a check of the input.",
  firing: {
    policy: `hooks:
  permission_request:
    - matcher: "*"
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output": {"permission_decision": "allow"}}'
`,
  },
  silent: {
    policy: `hooks:
  permission_request:
    - matcher: read_file|list_directory
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output": {"permission_decision": "allow"}}'
`,
  },
  *check({ hooks }) {
    for (const linted of hooks) {
      const { entry, at } = linted;
      if (!entry.contract.matchesTools || !selectsAll(entry.matcher) || !alwaysAllows(linted)) continue;
      yield { at: [...at, "command"], message: `every tool is allowed on ${entry.event}, without a condition` };
    }
  },
};

function alwaysAllows(linted: LintedHook): boolean {
  const { script } = linted;
  if (!script || script.branches || !linted.outputs.has("permission_decision")) return false;
  const said = withoutComments(script.text);
  return (
    /permission_decision\\?["']?\s*:\s*\\?["']?allow\b/.test(said) && !/\b(?:deny|ask|select|if|then)\b/.test(said)
  );
}
