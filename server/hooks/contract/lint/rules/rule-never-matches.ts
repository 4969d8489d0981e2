import { impossibleBecause } from "../impossible-rules.ts";
import { listRules } from "../placed-rules.ts";
import type { Rule } from "../rule.ts";

export const ruleNeverMatches: Rule = {
  id: "rule-never-matches",
  severity: "warning",
  title: "A rule can never match",
  why: "Its conditions exclude each other, or it needs a mark that no rule of the policy sets. The rule has no effect.",
  fix: "Remove the condition that excludes the others, or set the mark in a rule of this policy.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: only listed tools
          type: rules
          rules:
            - deny: This server only reads.
              kind: shell
              mcp: { server: github, not: ["get_*"] }
            - deny: Nothing leaves after a secret was read.
              host: { not: "*.example.org" }
              after: read_secret
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: only listed tools
          type: rules
          rules:
            - deny: This server only reads.
              mcp: { server: github, not: ["get_*"] }
            - mark: read_secret
              path: { class: credentials, access: read }
            - deny: Nothing leaves after a secret was read.
              host: { not: "*.example.org" }
              after: read_secret
`,
  },
  *check(policy) {
    const rules = listRules(policy);
    const marks = new Set(rules.flatMap(({ rule }) => (rule.mark === undefined ? [] : [rule.mark])));
    for (const { rule, at, linted } of rules) {
      const found = impossibleBecause(rule, linted.entry.matcher, marks);
      if (found) yield { at: [...at, ...found.at], message: `this rule can never match: ${found.reason}` };
    }
  },
};
