/**
 * The rules for a hook on its event that docker-agent checks when it reads a config, since profile 2026-11. Messages are
 * docker-agent's.
 */
import { evaluatorPolicyComplaint, isBlank, routingPolicyComplaint } from "./evaluator-policies.ts";
import type { EventContract, EventName } from "./events.ts";
import type { HookDefinition } from "./hook.ts";
import { GUARD_DECISION, PRE_TOOL_USE_DECISION } from "./judge.ts";

/** The only event where an evaluator gives a verdict. */
export const EVALUATED_EVENT: EventName = "tool_guard";

/** The problem of a model hook on its event; undefined if it is allowed there. */
export function modelComplaint(hook: HookDefinition, contract: EventContract): string | undefined {
  if (hook.type !== "model") return undefined;
  if (hook.schema === GUARD_DECISION && !contract.canBlock) return `${GUARD_DECISION} requires a blocking event`;
  if (hook.schema === PRE_TOOL_USE_DECISION && !contract.decides && !contract.approves)
    return `${PRE_TOOL_USE_DECISION} requires an approval event`;
  return contract.guardsContent && hook.schema !== GUARD_DECISION
    ? `model hooks require schema ${GUARD_DECISION}`
    : undefined;
}

/** The problem of an evaluator or a route on its event; undefined if it is allowed there. */
export function placementComplaint(
  hook: HookDefinition,
  event: EventName,
  { control }: EventContract,
): string | undefined {
  const isEvaluator = hook.type === "evaluator";
  if (isEvaluator && !control && event !== EVALUATED_EVENT)
    return "evaluator hooks are only supported on tool_guard, before_agent_run, and after_agent_complete";
  if (isEvaluator && control && hook.evaluator_policy)
    return "evaluator hooks on this event use routing_policy, not evaluator_policy";
  if (isEvaluator && !control && hook.routing_policy)
    return "evaluator hooks on tool_guard use evaluator_policy, not routing_policy";
  if (hook.type === "model" && control) return "model hooks cannot select routes; use a command or choice evaluator";
  return hook.routing_policy && !isEvaluator && !control
    ? "routing_policy is only supported on before_agent_run and after_agent_complete"
    : undefined;
}

/** The problem of a hook's evaluator fields; undefined if they are valid. */
export function evaluatorComplaint(hook: HookDefinition): string | undefined {
  const { type, evaluator, evaluator_policy, routing_policy } = hook;
  if (type !== "evaluator")
    return evaluator || evaluator_policy || routing_policy ? "evaluator fields require type evaluator" : undefined;
  if (isBlank(evaluator)) return "evaluator is required";
  return routing_policy ? routingPolicyComplaint(routing_policy) : evaluatorPolicyComplaint(evaluator_policy);
}
