/** One of the two texts that are compared: which of its hooks an event would run, and which of those cannot be run here. */

import { type HookDefinition, type HooksConfig, type Profile, runsOn } from "@quarterdeck/hooks";
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { type Guard, listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";

export interface Side {
  readonly hooks: HooksConfig;
  readonly profile: Profile;
  readonly guards: readonly Guard[];
}

export const NOTHING: Side = { hooks: {}, profile: "2026-07", guards: [] };

export function sideOf(hooks: HooksConfig, profile: Profile): Side {
  return { hooks, profile, guards: listGuards(hooks) };
}

/** The guards that an event selects, in order. */
export function selected(side: Side, event: string, lane: string, tool: string): Guard[] {
  return side.guards.filter((guard) => {
    if (guard.event !== event || guard.preempt !== (lane === "preempt_yolo")) return false;
    const matcher = compileMatcher(guard.matcher ?? "");
    return guard.matcher === undefined || (matcher.ok && matcher.matches(tool));
  });
}

/** The reason why a hook is not run for a comparison; null when it is. */
export function whyNotRun(hook: HookDefinition, isContained: boolean): string | null {
  if (hook.type === "model") return "a judge would have to be asked";
  if (runsOn(hook) === "agent") return "a hook beside the agent would have to run";
  if (hook.network === true || (hook.type === "builtin" && hook.command === "http_post"))
    return "a hook would have used the network";
  if (hook.type === "command" && !isContained) return "there is no sandbox here to run commands in";
  return null;
}
