/** Converts an evaluator's answer about a task to a route. An unusable answer leads to the agent's default, with the reason. */
import type { RoutingPolicy } from "../../contract/evaluator-policies.ts";
import type { EventName } from "../../contract/events.ts";
import type { HookOutput } from "../../contract/output.ts";
import type { EvaluatorAnswer } from "./client.ts";
import { answerFacts, isProbability, shortestDecimal } from "./facts.ts";

export interface Routing {
  /** The evaluator's name. */
  readonly name: string;
  readonly defaultAgent: string;
  readonly event: EventName;
  readonly policy: RoutingPolicy;
}

export type FallbackReason = "evaluator_failed" | "invalid_result" | "unknown_choice" | "tie" | "below_threshold";

const SUM_TOLERANCE = 0.001;

/** The route for an answer. The first applicable reason leads to the default agent. */
export function routeAnswer(answer: EvaluatorAnswer | null, routing: Routing): HookOutput {
  if (answer === null) return routeFallback("invalid_result", {}, routing);
  const { choice = "", probabilities = {} } = answer;
  const isChoice = answer.type === "choice";
  const facts = { ...answerFacts(routing.name, answer), ...(isChoice && { evaluator_choice: choice }) };
  const routes = routing.policy.routes ?? {};
  if (!isChoice || !isDistribution(probabilities, Object.keys(routes)))
    return routeFallback("invalid_result", facts, routing);
  const agent = Object.hasOwn(routes, choice) ? routes[choice] : undefined;
  const chosen = Object.hasOwn(probabilities, choice) ? probabilities[choice] : undefined;
  if (agent === undefined || chosen === undefined) return routeFallback("unknown_choice", facts, routing);
  const known = { ...facts, evaluator_probability: shortestDecimal(chosen) };
  if (Object.entries(probabilities).some(([other, one]) => other !== choice && one >= chosen))
    return routeFallback("tie", known, routing);
  if (chosen < (routing.policy.min_probability ?? 1)) return routeFallback("below_threshold", known, routing);
  return routeTo(agent, known, routing);
}

/** The route to the default agent. */
export function routeFallback(reason: FallbackReason, facts: Record<string, string>, routing: Routing): HookOutput {
  return routeTo(routing.defaultAgent, { evaluator: routing.name, ...facts, fallback_reason: reason }, routing);
}

function routeTo(agent: string, metadata: Record<string, string>, { event }: Routing): HookOutput {
  const transition = { action: "route", agent };
  return { hook_specific_output: { hook_event_name: event, transition, metadata } };
}

/** True for exactly one probability for each choice, with a sum of 1. */
function isDistribution(probabilities: Readonly<Record<string, number>>, choices: readonly string[]): boolean {
  const values = Object.values(probabilities);
  if (values.length !== choices.length || !choices.every((choice) => Object.hasOwn(probabilities, choice)))
    return false;
  const sum = values.reduce((all, one) => all + one, 0);
  return values.every(isProbability) && Math.abs(sum - 1) <= SUM_TOLERANCE;
}
