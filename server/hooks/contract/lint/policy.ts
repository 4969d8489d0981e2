/** A hooks block in the form that rules examine: entries with their lanes, hooks with their entries and scripts. */
import { contractOf, type EventContract, type EventName, type Lane, type Profile } from "../events.ts";
import type { HookDefinition, HooksConfig, MatcherEntry } from "../hook.ts";
import { runsOn } from "../placement.ts";
import type { LintContext } from "./context.ts";
import { type Output, outputsOf } from "./outputs.ts";
import { type Script, scriptOf } from "./shell/script.ts";

/** Steps below `hooks`. */
export type HookPath = readonly (string | number)[];

export interface LintedEntry {
  readonly event: EventName;
  readonly lane: Lane;
  /** The contract of the event on this lane. */
  readonly contract: EventContract;
  /** The matcher as written; undefined if absent, and on events without matchers. */
  readonly matcher: string | undefined;
  /** The path below `hooks`; for a flat event, the event. */
  readonly at: HookPath;
  readonly hooks: readonly LintedHook[];
}

export interface LintedHook {
  readonly hook: HookDefinition;
  readonly entry: LintedEntry;
  readonly at: HookPath;
  /** The script of a command hook; null for other hooks and for text that is not shell. */
  readonly script: Script | null;
  /** The outputs that its text shows. */
  readonly outputs: ReadonlySet<Output>;
  readonly runsOn: "server" | "agent";
}

export interface LintedPolicy extends LintContext {
  readonly profile: Profile;
  readonly entries: readonly LintedEntry[];
  readonly hooks: readonly LintedHook[];
}

export function lintedPolicy(hooks: HooksConfig, profile: Profile, context: LintContext): LintedPolicy {
  const entries = Object.entries(hooks).flatMap(([name, list]) => {
    const event = name as EventName; // holds: a HooksConfig has no other keys
    if (!contractOf(event, profile).matchesTools) return [flatEntry(event, profile, list as HookDefinition[])]; // holds: no matchers, so hooks
    return (list as MatcherEntry[]).map((entry, index) => scopedEntry(event, profile, entry, index)); // holds: matchers
  });
  return { ...context, profile, entries, hooks: entries.flatMap((entry) => entry.hooks) };
}

function flatEntry(event: EventName, profile: Profile, list: readonly HookDefinition[]): LintedEntry {
  const contract = contractOf(event, profile);
  return withHooks({ event, lane: "default", contract, matcher: undefined, at: [event] }, list, []);
}

function scopedEntry(event: EventName, profile: Profile, entry: MatcherEntry, index: number): LintedEntry {
  const preempts = entry.preempt_yolo === true && contractOf(event, profile).hasPreemptLane;
  const lane = preempts ? "preempt_yolo" : "default";
  const base = { event, lane, contract: contractOf(event, profile, lane), matcher: entry.matcher } as const;
  return withHooks({ ...base, at: [event, index] }, entry.hooks ?? [], ["hooks"]);
}

function withHooks(
  base: Omit<LintedEntry, "hooks">,
  list: readonly HookDefinition[],
  below: readonly string[],
): LintedEntry {
  const hooks: LintedHook[] = [];
  const entry: LintedEntry = { ...base, hooks };
  for (const [index, hook] of list.entries()) {
    const script = hook.type === "command" && hook.command ? scriptOf(hook.command) : null;
    const at = [...base.at, ...below, index];
    hooks.push({ hook, entry, at, script, outputs: outputsOf(hook, script), runsOn: runsOn(hook) });
  }
  return entry;
}
