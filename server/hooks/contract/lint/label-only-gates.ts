/** Finds builtins that only label calls in a policy's profile, if no hook of the policy decides on the same calls. */
import { isLabelOnly } from "../builtins.ts";
import { displayName } from "../hook.ts";
import { type CalledTool, looksAt } from "../rules/tool-reach.ts";
import { truncateToLine } from "../truncate-text.ts";
import { coversMatcher } from "./matchers.ts";
import { canHookStop } from "./outputs.ts";
import type { LintedEntry, LintedHook, LintedPolicy } from "./policy.ts";
import { wishesOf } from "./wishes.ts";

/** A call that such a builtin labels. */
const SHELL: CalledTool = { name: "shell", kind: "shell", mcp: null, agent: "", tags: [] };

/** The label-only builtins of a policy without another hook that decides on their calls. */
export function listLabelOnlyGates(policy: LintedPolicy): LintedHook[] {
  const { profile } = policy;
  const gates = policy.entries.filter(
    ({ contract, hooks }) => contract.decides && hooks.some((linted) => decidesOverShell(linted, profile)),
  );
  return policy.hooks.filter(({ hook, entry }) => {
    const isLabel = hook.type === "builtin" && isLabelOnly(hook.command, profile);
    return isLabel && entry.contract.decides && !gates.some((gate) => runsForAll(gate, entry));
  });
}

export const labelOnlyMessage = ({ hook, entry }: LintedHook, profile: string): string => {
  const name = truncateToLine(displayName(hook), 60);
  return `"${name}" on ${entry.event} only labels calls in ${profile}, and no hook decides over them; add a hook with type: rules that asks for label: [unknown, destructive]`;
};

function decidesOverShell(linted: LintedHook, profile: LintedPolicy["profile"]): boolean {
  const { hook } = linted;
  if (hook.type === "builtin" && isLabelOnly(hook.command, profile)) return false;
  if (hook.type === "rules")
    return (hook.rules ?? []).some((rule) => (rule.deny ?? rule.ask) !== undefined && looksAt(rule, SHELL));
  return canHookStop(linted) || wishesOf(linted).some((wish) => wish === "deny" || wish === "ask");
}

/** True if `gate` runs for each call of `entry`, even if the agent skips questions. */
function runsForAll(gate: LintedEntry, entry: LintedEntry): boolean {
  const isInTime = gate.event === "tool_guard" || gate.lane === "preempt_yolo" || gate.lane === entry.lane;
  return isInTime && coversMatcher(gate.matcher, entry.matcher);
}
