/** Shadow mode on the way of a call: policies that are only observed run once the agent has its answer. */

import type { GateStep } from "../dispatches/index.ts";
import { agentNameOf, isGate } from "../dispatches/index.ts";
import type { ShadowRunner } from "./shadow-runner.ts";

export function createShadowStep(runner: Pick<ShadowRunner, "observe">): GateStep {
  return {
    name: "shadow mode",
    after({ actor, request, id, at }, outcome) {
      if (!outcome?.isAnswered || outcome.decided.observed.length === 0) return;
      const { event, lane, input, text } = request;
      const { verdict, observed } = outcome.decided;
      runner.observe({
        workspaceId: actor.workspaceId,
        dispatchId: id,
        occurredAt: at,
        agentId: actor.id,
        agentName: agentNameOf(actor, input),
        credential: actor,
        event,
        lane,
        input,
        bytes: text.length,
        decided: verdict,
        isGate: isGate(event),
        observed,
      });
    },
  };
}
