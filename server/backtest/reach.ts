/** The recorded events that a text's rules would read, and the rules that none of them reaches. Pure: nothing is run. */

import { contractOf, type EventName, type Lane } from "@quarterdeck/hooks";
import { type Guard, guardLabel } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import type { SampleRow } from "./repository.ts";
import type { ImpactView } from "./schema.ts";
import { type Side, selected } from "./side.ts";

export type RecordedCall = Pick<SampleRow, "event" | "lane" | "tool_name" | "has_early" | "asks_early">;

/** The maximum number of listed rules; `unreachedCount` counts all of them. */
const UNREACHED_MAX = 20;

/**
 * The lanes that a record represents, in the order of their passes. A record of the default lane represents both lanes
 * if its agent asks through the early lane and the same call has no early record. Otherwise no hook of the early lane
 * would see the call.
 */
export function listImpliedLanes(row: RecordedCall): readonly Lane[] {
  if (row.lane !== "default") return ["preempt_yolo"];
  return row.asks_early && lacksEarly(row) ? ["preempt_yolo", "default"] : ["default"];
}

const lacksEarly = ({ event, has_early }: RecordedCall): boolean =>
  !has_early && contractOf(event as EventName, "2026-07").hasPreemptLane; // holds: it was sampled by event

export interface Pass {
  readonly lane: Lane;
  readonly guards: readonly Guard[];
}

/** Recorded calls name few tools, but a hostile agent may name many. */
const PASSES_MAX = 2_000;
const passesBySide = new WeakMap<Side, Map<string, readonly Pass[]>>();

/** The hooks that a record selects, with the lane of each pass. Equal for calls that select equal hooks. */
export function selectHooksByLane(side: Side, row: RecordedCall): readonly Pass[] {
  const known = passesBySide.get(side) ?? new Map<string, readonly Pass[]>();
  passesBySide.set(side, known);
  const { event, lane, has_early, asks_early, tool_name } = row;
  const key = `${event} ${lane} ${has_early ? 1 : 0}${asks_early ? 1 : 0} ${tool_name ?? ""}`;
  const found = known.get(key);
  if (found) return found;
  const passes = listImpliedLanes(row).map((own) => ({
    lane: own,
    guards: selected(side, event, own, tool_name ?? ""),
  }));
  if (known.size < PASSES_MAX) known.set(key, passes);
  return passes;
}

export function reachOf(
  side: Side,
  gates: readonly string[],
  sample: readonly RecordedCall[],
): Pick<ImpactView, "reached" | "replayed" | "neverEarly" | "unreached" | "unreachedCount"> {
  const reachedGuards = new Set<Guard>();
  let [reached, replayed, neverEarly] = [0, 0, 0];
  for (const row of sample) {
    const passes = selectHooksByLane(side, row).filter(({ guards }) => guards.length > 0);
    if (passes.length > 0) reached += 1;
    if (isOnlyNearlyReached(side, row)) neverEarly += 1;
    if (row.lane === "default" && passes.some(({ lane }) => lane === "preempt_yolo")) replayed += 1;
    for (const { guards } of passes) for (const guard of guards) reachedGuards.add(guard);
  }
  const missed = side.guards.filter((guard) => gates.includes(guard.event) && !reachedGuards.has(guard));
  return {
    reached,
    replayed,
    neverEarly,
    unreached: missed
      .slice(0, UNREACHED_MAX)
      .map((guard) => ({ rule: guardLabel(guard).slice(1, -1), why: missing(guard, sample) })),
    unreachedCount: missed.length,
  };
}

/** True if a hook of the early lane matches the call, and its agent does not ask through that lane. */
const isOnlyNearlyReached = (side: Side, row: RecordedCall): boolean =>
  row.lane === "default" &&
  !row.asks_early &&
  lacksEarly(row) &&
  selected(side, row.event, "preempt_yolo", row.tool_name ?? "").length > 0;

/** The first part of a rule's condition that no recorded event has: its event, its lane or its tool. */
function missing({ event, preempt, matcher }: Guard, sample: readonly RecordedCall[]): string {
  const ofEvent = sample.filter((row) => row.event === event);
  if (ofEvent.length === 0) return `no ${event} was recorded`;
  const lane: Lane = preempt ? "preempt_yolo" : "default";
  if (!ofEvent.some((row) => listImpliedLanes(row).includes(lane)))
    return preempt ? `no early check of ${event} was recorded` : `no ${event} was recorded after the early check`;
  return `no recorded call used a tool that ${matcher ?? ""} matches`;
}
