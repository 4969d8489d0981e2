/** Selects the hooks of a dispatch: those of every matching entry, in order, each identical hook once. */
import type { EventName, Lane } from "../contract/events.ts";
import { type LanePlan, lanePlan, type Plan, type PlannedHook } from "./plan.ts";

/** The limit of cached names. Tool names are few, but untrusted clients may send many. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_CHARS_MAX = 256;

/** The hooks for a tool name, at the position of their first matching occurrence. */
export function selectHooks(lane: LanePlan, toolName: string): readonly PlannedHook[] {
  const known = lane.selected.get(toolName);
  if (known) return known;
  const byIdentity = new Map<string, [PlannedHook, ...PlannedHook[]]>();
  for (const entry of lane.entries) {
    if (!entry.matches(toolName)) continue;
    for (const hook of entry.hooks) {
      const known = byIdentity.get(hook.identity);
      if (known) known.push(hook);
      else byIdentity.set(hook.identity, [hook]);
    }
  }
  const hooks = [...byIdentity.values()].map(([first, ...repeats]) =>
    repeats.length === 0 ? first : { ...first, repeats },
  );
  if (toolName.length <= REMEMBERED_CHARS_MAX) {
    if (lane.selected.size >= REMEMBERED_MAX) lane.selected.clear();
    lane.selected.set(toolName, hooks);
  }
  return hooks;
}

/** True if a dispatch about this tool would run a hook. */
export function hasHooksForTool(plan: Plan, event: EventName, lane: Lane, toolName: string): boolean {
  const own = lanePlan(plan, event, lane);
  return own !== undefined && selectHooks(own, toolName).length > 0;
}
