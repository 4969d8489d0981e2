/**
 * A policy's hooks in the form that one docker-agent release runs. A part that the release does not know is left out and reported.
 * If that part is a gate, the export is refused: a missing gate would let calls pass silently. Pure.
 */
import { type HookDefinition, type HooksConfig, nativeHooks, parseHooks } from "@quarterdeck/hooks/contract/config";
import { builtinFacts, isBuiltinIn, isGateBuiltin } from "../../hooks/contract/builtins.ts";
import { canRefuse } from "../../hooks/contract/client-timeouts.ts";
import { contractOf, type EventName, isEventName, type Profile } from "../../hooks/contract/events.ts";
import { displayName, type MatcherEntry } from "../../hooks/contract/hook.ts";
import { everyHook, isEntry, type PlacedHook } from "../../hooks/contract/placement.ts";
import { PROFILE_RULES } from "../../hooks/contract/profiles.ts";
import { UNREADABLE } from "../../hooks/contract/stored-hooks.ts";
import { shortened } from "../import/client-import.ts";
import { profileNotes } from "./export-notes.ts";
import { type DockerAgentRelease, listReleases, releaseName, releaseTitle } from "./releases.ts";

/** A gate that the release cannot run. */
export interface LostGate {
  readonly hook: string;
  readonly event: string;
  /** The reason, as a sentence. */
  readonly reason: string;
  /** The next step, as a sentence. */
  readonly remedy: string;
}

/** A part of a hook, or a whole hook that is not a gate, that the exported text omits. */
export interface LeftOutPart {
  readonly hook: string;
  readonly event: string;
  readonly reason: string;
}

