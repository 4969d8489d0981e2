import { conditionOf, coversCondition } from "../../rules/cover.ts";
import { listPlacedRules, type PlacedRule, ruleName, stricterVerdict } from "../placed-rules.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

export const ruleWithoutEffect: Rule = {
  id: "rule-without-effect",
  severity: "warning",
  title: "A stricter rule matches everything that this rule matches",
  why: "The strictest verdict of all matching rules applies: deny before ask before allow, in any order. An allow is no exception from a deny.",
  fix: "Narrow the stricter rule with `not`, or remove this one.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: no pushes
          type: rules
          rules:
            - deny: Nothing is pushed from here.
              command: { program: git, subcommand: push }
            - allow: Tags may be pushed.
              command: { program: git, subcommand: push, flags: [tags] }
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - preempt_yolo: true
      hooks:
        - name: no pushes
          type: rules
          rules:
            - deny: Only tags are pushed from here.
              command: { program: git, subcommand: push, without_flags: [tags] }
            - allow: Tags may be pushed.
              command: { program: git, subcommand: push, flags: [tags] }
`,
  },
  *check(policy) {
    for (const rules of listPlacedRules(policy))
      for (const one of rules) {
        const stricter = rules.find((other) => isStricter(other, one) && covers(other, one));
        if (!stricter) continue;
        const { verdict } = one;
        const message = `${ruleName(stricter, one)} matches all that this rule matches, and ${stricter.verdict} comes before ${verdict}`;
        const repair = one.rule.mark === undefined && one.isOneOfSeveral;
        yield { at: one.at, message, ...(repair && { repair: createRemoveRepair(one.at, "Remove the rule") }) };
      }
  },
};

const isStricter = (one: PlacedRule, other: PlacedRule): boolean =>
  one !== other && stricterVerdict(one.verdict, other.verdict);

const covers = (one: PlacedRule, other: PlacedRule): boolean =>
  one.selects(other) && coversCondition(conditionOf(one.rule), conditionOf(other.rule));
