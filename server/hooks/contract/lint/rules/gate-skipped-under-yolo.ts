import { coversMatcher, formatMatcher } from "../matchers.ts";
import { canHookStop } from "../outputs.ts";
import type { LintedEntry, LintedPolicy } from "../policy.ts";
import { createSetRepair, type Rule } from "../rule.ts";

export const gateSkippedUnderYolo: Rule = {
  id: "gate-skipped-under-yolo",
  severity: "advice",
  title: "A docker-agent that is not enrolled skips the gate when questions are off",
  why: "In docker-agent, the default lane of pre_tool_use runs only if no other check has decided. In yolo mode, and for tools that a permission rule allows, it does not run. An enrolled agent still asks for this lane. A docker-agent with exported hooks or the local executor does not.",
  fix: "Add preempt_yolo: true to the entry. Then it runs first, for every call; an ask there always asks a person.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: |
            if grep -q mkfs; then echo "No new file systems." >&2; exit 2; fi
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
            if grep -q mkfs; then echo "No new file systems." >&2; exit 2; fi
`,
  },
  *check(policy) {
    for (const entry of policy.entries) {
      if (entry.event !== "pre_tool_use" || entry.lane !== "default" || !entry.hooks.some(canHookStop)) continue;
      if (policy.entries.some((other) => isGuardedBy(other, entry))) continue;
      const message = `a docker-agent that is not enrolled skips this gate on ${formatMatcher(entry.matcher)} in yolo mode and under allow rules`;
      // The preempt lane ignores rewrites, so a move of the entry would lose this one.
      const rewrites = entry.hooks.some(
        (linted) => linted.outputs.has("updated_input") || linted.hook.type === "builtin",
      );
      const repair = createSetRepair([...entry.at, "preempt_yolo"], true, "Add preempt_yolo: true");
      yield { at: entry.at, message, ...(rewrites ? {} : { repair }) };
    }
  },
};

/** True if a gate of an earlier pass covers the same tools. */
function isGuardedBy(other: LintedEntry, entry: LintedPolicy["entries"][number]): boolean {
  const isEarlier = other.event === "tool_guard" || (other.event === "pre_tool_use" && other.lane === "preempt_yolo");
  return isEarlier && coversMatcher(other.matcher, entry.matcher);
}
