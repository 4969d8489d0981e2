import { conditionKey, conditionOf, coversCondition } from "../../rules/cover.ts";
import { listPlacedRules, type PlacedRule, ruleName } from "../placed-rules.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

export const ruleShadowed: Rule = {
  id: "rule-shadowed",
  severity: "advice",
  title: "An earlier rule with the same verdict matches everything that this rule matches",
  why: "If several rules have the same verdict, the first match gives the reason. The later rule's reason is never shown.",
  fix: "Remove the later rule, or put it before the other one.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: protected paths
          type: rules
          rules:
            - deny: Credentials are not read by agents.
              path: { class: credentials }
            - deny: Keys are not read by agents.
              path: { class: [credentials] }
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: protected paths
          type: rules
          rules:
            - deny: Credentials are not written by agents.
              path: { class: credentials, access: write }
            - deny: Credentials are not read by agents.
              path: { class: credentials }
`,
  },
  *check(policy) {
    for (const rules of listPlacedRules(policy))
      for (const [index, one] of rules.entries()) {
        if (one.rule.mark !== undefined) continue;
        const earlier = rules.slice(0, index).find((other) => shadows(other, one));
        if (!earlier) continue;
        const name = ruleName(earlier, one);
        const message = isSame(earlier, one)
          ? `${name} has the same condition and the same verdict`
          : `${name} has the same verdict and matches all that this rule matches`;
        yield {
          at: one.at,
          message,
          ...(one.isOneOfSeveral && { repair: createRemoveRepair(one.at, "Remove the rule") }),
        };
      }
  },
};

function shadows(one: PlacedRule, other: PlacedRule): boolean {
  if (one.verdict === null || one.verdict !== other.verdict || !one.selects(other)) return false;
  return coversCondition(conditionOf(one.rule), conditionOf(other.rule));
}

const isSame = ({ rule: one }: PlacedRule, { rule: other }: PlacedRule): boolean =>
  conditionKey(conditionOf(one)) === conditionKey(conditionOf(other));
