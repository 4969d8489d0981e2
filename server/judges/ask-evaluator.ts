/** Sends one question to an evaluator over HTTP, and checks the answer. */
import { type EvaluatorAnswer, EvaluatorRefusal } from "@quarterdeck/hooks";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { JudgeUsage } from "@quarterdeck/hooks/contract/judge";
import type { ResolvedEvaluator } from "@quarterdeck/hooks/contract/resolved-evaluator";
import { z } from "zod";
import { ProviderFault, statusFault } from "./fault.ts";
import type { Endpoint } from "./provider-answer.ts";

type State = Readonly<Record<string, unknown>>;

export interface EvaluatorReply {
  /** The answer, as one of the definition's values. */
  readonly answer: EvaluatorAnswer;
  /** Null when the provider reported none. */
  readonly usage: JudgeUsage | null;
}

const PATH = "/v1/systemone";
/** The name of the one question in a request. */
const QUESTION = "evaluation";
/** The provider may round each probability. */
const SUM_TOLERANCE = 0.001;

/** The provider's word for a type. */
const WIRE_TYPES = { boolean: "noul", choice: "choice" } as const satisfies Record<ResolvedEvaluator["type"], string>;

const tokens = z.int().nonnegative().nullish();
const usageSchema = z.object({ input_tokens: tokens, output_tokens: tokens }).nullish();
const probability = z.number().min(0).max(1);
const answerSchema = z.object({
  type: z.string(),
  noul: probability.nullish(),
  choice: z.string().nullish(),
  probabilities: z.record(z.string(), probability).nullish(),
  confidence: probability.nullish(),
});
const replySchema = z.object({
  model: z.string().refine((name) => name.trim() !== ""),
  answers: z.object({ [QUESTION]: answerSchema }),
});

/** The request's body. The state is inserted as text, so that numbers keep their digits. */
export function evaluatorRequest({ model, type, instructions, choices }: ResolvedEvaluator, state: State): string {
  const question = { type: WIRE_TYPES[type], instructions, ...(choices && { criteria: choices }) };
  return printExactJson({ model, state, questions: { [QUESTION]: question } });
}

/**
 * Asks once. Errors: a `ProviderFault`; an `EvaluatorRefusal` when the reported usage cannot be accounted for; the signal's reason.
 */
export async function askEvaluator(
  { baseUrl, credential, fetch }: Endpoint,
  evaluator: ResolvedEvaluator,
  body: string,
  signal: AbortSignal,
): Promise<EvaluatorReply> {
  const response = await fetch(new URL(`${baseUrl.replace(/\/+$/, "")}${PATH}`), {
    method: "POST",
    headers: { authorization: `Bearer ${credential ?? ""}`, "content-type": "application/json" },
    body,
    signal,
  });
  const reply = parsed(await response.text());
  const usage = usageOf(reply);
  const more = usage === null ? {} : { usage };
  if (response.status !== 200) throw statusFault(response.status, `answered HTTP ${response.status}`, more);
  const read = replySchema.safeParse(reply);
  if (!read.success) {
    const at = read.error.issues[0]?.path.join(".") ?? "";
    const says = at === "" ? "gave an answer that is not an evaluator's" : `gave an answer without a valid ${at}`;
    throw new ProviderFault("provider_error", says, more);
  }
  const { model, answers } = read.data;
  const problem = answerProblem(answers[QUESTION], evaluator);
  if (problem !== null) throw new ProviderFault("provider_error", `gave an answer ${problem}`, more);
  return { answer: { model, ...answerOf(answers[QUESTION], evaluator) }, usage };
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
}

/** The tokens of an answer; null when both numbers were not reported. */
function usageOf(reply: unknown): JudgeUsage | null {
  const given = typeof reply === "object" && reply !== null && "usage" in reply ? reply.usage : null;
  const read = usageSchema.safeParse(given);
  const { input_tokens: input, output_tokens: output } = read.data ?? {};
  if (!read.success || (input ?? 0) + (output ?? 0) > Number.MAX_SAFE_INTEGER)
    throw new EvaluatorRefusal("the provider reported an invalid token usage", "provider_error");
  return typeof input === "number" && typeof output === "number" ? { inputTokens: input, outputTokens: output } : null;
}

type WireAnswer = z.infer<typeof answerSchema>;

/** The problem that keeps an answer from being used; null when it can be. */
function answerProblem({ type, noul, choice, probabilities }: WireAnswer, evaluator: ResolvedEvaluator): string | null {
  if (type !== WIRE_TYPES[evaluator.type]) return "of another type than the question";
  if (evaluator.type === "boolean") return typeof noul === "number" ? null : "without a probability";
  const names = Object.keys(evaluator.choices ?? {});
  const given = Object.entries(probabilities ?? {});
  if (given.length !== names.length || !given.every(([name]) => names.includes(name)))
    return "whose probabilities are not those of the choices";
  if (Math.abs(given.reduce((sum, [, one]) => sum + one, 0) - 1) > SUM_TOLERANCE)
    return "whose probabilities do not add up to 1";
  const chosen = given.find(([name]) => name === choice)?.[1];
  if (chosen === undefined) return "with a choice that does not exist";
  return given.some(([, one]) => one > chosen) ? "whose choice is not the most probable" : null;
}

function answerOf({ noul, choice, probabilities }: WireAnswer, { type }: ResolvedEvaluator): EvaluatorAnswer {
  if (type === "boolean") return { type, probability: noul ?? undefined };
  return { type, choice: choice ?? undefined, probabilities: probabilities ?? undefined };
}
