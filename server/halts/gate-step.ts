/** The halt step of a call: a halt denies the call before any rule runs. */
import type { Decided, GateCall, GateStep } from "../dispatches/index.ts";
import { mergeLocalResult } from "../dispatches/index.ts";
import { AppError } from "../errors/app-error.ts";
import { haltAnswer, haltReason, isHaltable } from "./halt-answer.ts";
import type { HaltInForce, HaltsInForce, WorkspaceHalts } from "./halts-in-force.ts";

declare module "../dispatches/gate-step.ts" {
  interface GateCall {
    halts?: WorkspaceHalts;
  }
}

export function createHaltsStep(halts: HaltsInForce): GateStep {
  function under(call: GateCall, inForce: WorkspaceHalts): void {
    call.halts = inForce;
    call.haltNumber = inForce.number;
  }

  async function look(call: GateCall): Promise<void> {
    under(call, await halts.of(call.actor.workspaceId));
  }

  return {
    name: "halts",
    before: (call) => (isHaltable(call.request.event) ? look(call) : undefined),
    decide(call, next) {
      const { session_id: sessionId, parent_session_id: parentSessionId } = call.request.input;
      // A session's halt reaches the sessions that it began.
      const halt = call.halts?.find({ agentId: call.actor.id, sessionId, parentSessionId });
      if (!halt || call.haltNumber === null) return next(call);
      return Promise.resolve(haltedCall(call, halt, call.haltNumber));
    },
    async failed(call, error) {
      if (call.haltNumber === null || !(error instanceof AppError) || error.code !== "halts_changed") return undefined;
      under(call, await halts.refresh(call.actor.workspaceId, call.haltNumber));
      return "again";
    },
  };
}

/** The denial. Only local hooks may have run, and their verdict does not change it. */
function haltedCall({ request: { event, lane, local } }: GateCall, halt: HaltInForce, number: number): Decided {
  const reason = haltReason(halt);
  const { hooks } = mergeLocalResult(local, { verdict: "deny", reason, hooks: [] });
  return {
    verdict: "deny",
    reason,
    hooks,
    answer: haltAnswer(reason, event, lane),
    revision: "",
    observed: [],
    waitedMs: 0,
    judged: null,
    halted: { id: halt.id, number },
  };
}
