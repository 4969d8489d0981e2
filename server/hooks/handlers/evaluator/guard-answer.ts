/** Converts an evaluator's answer about a tool call to a verdict. A failure never becomes the fallback. */
import type { EvaluatorPolicy } from "../../contract/evaluator-policies.ts";
import type { EventName } from "../../contract/events.ts";
import type { HookOutput } from "../../contract/output.ts";
import type { EvaluatorAnswer } from "./client.ts";
import { answerFacts, isProbability, shortestDecimal } from "./facts.ts";

const MATCHED = "Evaluator policy matched the selected outcome.";
const FELL_BACK = "Evaluator policy fallback applied.";

/** The verdict of an evaluator's answer. Errors: throws if the answer is missing or invalid. */
export function guardAnswer(
  answer: EvaluatorAnswer | null,
  evaluator: string,
  policy: EvaluatorPolicy,
  event: EventName,
): HookOutput {
  if (answer === null) throw new Error("missing evaluator result");
  const { outcome, probability } = outcomeOf(answer);
  const decisions = policy.decisions ?? {};
  const verdict = Object.hasOwn(decisions, outcome) ? decisions[outcome] : undefined;
  const counts = verdict !== undefined && probability >= (policy.min_probability ?? 1);
  return {
    hook_specific_output: {
      hook_event_name: event,
      permission_decision: counts ? verdict : policy.fallback,
      permission_decision_reason: counts ? MATCHED : FELL_BACK,
      metadata: {
        ...answerFacts(evaluator, answer),
        evaluator_choice: outcome,
        evaluator_probability: shortestDecimal(probability),
      },
    },
  };
}

function outcomeOf(answer: EvaluatorAnswer): { outcome: string; probability: number } {
  if (answer.type === "boolean") {
    const probability = checked(answer.probability, "missing boolean probability");
    return probability >= 0.5 ? { outcome: "true", probability } : { outcome: "false", probability: 1 - probability };
  }
  if (answer.type !== "choice") throw new Error("tool guards require a boolean or choice evaluator result");
  const { choice = "", probabilities = {} } = answer;
  if (choice.trim() === "") throw new Error("missing evaluator choice");
  const given = Object.hasOwn(probabilities, choice) ? probabilities[choice] : undefined;
  return { outcome: choice, probability: checked(given, "missing selected choice probability") };
}

function checked(probability: number | undefined, whenMissing: string): number {
  if (probability === undefined) throw new Error(whenMissing);
  if (!isProbability(probability)) throw new Error("invalid evaluator probability");
  return probability;
}
