/** Exceptions on the way of a call: those in force lift verdicts of its hooks, never in a drill. */
import type { GateStep } from "../dispatches/index.ts";
import type { ExceptionsInForce } from "./exceptions-in-force.ts";

export function createExceptionsStep(exceptions: ExceptionsInForce): GateStep {
  return {
    name: "exceptions",
    before(call) {
      if (call.isDrill) return;
      const { workspaceId, id: agentId } = call.actor;
      call.lifterFor = (input) => exceptions.lifterFor({ workspaceId, agentId, input });
    },
  };
}
