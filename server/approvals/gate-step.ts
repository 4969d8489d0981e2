/** The people step of a call: asks people when its rules ask, and spends their grant with the record. */
import type { CallJudge, Decided, GateStep } from "../dispatches/index.ts";
import { GrantLostError } from "../recording/index.ts";
import { askPeople, type PeopleAsked, refuseLostGrant } from "./ask-people.ts";
import { createGrantHold, type GrantHold } from "./grant-hold.ts";

declare module "../dispatches/gate-step.ts" {
  interface GateCall {
    /** People are asked once, however often the call is decided. */
    answered?: Promise<Decided>;
    grantHold?: GrantHold;
    isGrantLost?: boolean;
  }
}

export function createPeopleStep(approvals: PeopleAsked, judge: CallJudge): GateStep {
  return {
    name: "approvals",
    async decide(call, next) {
      if (call.isDrill) return next(call);
      call.answered ??= next(call).then((own) => askPeople(approvals, judge, call, own));
      const decided = await call.answered;
      if (decided.grant === undefined) return decided;
      if (call.isGrantLost) return refuseLostGrant(judge, call, decided);
      call.grantHold ??= createGrantHold(approvals, call.actor.workspaceId, call.id);
      call.grantHold.hold(decided.grant);
      return decided;
    },
    async failed(call, error) {
      if (call.grantHold === undefined) return undefined;
      if (!(error instanceof GrantLostError)) return (await call.grantHold.release()) ? "stored" : undefined;
      call.grantHold.lose();
      call.isGrantLost = true;
      return "again";
    },
    async after(call, outcome) {
      const isSpent = outcome?.decided.grant !== undefined && outcome.recorded.kind === "stored";
      if (!isSpent) await call.grantHold?.release();
    },
  };
}
