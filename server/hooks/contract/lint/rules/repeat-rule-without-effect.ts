import { parseRepeatRules, REPEAT_ACTIONS, type RepeatRule } from "../../repeat-rules.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

export const repeatRuleWithoutEffect: Rule = {
  id: "repeat-rule-without-effect",
  severity: "advice",
  title: "A runaway rule has no effect",
  why: "The strictest matching rule applies. Another rule of the same hook always matches too, and is at least as strict.",
  fix: "Give the milder action the smaller number, or remove the rule.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: "shell"
      hooks:
        - {type: builtin, command: repeat_guard, args: ["same call 5 in 10m: halt", "same call 8 in 10m: ask"]}
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: "shell"
      hooks:
        - {type: builtin, command: repeat_guard, args: ["same call 5 in 10m: ask", "same call 8 in 10m: halt"]}
`,
  },
  *check({ hooks }) {
    for (const { hook, at } of hooks) {
      if (hook.type !== "builtin" || hook.command !== "repeat_guard") continue;
      const rules = parseRepeatRules(hook.args ?? []);
      if (typeof rules === "string") continue;
      for (const [place, rule] of rules.entries()) {
        const other = rules.findIndex((one, index) => index !== place && covers(one, rule, index < place));
        if (other < 0) continue;
        const argument = [...at, "args", place];
        yield {
          at: argument,
          message: `"${hook.args?.[other]}" applies whenever this rule does`,
          repair: createRemoveRepair(argument, "Remove this rule"),
        };
      }
    }
  },
};

/** True if `one` applies whenever `rule` does and is at least as severe. The first of two equal rules counts. */
function covers(one: RepeatRule, rule: RepeatRule, isBefore: boolean): boolean {
  const graver = REPEAT_ACTIONS.indexOf(one.action) - REPEAT_ACTIONS.indexOf(rule.action);
  if (graver < 0 || !isAsWide(one, rule)) return false;
  return isBefore || graver > 0 || !isAsWide(rule, one);
}

function isAsWide(one: RepeatRule, rule: RepeatRule): boolean {
  if (one.kind === "new tool" || rule.kind === "new tool") return one.kind === rule.kind;
  if (one.kind !== rule.kind || one.seconds < rule.seconds) return false;
  if (one.kind === "spend") return rule.kind === "spend" && one.nano <= rule.nano;
  return rule.kind !== "spend" && one.count <= rule.count;
}
