/** A policy made ready: per event and lane, who runs for which tool name. Made by compile.ts, read by select.ts. */
import type { BuiltinName } from "../contract/builtins.ts";
import type { EventName, Lane, Profile } from "../contract/events.ts";
import type { HookDefinition, OnError } from "../contract/hook.ts";
import type { Problem } from "../contract/problem.ts";
import type { HookFailure } from "./outcome.ts";
import type { Handler, HookOrigin, HookPath } from "./ports.ts";

export interface PlannedHook extends HookPath {
  readonly definition: HookDefinition;
  readonly onError: OnError;
  readonly timeoutMs: number;
  /** Equal for hooks that are the same in every configured field. */
  readonly identity: string;
  /** Names the rule within its policy: the hook with the event, lane and matcher that it is for. */
  readonly rule: string;
  /** Equal hooks of other rules that this one is run for, too. */
  readonly repeats?: readonly PlannedHook[];
  readonly handler: Handler | HookFailure;
}

export interface PlannedEntry {
  readonly matches: (toolName: string) => boolean;
  readonly hooks: readonly PlannedHook[];
}

export interface LanePlan {
  readonly entries: readonly PlannedEntry[];
  /** Selections already made, by tool name. */
  readonly selected: Map<string, readonly PlannedHook[]>;
}

export interface Plan {
  readonly profile: Profile;
  readonly lanes: ReadonlyMap<string, LanePlan>;
}

/** A problem found while compiling, with the policy it was found in. */
export interface PlanProblem extends Problem {
  readonly origin: HookOrigin;
}

/** The plan of one event on one lane; nothing when no entry survived compilation. */
export function lanePlan(plan: Plan, event: EventName, lane: Lane): LanePlan | undefined {
  return plan.lanes.get(laneKey(event, lane));
}

export function laneKey(event: EventName, lane: Lane): string {
  return lane === "default" ? event : `${event} ${lane}`;
}

/** True if a dispatch could run anything at all, whatever the tool. */
export function hasHooksFor(plan: Plan, event: EventName, lane: Lane = "default"): boolean {
  return lanePlan(plan, event, lane) !== undefined;
}

/** True if a hook of the plan is this builtin. */
export function hasBuiltin(plan: Plan, name: BuiltinName): boolean {
  return [...plan.lanes.values()].some(({ entries }) =>
    entries.some(({ hooks }) =>
      hooks.some(({ definition: { type, command } }) => type === "builtin" && command === name),
    ),
  );
}
