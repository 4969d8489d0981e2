/** Turns hooks blocks into a plan, once. Never refuses: what is wrong is returned beside the plan. */
import { contractOf, type EventName, isEventName, type Lane, type Profile } from "../contract/events.ts";
import {
  DEFAULT_TIMEOUT_SECONDS,
  displayName,
  type HookDefinition,
  type HooksConfig,
  LIMITS,
  type OnError,
} from "../contract/hook.ts";
import { identityOf, ruleOf } from "../contract/identity.ts";
import { compileMatcher } from "../contract/matcher.ts";
import { problemAt } from "../contract/problem.ts";
import { type LanePlan, laneKey, type Plan, type PlannedEntry, type PlannedHook, type PlanProblem } from "./plan.ts";
import type { HandlerKind, HookOrigin } from "./ports.ts";

export interface PlanSource {
  readonly origin: HookOrigin;
  readonly hooks: HooksConfig;
}

export interface CompileOptions {
  /** In order: a later source's hooks come after an earlier one's, on every event. */
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  readonly kinds: readonly HandlerKind[];
  /** Leaves out hooks that do not run here. Paths in reports stay those of the whole source. */
  readonly include?: (hook: HookDefinition) => boolean;
}

export interface Compiled {
  readonly plan: Plan;
  /** Entries that are not in the plan, and why. A guard that vanishes must not do so quietly. */
  readonly problems: readonly PlanProblem[];
}

interface GrowingLane extends LanePlan {
  readonly entries: PlannedEntry[];
}

/** The plan of some sources, and every entry that could not be part of it. */
export function compilePlan(options: CompileOptions): Compiled {
  const lanes = new Map<string, GrowingLane>();
  const problems: PlanProblem[] = [];
  const kinds = new Map(options.kinds.map((kind) => [kind.type, kind]));

  for (const { origin, hooks } of options.sources) {
    const refuse = (within: (string | number)[], message: string) =>
      problems.push({ ...problemAt(within, message), origin });

    for (const [event, value] of Object.entries(hooks)) {
      if (!isEventName(event, options.profile)) {
        refuse([event], `unknown event "${event}" in profile ${options.profile}`);
        continue;
      }
      for (const entry of entriesOf(event, options.profile, value)) {
        const matcher = typeof entry.matcher === "string" ? compileMatcher(entry.matcher) : undefined;
        if (!matcher?.ok) {
          refuse([event, entry.index], `invalid matcher: ${matcher?.message ?? "not a text"}`);
          continue;
        }
        const chosen = entry.hooks.filter(({ hook }) => options.include?.(hook) ?? true);
        if (chosen.length === 0 && entry.hooks.length > 0) continue;
        const key = laneKey(event, entry.lane);
        const lane: GrowingLane = lanes.get(key) ?? { entries: [], selected: new Map() };
        lanes.set(key, lane);
        lane.entries.push({
          matches: matcher.matches,
          hooks: chosen.map(({ hook, within }) =>
            planHook(hook, { origin, path: problemAt(within, "").path, event, entry }, kinds),
          ),
        });
      }
    }
  }
  return { plan: { profile: options.profile, lanes }, problems };
}

interface SourceEntry {
  readonly index: number;
  readonly matcher: unknown;
  readonly lane: Lane;
  readonly hooks: readonly { hook: HookDefinition; within: (string | number)[] }[];
}

/** The entries of one event, flat or scoped, read leniently: the executor accepts any parsed config. */
function entriesOf(event: EventName, profile: Profile, value: unknown): SourceEntry[] {
  const items = listOf(value);
  if (!contractOf(event, profile).matchesTools) {
    if (items.length === 0) return [];
    const hooks = items.map((item, index) => ({ hook: item as HookDefinition, within: [event, index] }));
    return [{ index: 0, matcher: "", lane: "default", hooks }];
  }
  return items.map((item, index) => ({
    index,
    matcher: item.matcher ?? "",
    lane: laneOf(event, profile, item.preempt_yolo),
    hooks: listOf(item.hooks).map((hook, at) => ({
      hook: hook as HookDefinition,
      within: [event, index, "hooks", at],
    })),
  }));
}

/** Where an event has no preempt lane the key is without effect. */
function laneOf(event: EventName, profile: Profile, preempt: unknown): Lane {
  return preempt === true && contractOf(event, profile).hasPreemptLane ? "preempt_yolo" : "default";
}

function listOf(value: unknown): Record<string, unknown>[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === "object" && item !== null && !Array.isArray(item));
}

interface HookSource {
  readonly origin: HookOrigin;
  readonly path: string;
  readonly event: EventName;
  readonly entry: SourceEntry;
}

function planHook(
  definition: HookDefinition,
  { origin, path, event, entry }: HookSource,
  kinds: Map<string, HandlerKind>,
): PlannedHook {
  const kind = kinds.get(definition.type ?? "");
  const seconds = definition.timeout && definition.timeout > 0 ? definition.timeout : DEFAULT_TIMEOUT_SECONDS;
  const place = { origin, path, name: displayName(definition) };
  return {
    ...place,
    definition,
    onError: onErrorOf(definition.on_error),
    timeoutMs: Math.min(seconds, LIMITS.timeoutSecondsMax) * 1_000,
    identity: identityOf(definition),
    rule: ruleOf({ event, lane: entry.lane, matcher: String(entry.matcher), hook: definition }),
    handler: kind ? kind.build(definition, place) : { code: "unsupported_type", type: definition.type ?? "" },
  };
}

function onErrorOf(value: string | undefined): OnError {
  return value === "block" || value === "ignore" ? value : "warn";
}
