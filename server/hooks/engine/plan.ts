/** A compiled policy: for each event and lane, the hooks for a tool name. compile.ts builds it and select.ts reads it. */
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
  /** Equal for hooks with the same configured fields. */
  readonly identity: string;
  /** The hook's approval of a call does not count. */
  readonly cannotAllow?: boolean;
  /** Identifies the rule within its policy: the hook with its event, lane and matcher. */
  readonly rule: string;
  /** Equal hooks of other rules, which this run also covers. */
  readonly repeats?: readonly PlannedHook[];
  readonly handler: Handler | HookFailure;
}

export interface PlannedEntry {
  readonly matches: (toolName: string) => boolean;
  readonly hooks: readonly PlannedHook[];
}

export interface LanePlan {
  readonly entries: readonly PlannedEntry[];
  /** Cached selections by tool name. */
  readonly selected: Map<string, readonly PlannedHook[]>;
}

export interface Plan {
  readonly profile: Profile;
  readonly lanes: ReadonlyMap<string, LanePlan>;
}

/** A compile problem, with its policy. */
export interface PlanProblem extends Problem {
  readonly origin: HookOrigin;
}

/** The plan of one event on one lane; undefined without entries. */
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
