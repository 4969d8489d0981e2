/** The facts about an evaluator's answer that a hook reports as metadata. */
import type { EvaluatorAnswer } from "./client.ts";

/** The evaluator, with the type and model of its answer if known. */
export function answerFacts(evaluator: string, { type = "", model = "" }: EvaluatorAnswer): Record<string, string> {
  return {
    evaluator,
    ...(type !== "" && { evaluator_type: type }),
    ...(model.trim() !== "" && { evaluator_model: model }),
  };
}

export const isProbability = (value: number): boolean => value >= 0 && value <= 1;

/** The shortest decimal without an exponent that parses to the same number. */
export function shortestDecimal(value: number): string {
  const text = String(value);
  const [digits = "", exponent] = text.split("e-");
  if (exponent === undefined) return text;
  return `0.${"0".repeat(Number(exponent) - 1)}${digits.replace(".", "")}`;
}
