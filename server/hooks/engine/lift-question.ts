/** The question of a hook that does not count, because somebody made an exception for the call. */
import type { HookOutput } from "../contract/output.ts";
import type { HookOutcome } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";

/** Names the exception that lifts the hook's question about this call; null where the question stands. */
export type LiftQuestion = (hook: PlannedHook) => Promise<string | null>;

/** True for a hook that asks and does nothing stricter. A denial, a block and a failure are no questions. */
export function isQuestion(outcome: HookOutcome): boolean {
  if (outcome.kind !== "completed" || outcome.output === null) return false;
  const { decision, hook_specific_output: specific } = outcome.output;
  return specific?.permission_decision === "ask" && outcome.output.continue !== false && !decision;
}

/** The outcome without its question; the rest of the output stands. */
export function withoutQuestion(outcome: HookOutcome): HookOutcome {
  if (outcome.kind !== "completed" || outcome.output === null) return outcome;
  const {
    permission_decision: _asked,
    permission_decision_reason: _why,
    ...specific
  } = outcome.output.hook_specific_output ?? {};
  const output: HookOutput = { ...outcome.output, hook_specific_output: specific };
  return { kind: "completed", output };
}
