/** The transition that a hook's output requests, and the reasons to refuse one. */
import type { EventContract, EventName } from "../contract/events.ts";
import type { HookOutput } from "../contract/output.ts";
import { type Transition, transitionOutput } from "../contract/output-items.ts";

/** The reason to refuse the output's transition; undefined if it is valid or absent. */
export function transitionComplaint(
  output: HookOutput,
  event: EventName,
  { control }: Pick<EventContract, "control">,
): string | undefined {
  const asked = output.hook_specific_output?.transition;
  if (asked === undefined || asked === null) return undefined;
  if (!control) return `${event} does not support transition`;
  const read = transitionOutput.safeParse(asked);
  if (!read.success) return "invalid hook output: transition: wrong shape";
  const { action, agent } = read.data;
  if (action !== "route") return `invalid transition action "${action ?? ""}": expected route`;
  return (agent ?? "").trim() === "" ? "route transition requires an agent" : undefined;
}

/** The transition of a checked output; null without a request. */
export function transitionOf(output: HookOutput): Transition | null {
  const asked = output.hook_specific_output?.transition;
  if (asked === undefined || asked === null) return null;
  const read = transitionOutput.safeParse(asked);
  return read.success ? { action: "route", agent: read.data.agent ?? "" } : null;
}
