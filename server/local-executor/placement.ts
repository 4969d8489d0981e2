/** The plan of one local dispatch: the hooks of this machine, and one hook that represents all of the console's. */

import {
  compileMatcher,
  contractOf,
  type EventName,
  type HookDefinition,
  type HooksConfig,
  isEventName,
  type Lane,
  type MatcherEntry,
  type PlanSource,
  runsLast,
  runsOn,
} from "@quarterdeck/hooks";
import { PROFILE_RULES, type Profile } from "@quarterdeck/hooks/contract/profiles";
import { UNREADABLE } from "@quarterdeck/hooks/contract/stored-hooks";
import { isMonitored, type Policy, type PolicySource } from "./policy.ts";

/** The subject of a dispatch: an event on a lane, about a tool. */
export interface Occasion {
  readonly event: EventName;
  readonly lane: Lane;
  /** "" when the event is about none. */
  readonly tool: string;
}

export interface Placed {
  readonly sources: readonly PlanSource[];
  /** The hooks of this machine that concern the dispatch: those before the console's turn, and those after it. */
  readonly before: ReadonlySet<HookDefinition>;
  readonly after: ReadonlySet<HookDefinition>;
  /** True if a hook of the console is concerned. Otherwise the console is only informed. */
  readonly isConsoleConcerned: boolean;
}

interface Place {
  readonly source: number;
  readonly entry: number;
  /** Absent in a flat event, where the entry is the hook. */
  readonly at?: number;
  readonly hook: HookDefinition;
}

/** A source of its own, so that its only hook is not taken for the first of another source's. */
const CONSOLE = { policy: "the console" };

/**
 * The console answers for all of its hooks at once, at the position of the first of them. If hooks run in parallel,
 * those of this machine run first, so that the console gets their results. If they form a chain, the order is the
 * policy's.
 */
export function placeHooks(
  policy: Policy,
  flags: readonly string[],
  occasion: Occasion,
  console: HookDefinition,
): Placed {
  const { event, lane } = occasion;
  const { profile } = policy;
  const isKnown = isEventName(event, profile);
  const own = isKnown ? policy.sources.map(({ hooks }): readonly object[] => hooks[event] ?? []) : [];
  const places = own.flatMap((entries, source) =>
    placesIn(entries, source, occasion, profile).filter((place) => hasEffect(policy.sources[source], event, place)),
  );
  const isHere = places.map(({ hook }) => hook.type === UNREADABLE || runsOn(hook) === "agent");
  const turn = isHere.indexOf(false);
  const stand = places[turn];

  // docker-agent's flags add hooks only to the default lane.
  const flagged = isKnown && lane === "default" ? flags.map(commandHook) : [];
  const block = (hooks: readonly HookDefinition[]): readonly object[] =>
    isKnown && contractOf(event, profile).matchesTools ? [{ hooks, preempt_yolo: lane === "preempt_yolo" }] : hooks;
  const sources = [
    ...own.map((entries, index) => {
      const source = policy.sources[index];
      return {
        ...originOf(source),
        hooks: configOf(event, stand?.source === index ? replaced(entries, stand, console) : entries),
      };
    }),
    ...(stand || !isKnown ? [] : [{ origin: CONSOLE, hooks: configOf(event, block([console])) }]),
    ...(flagged.length === 0 ? [] : [{ origin: {}, hooks: configOf(event, block(flagged)) }]),
  ];

  const isChain = chains(occasion, profile);
  const ofHere = places.flatMap(({ hook }, index) => (isHere[index] ? [{ hook, index }] : []));
  const rewrites = isKnown && contractOf(event, profile, lane).rewrites !== "nothing";
  // A hook that truncates a payload also truncates the output of the console's hooks.
  const isLast = (hook: HookDefinition) => rewrites && turn !== -1 && runsLast(hook);
  const isBefore = (hook: HookDefinition, index: number) => !isLast(hook) && (!isChain || turn === -1 || index < turn);
  const hooksWhere = (wanted: boolean) =>
    ofHere.flatMap(({ hook, index }) => (isBefore(hook, index) === wanted ? [hook] : []));
  return {
    sources,
    before: new Set([...hooksWhere(true), ...(isChain ? [] : flagged)]),
    after: new Set([...hooksWhere(false), ...(isChain ? flagged : [])]),
    isConsoleConcerned: isHere.includes(false),
  };
}

function hasEffect(source: PolicySource | undefined, event: EventName, { entry, at, hook }: Place): boolean {
  const place = at === undefined ? [event, entry] : [event, entry, "hooks", at];
  return hook.type === UNREADABLE || source === undefined || !isMonitored(source, place);
}

/** True if each hook gets the input as rewritten by the previous hook. */
export function chains({ event, lane }: Pick<Occasion, "event" | "lane">, profile: Profile): boolean {
  return PROFILE_RULES[profile].chainsRewrites && contractOf(event, profile, lane).rewrites !== "nothing";
}

function placesIn(entries: readonly object[], source: number, occasion: Occasion, profile: Profile): Place[] {
  const { matchesTools, hasPreemptLane } = contractOf(occasion.event, profile);
  return entries.flatMap((item, entry): Place[] => {
    // Holds here and below: `readableHooks` checked every hook.
    if (!matchesTools) return [{ source, entry, hook: item as HookDefinition }];
    const { matcher = "", preempt_yolo, hooks = [] } = item as MatcherEntry;
    if ((preempt_yolo === true && hasPreemptLane ? "preempt_yolo" : "default") !== occasion.lane) return [];
    const compiled = compileMatcher(matcher);
    if (!compiled.ok || !compiled.matches(occasion.tool)) return [];
    return hooks.map((hook, at) => ({ source, entry, at, hook }));
  });
}

/** The entries with one hook replaced by the console's, so that every path stays as in the policy. */
function replaced(entries: readonly object[], { entry, at }: Place, console: HookDefinition): readonly object[] {
  return entries.map((item, index) => {
    if (index !== entry) return item;
    if (at === undefined || !("hooks" in item) || !Array.isArray(item.hooks)) return console;
    return { ...item, hooks: item.hooks.map((hook: unknown, position) => (position === at ? console : hook)) };
  });
}

const commandHook = (command: string): HookDefinition => ({ type: "command", command });

function configOf(event: EventName, entries: readonly object[]): HooksConfig {
  return { [event]: [...entries] };
}

function originOf(source: Policy["sources"][number] | undefined): Omit<PlanSource, "hooks"> {
  if (source === undefined) return { origin: {} };
  const { policy, revision, profile } = source;
  return { origin: { policy, revision }, ...(profile !== undefined && { profile }) };
}
