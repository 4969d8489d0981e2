/** The policies of an evaluator hook: their schemas, and the rules for parsing a config and for running a hook. */
import { z } from "zod";

const NAME_CHARS_MAX = 200;
/** The maximum number of choices of a choice evaluator. */
const OUTCOMES_MAX = 255;

const name = z.string("must be a text").max(NAME_CHARS_MAX, `must be at most ${NAME_CHARS_MAX} characters`);
const byOutcome = (what: string) =>
  z
    .record(name, name, `must be a mapping of ${what}`)
    .refine((outcomes) => Object.keys(outcomes).length <= OUTCOMES_MAX, `must have at most ${OUTCOMES_MAX} entries`)
    .nullish();
const threshold = z.number("must be a number").nullish();

/** The verdict for each outcome of an evaluator on `tool_guard`. */
export const evaluatorPolicy = z.strictObject({
  decisions: byOutcome("outcomes to verdicts").meta({ description: "allow, ask or deny for each outcome." }),
  min_probability: threshold.meta({ description: "The least probability with which an outcome counts." }),
  fallback: name.nullish().meta({ description: "The verdict where no outcome counts: ask or deny." }),
});
export type EvaluatorPolicy = z.infer<typeof evaluatorPolicy>;

/** The agent for each choice of an evaluator on a control event. */
export const routingPolicy = z.strictObject({
  routes: byOutcome("choices to agents").meta({ description: "The agent for each choice." }),
  min_probability: threshold.meta({ description: "The least probability with which a choice counts." }),
});
export type RoutingPolicy = z.infer<typeof routingPolicy>;

const VERDICTS: readonly unknown[] = ["allow", "ask", "deny"];
const FALLBACKS: readonly unknown[] = ["ask", "deny"];

/** The first problem of an `evaluator_policy`; undefined if it is valid. */
export function evaluatorPolicyComplaint(policy: EvaluatorPolicy | null | undefined): string | undefined {
  if (!policy) return "evaluator_policy is required";
  const decisions = Object.values(policy.decisions ?? {});
  if (decisions.length === 0) return "evaluator_policy.decisions must not be empty";
  if (!isThreshold(policy.min_probability)) return thresholdText("evaluator_policy");
  if (!FALLBACKS.includes(policy.fallback)) return "evaluator_policy.fallback must be ask or deny";
  return decisions.every((verdict) => VERDICTS.includes(verdict))
    ? undefined
    : "evaluator_policy decisions must be allow, ask, or deny";
}

/** The first problem of a `routing_policy`; undefined if it is valid. */
export function routingPolicyComplaint({ routes, min_probability }: RoutingPolicy): string | undefined {
  const entries = Object.entries(routes ?? {});
  if (entries.length === 0) return "routing_policy.routes must not be empty";
  if (!isThreshold(min_probability)) return thresholdText("routing_policy");
  return entries.some((texts) => texts.some(isBlank))
    ? "routing_policy.routes must not contain empty choices or agents"
    : undefined;
}

export const isBlank = (text: string | null | undefined): boolean => (text ?? "").trim() === "";

const isThreshold = (value: number | null | undefined): value is number =>
  typeof value === "number" && value > 0 && value <= 1;

const thresholdText = (policy: string): string => `${policy}.min_probability must be greater than 0 and at most 1`;
