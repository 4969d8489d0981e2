/**
 * The runaway step of a call: it stores the outcomes of tools where rules count them. The rules decide as the builtin
 * `repeat_guard`.
 */
import type { EventName, HookInput } from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import type { GateStep } from "../dispatches/index.ts";
import type { Plans } from "../policies/index.ts";
import type { RepeatGuards } from "./guard.ts";

/** The event that says how a tool ended. */
const OUTCOME: EventName = "post_tool_use";

export function createRunawayStep(guards: Pick<RepeatGuards, "noteOutcome">, plans: Plans): GateStep {
  const note = async (actor: AgentActor, input: HookInput, request: string) =>
    guards.noteOutcome(actor, await plans.planFor(actor), input, request);

  return {
    name: "runaway rules",
    before({ actor, request, delivery, id }) {
      return request.event === OUTCOME ? note(actor, request.input, delivery?.eventId ?? id) : undefined;
    },
    async reported(actor, { event, input, eventId }) {
      if (event === OUTCOME) await note(actor, input, eventId);
    },
  };
}
