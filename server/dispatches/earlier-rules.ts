/**
 * The rules of a call's earlier gates, added to the question that counts as the call (server/recording/gated-call.ts).
 */
import { type EventName, hasHooksForTool, isEventName } from "@quarterdeck/hooks";
import { stagesBefore } from "../dialects/index.ts";
import type { EffectivePlan } from "../policies/index.ts";
import type { DispatchRecord } from "../recording/index.ts";
import type { DispatchRequest } from "./dispatch-request.ts";

const CALL: EventName = "pre_tool_use";
const FINAL: EventName = "on_tool_approval_decision";

/** Undefined where no hook of an earlier gate is for this tool, and for events that are no call's last gate. */
export function earlierRulesOf(
  { executor, profile }: Pick<EffectivePlan, "executor" | "profile">,
  { event, lane, input, saidBefore = null }: DispatchRequest,
): DispatchRecord["earlierRules"] {
  if (event !== FINAL && (event !== CALL || lane !== "default")) return undefined;
  if (saidBefore !== null) return saidBefore;
  const tool = input.tool_name ?? "";
  const isRun = stagesBefore(CALL).some(
    (stage) => isEventName(stage.event, profile) && hasHooksForTool(executor.plan, stage.event, stage.lane, tool),
  );
  return isRun ? "ran" : undefined;
}
