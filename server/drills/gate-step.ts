/**
 * The drill step of a call: a call with a valid nonce is judged like any other, denied, and left out of all figures.
 */
import type { Verdict } from "@quarterdeck/hooks";
import type { Decided, GateCall, GateStep, Next } from "../dispatches/index.ts";
import { drillAnswer, isDrilled, policyWordOf } from "./drill-verdict.ts";
import type { DrillCall, DrillCalls } from "./service.ts";

declare module "../dispatches/gate-step.ts" {
  interface GateCall {
    drill?: DrillCall;
    /** The verdict of the steps after this one. */
    drilledVerdict?: Verdict;
  }
}

export function createDrillsStep(drills: DrillCalls): GateStep {
  async function look(call: GateCall): Promise<void> {
    const drill = await drills.find(call.actor, call.request.input.session_id);
    if (drill === null) return;
    call.drill = drill;
    call.isDrill = true;
    call.asker = { ...call.asker, request: null };
  }

  return {
    name: "drills",
    before: (call) => (isDrilled(call.request.event) ? look(call) : undefined),
    decide: (call, next) => (call.isDrill ? drilled(call, next) : next(call)),
    after({ actor, drill, drilledVerdict }, outcome) {
      return outcome && drill && drilledVerdict ? drills.note(actor, drill, policyWordOf(drilledVerdict)) : undefined;
    },
  };
}

async function drilled(call: GateCall, next: Next): Promise<Decided> {
  const { halted: _, ...own } = await next(call);
  call.drilledVerdict = own.verdict;
  return { ...own, ...drillAnswer(own, call.request), observed: [] };
}
