import { conditionOf } from "../../rules/cover.ts";
import type { Condition } from "../../rules/schema.ts";
import { selectsAll } from "../matchers.ts";
import { listRules } from "../placed-rules.ts";
import type { Rule } from "../rule.ts";

export const ruleMatchesEveryCall: Rule = {
  id: "rule-matches-every-call",
  severity: "warning",
  title: "A rule matches every call",
  why: "It has no restricting condition, and the entry selects every tool. The strictest matching rule applies, so no other rule can make an exception.",
  fix: "Add a condition, or name the tools in the matcher of the entry.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: shells
          type: rules
          rules:
            - ask: A person looks at each command.
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: shells
          type: rules
          rules:
            - ask: A person looks at each command.
              kind: shell
`,
  },
  *check(policy) {
    for (const { rule, at, verdict, linted } of listRules(policy)) {
      if (!selectsAll(linted.entry.matcher) || !isAlwaysMet(conditionOf(rule))) continue;
      const does = verdict === null ? `set the mark "${rule.mark}"` : DOES[verdict];
      yield { at, message: `this rule matches every call of every tool: all of them ${does}` };
    }
  },
};

const DOES = { deny: "are denied", ask: "ask a person", allow: "are allowed" } as const;

/** True if no part of a condition can fail. */
function isAlwaysMet({ all = [], any = [], ...rest }: Condition): boolean {
  if (Object.values(rest).some((value) => value !== undefined)) return false;
  return all.every(isAlwaysMet) && (any.length === 0 || any.some(isAlwaysMet));
}
