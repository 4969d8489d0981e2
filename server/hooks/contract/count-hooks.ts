/** The number of hooks in a block, event by event. */
import type { HooksConfig } from "./hook.ts";
import { everyHook, runsOn } from "./placement.ts";

export interface EventHookCount {
  readonly event: string;
  readonly hooks: number;
  /** The number of these hooks that run on the agent's machine. */
  readonly agentHooks: number;
}

/** One row for each event in the text, in text order. An event without hooks has a count of 0. */
export function countHooksByEvent(hooks: HooksConfig): EventHookCount[] {
  const rows = new Map(Object.keys(hooks).map((event) => [event, { event, hooks: 0, agentHooks: 0 }]));
  for (const { event, hook } of everyHook(hooks)) {
    const row = rows.get(event);
    if (!row) continue;
    row.hooks += 1;
    if (runsOn(hook) === "agent") row.agentHooks += 1;
  }
  return [...rows.values()];
}

export function countHooks(hooks: HooksConfig): number {
  return everyHook(hooks).length;
}
