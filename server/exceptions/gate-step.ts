/** The exception step of a call: exceptions in force lift verdicts of its hooks, but never in a drill. */
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
