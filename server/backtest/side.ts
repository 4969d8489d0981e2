/** One of the two texts that are compared: which of its hooks an event would run, and which of those cannot be run here. */

import {
  contractOf,
  type HookDefinition,
  type HooksConfig,
  isEventName,
  type Profile,
  runsOn,
} from "@quarterdeck/hooks";
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { type Guard, listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";

export interface Side {
  readonly profile: Profile;
  readonly guards: readonly Guard[];
}

/** The side of a single text. */
export interface TextSide extends Side {
  readonly hooks: HooksConfig;
}

export const NOTHING: TextSide = { hooks: {}, profile: "2026-07", guards: [] };

export function sideOf(hooks: HooksConfig, profile: Profile): TextSide {
  return { hooks, profile, guards: listGuards(hooks) };
}

/** Selections by event, lane and tool. Recorded calls name few tools, but a hostile agent may name many. */
const SELECTIONS_MAX = 2_000;
const selections = new WeakMap<Side, Map<string, Guard[]>>();

/** The guards that an event selects, in order. */
export function selected(side: Side, event: string, lane: string, tool: string): Guard[] {
  const known = selections.get(side) ?? new Map<string, Guard[]>();
  selections.set(side, known);
  const key = `${event} ${lane} ${tool}`;
  const found = known.get(key) ?? select(side, event, lane, tool);
  if (known.size < SELECTIONS_MAX) known.set(key, found);
  return found;
}

const select = (side: Side, event: string, lane: string, tool: string): Guard[] =>
  side.guards.filter((guard) => {
    if (guard.event !== event || guard.preempt !== (lane === "preempt_yolo")) return false;
    const matcher = compileMatcher(guard.matcher ?? "");
    return guard.matcher === undefined || (matcher.ok && matcher.matches(tool));
  });

/** The reason why a hook is not run for a comparison; null when it is. */
export function whyNotRun(hook: HookDefinition, isContained: boolean): string | null {
  if (hook.type === "model") return "a judge would have to be asked";
  if (runsOn(hook) === "agent") return "a hook beside the agent would have to run";
  if (hook.network === true || (hook.type === "builtin" && hook.command === "http_post"))
    return "a hook would have used the network";
  if (hook.type === "command" && !isContained) return "there is no sandbox here to run commands in";
  return null;
}

/** The events of these texts on which something can be stopped or decided. */
export function gatesOf(sides: readonly Side[]): string[] {
  const isGate = (event: string, profile: Profile) => {
    if (!isEventName(event, profile)) return false;
    const { canBlock, decides, approves } = contractOf(event, profile);
    return canBlock || decides || approves;
  };
  const named = sides.flatMap(({ guards, profile }) => guards.filter(({ event }) => isGate(event, profile)));
  return [...new Set(named.map(({ event }) => event))];
}
