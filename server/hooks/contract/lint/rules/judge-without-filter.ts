import { compileMatcher } from "../../matcher.ts";
import { coversMatcher, formatMatcher, selectsAll } from "../matchers.ts";
import type { LintedHook, LintedPolicy } from "../policy.ts";
import type { Rule } from "../rule.ts";

export const judgeWithoutFilter: Rule = {
  id: "judge-without-filter",
  severity: "warning",
  title: "A judge is asked about every call",
  why: "A judge costs money and time, and on a gate the agent waits for it. A free rule can decide most calls.",
  fix: "Give the entry a matcher, or put a deterministic hook before it: on the preempt lane, safer_shell or a command that denies clear cases.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - type: model
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: "May this run? {{ fenced .ToolInput }}"
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - {type: builtin, command: safer_shell}
    - matcher: shell
      hooks:
        - type: model
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: "May this run? {{ fenced .ToolInput }}"
`,
  },
  *check(policy) {
    for (const judge of policy.hooks) {
      const { hook, entry, at } = judge;
      if (hook.type !== "model" || !entry.contract.matchesTools || !isAskedAboutAll(judge, policy)) continue;
      if (policy.hooks.some((other) => isBefore(other, judge))) continue;
      const message = `${hook.model ?? "a model"} is asked about ${formatMatcher(entry.matcher)}, with no deterministic filter before it`;
      yield { at, message };
    }
  },
};

/** True by its matcher, or because the matcher selects every tool that the fleet uses. */
function isAskedAboutAll({ entry }: LintedHook, { tools }: LintedPolicy): boolean {
  if (selectsAll(entry.matcher)) return true;
  const compiled = compileMatcher(entry.matcher ?? "");
  return compiled.ok && tools.length > 1 && tools.every(({ name }) => compiled.matches(name));
}

/** Only a decision in an earlier pass avoids a judge: hooks of one pass all run. */
function isBefore(other: LintedHook, judge: LintedHook): boolean {
  if (other.hook.type === "model" || !coversMatcher(other.entry.matcher, judge.entry.matcher)) return false;
  return stage(other) < stage(judge);
}

const STAGES = [
  "tool_guard default",
  "pre_tool_use preempt_yolo",
  "pre_tool_use default",
  "permission_request default",
];
const stage = ({ entry }: LintedHook): number => {
  const at = STAGES.indexOf(`${entry.event} ${entry.lane}`);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
};
