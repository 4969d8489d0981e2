/** Compiles hooks blocks to a plan. Never refuses: an unreadable part becomes a hook that denies. */
import { behaviourProfile } from "../contract/builtins.ts";
import { contractOf, isEventName, type Lane, type Profile } from "../contract/events.ts";
import {
  DEFAULT_TIMEOUT_SECONDS,
  displayName,
  type HookDefinition,
  type HooksConfig,
  LIMITS,
  type MatcherEntry,
  type OnError,
} from "../contract/hook.ts";
import { identityOf, ruleOf } from "../contract/identity.ts";
import { compileMatcher, matcherComplaint } from "../contract/matcher.ts";
import { problemAt } from "../contract/problem.ts";
import { PROFILE_RULES } from "../contract/profiles.ts";
import { readStoredHooks, UNREADABLE } from "../contract/stored-hooks.ts";
import { type LanePlan, laneKey, type Plan, type PlannedEntry, type PlannedHook, type PlanProblem } from "./plan.ts";
import type { HandlerKind, HookOrigin, HookPath } from "./ports.ts";

export interface PlanSource {
  readonly origin: HookOrigin;
  readonly hooks: HooksConfig;
  /** The profile in its text, which its builtins follow; by default, the plan's. */
  readonly profile?: Profile;
  /** The paths of hooks that are no part of the plan. The paths of the others do not change. */
  readonly leftOut?: ReadonlySet<string>;
  /** Its hooks may deny, ask and rewrite, but their approval of a call does not count. */
  readonly cannotAllow?: boolean;
}

export interface CompileOptions {
  /** In order. On every event, the hooks of a later source follow those of an earlier one. */
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  readonly kinds: readonly HandlerKind[];
  /** Excludes hooks that do not run here. Paths in reports still refer to the whole source. */
  readonly include?: (hook: HookDefinition) => boolean;
}

export interface Compiled {
  readonly plan: Plan;
  /** The unreadable parts. The gates that they concern deny. */
  readonly problems: readonly PlanProblem[];
}

interface GrowingLane extends LanePlan {
  readonly entries: PlannedEntry[];
}

/** The plan of some sources, and all their unreadable parts. */
export function compilePlan(options: CompileOptions): Compiled {
  const { profile, include = () => true } = options;
  const lanes = new Map<string, GrowingLane>();
  const problems: PlanProblem[] = [];
  const kinds = new Map(options.kinds.map((kind) => [kind.type, kind]));

  for (const { origin, hooks, profile: own = profile, leftOut, cannotAllow = false } of options.sources) {
    const read = readStoredHooks(hooks, { profile, matcherComplaint });
    problems.push(...read.problems.map((problem) => ({ ...problem, origin })));
    for (const entry of entriesOf(read.hooks, profile)) {
      // A hook that denies for an unreadable part runs at every location.
      const chosen = entry.hooks.filter(
        ({ hook, within }) =>
          hook.type === UNREADABLE || (include(hook) && leftOut?.has(problemAt(within, "").path) !== true),
      );
      const matcher = compileMatcher(entry.matcher);
      if (!matcher.ok || chosen.length === 0) continue;
      const key = laneKey(entry.event, entry.lane);
      const lane: GrowingLane = lanes.get(key) ?? { entries: [], selected: new Map() };
      lanes.set(key, lane);
      const planned = chosen.map(({ hook, within }) =>
        planHook(hook, { origin, path: problemAt(within, "").path, entry, own, cannotAllow }, kinds, profile),
      );
      lane.entries.push({ matches: matcher.matches, hooks: planned });
    }
  }
  return { plan: { profile, lanes }, problems };
}

interface SourceEntry {
  readonly event: Parameters<typeof contractOf>[0];
  readonly matcher: string;
  readonly lane: Lane;
  readonly hooks: readonly { hook: HookDefinition; within: (string | number)[] }[];
}

/** The entries of a parsed block, flat or scoped. */
function entriesOf(hooks: HooksConfig, profile: Profile): SourceEntry[] {
  return Object.entries(hooks).flatMap(([event, list]): SourceEntry[] => {
    if (!isEventName(event, profile)) return [];
    if (!contractOf(event, profile).matchesTools) {
      const flat = list as readonly HookDefinition[]; // holds: the reader puts hooks where the event matches no tools
      const placed = flat.map((hook, index) => ({ hook, within: [event, index] }));
      return placed.length === 0 ? [] : [{ event, matcher: "", lane: "default", hooks: placed }];
    }
    const scoped = list as readonly MatcherEntry[]; // holds: the reader puts entries where the event matches tools
    return scoped.map((entry, index) => ({
      event,
      matcher: entry.matcher ?? "",
      lane: laneOf(event, profile, entry.preempt_yolo),
      hooks: (entry.hooks ?? []).map((hook, at) => ({ hook, within: [event, index, "hooks", at] })),
    }));
  });
}

/** The key has no effect on an event without a preempt lane. */
function laneOf(event: SourceEntry["event"], profile: Profile, preempt: boolean | undefined): Lane {
  return preempt === true && contractOf(event, profile).hasPreemptLane ? "preempt_yolo" : "default";
}

interface HookSource {
  readonly origin: HookOrigin;
  readonly path: string;
  readonly entry: SourceEntry;
  /** The profile of the source. */
  readonly own: Profile;
  readonly cannotAllow: boolean;
}

function planHook(
  definition: HookDefinition,
  { origin, path, entry, own, cannotAllow }: HookSource,
  kinds: Map<string, HandlerKind>,
  profile: Profile,
): PlannedHook {
  const seconds = definition.timeout && definition.timeout > 0 ? definition.timeout : DEFAULT_TIMEOUT_SECONDS;
  const place = { origin, path, name: displayName(definition) };
  return {
    ...place,
    definition,
    onError: onErrorOf(definition.on_error),
    timeoutMs: Math.min(seconds, LIMITS.timeoutSecondsMax) * 1_000,
    // An equal hook whose approval counts must run too.
    identity: identityOf(definition) + behaviourMark(definition, own, profile) + (cannotAllow ? " cannot allow" : ""),
    ...(cannotAllow && { cannotAllow }),
    rule: ruleOf({ event: entry.event, lane: entry.lane, matcher: entry.matcher, hook: definition }),
    handler: handlerOf(definition, place, kinds, profile, own),
  };
}

/** Equal builtins with different profiles are two hooks. */
function behaviourMark({ type, command }: HookDefinition, own: Profile, profile: Profile): string {
  if (type !== "builtin") return "";
  const behaviour = behaviourProfile(command, own);
  return behaviour === behaviourProfile(command, profile) ? "" : ` as before ${profile}`;
}

function handlerOf(
  definition: HookDefinition,
  place: HookPath,
  kinds: ReadonlyMap<string, HandlerKind>,
  profile: Profile,
  own: Profile,
): PlannedHook["handler"] {
  const { type = "", command = "" } = definition;
  if (type === UNREADABLE) return { code: "unreadable", policy: place.origin.policy ?? "", message: command };
  const kind = PROFILE_RULES[profile].unknownHookTypes.includes(type) ? undefined : kinds.get(type);
  if (!kind) return { code: "unsupported_type", type };
  try {
    return kind.build(definition, place, own);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: "unreadable", policy: place.origin.policy ?? "", message: `${place.path}: ${message}` };
  }
}

function onErrorOf(value: string | undefined): OnError {
  return value === "block" || value === "ignore" ? value : "warn";
}
