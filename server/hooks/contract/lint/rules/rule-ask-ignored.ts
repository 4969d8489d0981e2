import { listRules } from "../placed-rules.ts";
import type { Rule } from "../rule.ts";

export const ruleAskIgnored: Rule = {
  id: "rule-ask-ignored",
  severity: "warning",
  title: "An ask has no effect on this event",
  why: "On permission_request, a person is asked anyway. A hook can answer allow or deny; ask has no effect.",
  fix: "Put the rule on pre_tool_use, or remove it.",
  firing: {
    policy: `hooks:
  permission_request:
    - hooks:
        - name: publishing
          type: rules
          rules:
            - ask: A person publishes.
              command: { program: npm, subcommand: publish }
`,
  },
  silent: {
    policy: `hooks:
  permission_request:
    - hooks:
        - name: publishing
          type: rules
          rules:
            - deny: A person publishes.
              command: { program: npm, subcommand: publish }
`,
  },
  *check(policy) {
    for (const { rule, at, linted } of listRules(policy))
      if (rule.ask !== undefined && !linted.entry.contract.decides)
        yield { at: [...at, "ask"], message: `${linted.entry.event} takes allow and deny, and no ask` };
  },
};