export interface NativeExport {
  /** docker-agent's own block. Not to be used while `lost` has entries. */
  readonly hooks: HooksConfig;
  readonly lost: readonly LostGate[];
  readonly leftOut: readonly LeftOutPart[];
  /** The release's differences in behaviour, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * The block for a release, from hooks that follow `profile`. `textProfile` is the profile of the policy itself. A gate in that
 * profile counts as a gate, even if other policies of the agent follow a newer profile.
 */
export function exportHooks(
  hooks: HooksConfig,
  profile: Profile,
  release: DockerAgentRelease,
  textProfile: Profile = profile,
): NativeExport {
  const found: Found = { lost: [], leftOut: [] };
  const known = rebuilt(hooks, (placed) => knownPart(placed, textProfile, release, found));
  const checked = withoutRefused(known, textProfile, release, found);
  return {
    hooks: nativeHooks(checked),
    lost: found.lost,
    leftOut: found.leftOut,
    notes: profileNotes(checked, profile, release),
  };
}

interface Found {
  readonly lost: LostGate[];
  readonly leftOut: LeftOutPart[];
}

type ReadEntry = MatcherEntry | HookDefinition;

/** The block with each hook replaced by `change`. Dropped hooks and empty entries are removed. */
function rebuilt(hooks: HooksConfig, change: (placed: PlacedHook) => HookDefinition | null): HooksConfig {
  const byPlace = new Map(everyHook(hooks).map((placed) => [placed.place.join(" "), placed]));
  const kept = (place: readonly (string | number)[]): HookDefinition[] => {
    const placed = byPlace.get(place.join(" "));
    return [placed && change(placed)].filter((hook) => hook !== null && hook !== undefined);
  };
  const events = Object.entries(hooks).map(([event, entries]): [string, ReadEntry[]] => [
    event,
    (entries as readonly ReadEntry[]).flatMap((entry, index): ReadEntry[] => {
      if (!isEntry(entry)) return kept([event, index]);
      const inside = (entry.hooks ?? []).flatMap((_hook, at) => kept([event, index, "hooks", at]));
      return inside.length === 0 ? [] : [{ ...entry, hooks: inside }];
    }),
  ]);
  return Object.fromEntries(events.filter(([, entries]) => entries.length > 0)) as HooksConfig; // holds: entries of their events
}

/** The hook with the parts that the release knows; null if it is lost or left out. */
function knownPart(
  placed: PlacedHook,
  profile: Profile,
  release: DockerAgentRelease,
  found: Found,
): HookDefinition | null {
  const labelled = labelledGate(placed, profile, release);
  if (labelled) found.lost.push(labelled);
  if (labelled) return null;
  const whole = unknownWhole(placed, release);
  const keys = unknownKeys(placed.hook, release);
  const used = keys.filter((key) => !isNeutral(placed.hook[key]));
  const known = { ...placed, hook: withoutKeys(placed.hook, keys) };
  if (whole === null && used.length === 0) return withoutUselessBlock(known, release, found);
  const unknown = whole ?? `${used.length === 1 ? "the key" : "the keys"} ${used.join(", ")}`;
  const reason = `docker-agent ${releaseTitle(release)} does not know ${unknown}.`;
  if (isGate(placed, profile)) {
    found.lost.push({ ...nameOf(placed), reason, remedy: remedyFor(placed, release) });
    return null;
  }
  const part = whole !== null ? "The hook" : `The key ${used.join(", ")}`;
  found.leftOut.push({ ...nameOf(placed), reason: `${part} is left out: ${reason}` });
  return whole === null ? withoutUselessBlock(known, release, found) : null;
}

/** True for a value that equals the default of an absent key. */
const isNeutral = (value: unknown): boolean => value === undefined || value === false || value === "";

function withoutKeys(hook: HookDefinition, keys: readonly string[]): HookDefinition {
  return Object.fromEntries(Object.entries(hook).filter(([key]) => !keys.includes(key)));
}

/** Names the unknown part without which the release cannot run the hook; null if it knows every such part. */
function unknownWhole({ event, hook }: PlacedHook, { profile }: DockerAgentRelease): string | null {
  const { unknownHookTypes, replySchemas } = PROFILE_RULES[profile];
  const { type = "", command = "", schema = "" } = hook;
  if (!isEventName(event, profile)) return `the event ${event}`;
  if (unknownHookTypes.includes(type)) return `hooks of type ${type}`;
  const isUnreleased = builtinFacts(command)?.isUnreleased === true;
  if (type === "builtin" && (isUnreleased || !isBuiltinIn(command, profile))) return `the builtin ${command}`;
  if (type === "model" && schema !== "" && !replySchemas.includes(schema)) return `the reply schema ${schema}`;
  return null;
}

function unknownKeys(hook: HookDefinition, { profile }: DockerAgentRelease): (keyof HookDefinition)[] {
  // Rules become a command, whose keys every release knows.
  if (hook.type === "rules") return [];
  const { unknownHookKeys, strictOutput } = PROFILE_RULES[profile];
  const unknown: readonly string[] = [...unknownHookKeys, ...(strictOutput ? [] : ["strict_output"])];
  // Holds: a parsed hook has only keys of its schema.
  return (Object.keys(hook) as (keyof HookDefinition)[]).filter((key) => unknown.includes(key));
}

/** `safer_shell`, if it is a gate in the policy and a label in the release. */
function labelledGate(placed: PlacedHook, profile: Profile, release: DockerAgentRelease): LostGate | null {
  const { event, hook } = placed;
  const isGateHere = hook.command === "safer_shell" && isGateBuiltin("safer_shell", profile);
  if (hook.type !== "builtin" || event !== "pre_tool_use" || !isGateHere || release.asksSaferShell) return null;
  const gate = isEventName("tool_guard", release.profile) ? "tool_guard" : "pre_tool_use with preempt_yolo: true";
  return {
    ...nameOf(placed),
    reason: `docker-agent ${releaseTitle(release)} only labels commands with safer_shell and asks nobody, so this gate would be gone.`,
    remedy: `Put a gate on ${gate}: a hook with rules, a command or a judge. Then take safer_shell out of the policy.`,
  };
}

/** True if calls, texts or secrets would pass without the hook. */
function isGate({ event, hook }: PlacedHook, profile: Profile): boolean {
  // It denies instead of an unreadable hook, on every event. It is dropped only with an event that the release never raises.
  if (hook.type === UNREADABLE) return false;
  const contract = contractOf(event, profile);
  const refuses = canRefuse(contract) || contract.rewrites !== "nothing";
  return refuses && (hook.type !== "builtin" || isGateBuiltin(hook.command, profile));
}

const OTHER_EVENT: Readonly<Partial<Record<EventName, string>>> = {
  tool_guard: "put the hook on pre_tool_use with preempt_yolo: true",
  tool_input_transform: "put the hook on pre_tool_use",
};

/** Names the first newer release that runs the hook, and the alternatives. */
function remedyFor(placed: PlacedHook, release: DockerAgentRelease): string {
  const newer = listReleases()
    .slice(0, listReleases().indexOf(release))
    .findLast((one) => unknownWhole(placed, one) === null && unknownKeys(placed.hook, one).length === 0);
  const ways = [
    ...(newer ? [`export for docker-agent ${releaseName(newer)} or later`] : []),
    isEventName(placed.event, release.profile) ? undefined : OTHER_EVENT[placed.event],
    "take the hook out of the policy",
  ].filter((way) => way !== undefined);
  const text = ways.join(", or ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** In newer profiles, docker-agent refuses a whole file for `on_error: block` on an event that cannot block. */
function withoutUselessBlock(placed: PlacedHook, { profile }: DockerAgentRelease, found: Found): HookDefinition {
  const { event, hook } = placed;
  if (hook.on_error !== "block" || !PROFILE_RULES[profile].checksAtLoad || canRefuse(contractOf(event, profile)))
    return hook;
  const { on_error: _block, ...rest } = hook;
  found.leftOut.push({
    ...nameOf(placed),
    reason: `The key on_error is left out: nothing can be blocked on ${event}.`,
  });
  return rest;
}

/** The block without hooks that make the release refuse the whole file. A gate among them counts as lost. */
function withoutRefused(hooks: HooksConfig, profile: Profile, release: DockerAgentRelease, found: Found): HooksConfig {
  if (refusalOf(hooks, release) === null) return hooks;
  const block = rebuilt(hooks, (placed) => {
    const message = refusalOf(aloneIn(placed, profile), release);
    if (message === null) return placed.hook;
    const reason = `docker-agent ${releaseTitle(release)} refuses it: ${message}.`;
    if (isGate(placed, profile))
      found.lost.push({ ...nameOf(placed), reason, remedy: "Change the hook, or take it out of the policy." });
    else found.leftOut.push({ ...nameOf(placed), reason: `The hook is left out: ${reason}` });
    return null;
  });
  const message = refusalOf(block, release);
  if (message !== null)
    found.lost.push({
      ...{ hook: "all hooks", event: "all events" },
      reason: `docker-agent ${releaseTitle(release)} refuses the block: ${message}.`,
      remedy: "Change the policy.",
    });
  return block;
}

/** The release's first problem with a block; null if the release accepts it. */
function refusalOf(hooks: HooksConfig, { profile }: DockerAgentRelease): string | null {
  const parsed = parseHooks(nativeHooks(hooks), profile);
  return parsed.ok ? null : (parsed.problems[0]?.message ?? "it cannot be read");
}

function aloneIn({ event, matcher, hook }: PlacedHook, profile: Profile): HooksConfig {
  const listed = contractOf(event, profile).matchesTools ? { matcher: matcher ?? "", hooks: [hook] } : hook;
  return { [event]: [listed] } as HooksConfig; // holds: an entry where the event has matchers, else a hook
}

const NAME_CHARACTERS_MAX = 80;

function nameOf({ event, hook }: PlacedHook): { hook: string; event: string } {
  const name = shortened(displayName(hook));
  return { hook: name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX - 1)}…` : name, event };
}
