/** Sends the question of an evaluator hook, and records the answer. */
import { askOnRecord, QUESTION_CHARS_MAX } from "../../ask-on-record.ts";
import { printExactJson } from "../../contract/exact-json.ts";
import type { JudgeCall } from "../../contract/judge.ts";
import { truncateText } from "../../contract/truncate-text.ts";
import type { HandlerCall, HookPath } from "../../engine/ports.ts";
import type { Evaluator, EvaluatorAnswer } from "./client.ts";
import { EvaluatorRefusal } from "./client.ts";

export interface Asking {
  readonly hook: { readonly evaluator?: string | undefined };
  readonly place: HookPath;
  readonly call: HandlerCall;
  readonly signal: AbortSignal;
}

/** Errors: rejects with the evaluator's own error, or when the signal ends it first. */
export function ask(
  evaluator: Evaluator,
  state: Readonly<Record<string, unknown>>,
  { hook, place, call, signal }: Asking,
): Promise<EvaluatorAnswer | null> {
  const { model, instructions } = evaluator;
  const prompt = printExactJson(state);
  const judge: JudgeCall = {
    model,
    ...(hook.evaluator && { evaluator: hook.evaluator }),
    ...(instructions !== undefined && { system: instructions }),
    prompt: truncateText(prompt, QUESTION_CHARS_MAX, ""),
  };
  call.note(judge);
  const question = { state, asker: place, timeoutMs: call.timeoutMs };
  const put = async () => {
    if (prompt.length <= QUESTION_CHARS_MAX) return await evaluator.evaluate(question, signal);
    throw new EvaluatorRefusal(`the state is longer than ${QUESTION_CHARS_MAX} characters`, "too_large");
  };
  return askOnRecord(judge, signal, put, (answer) => answer && { ...answer, text: textOf(answer) });
}

/** The answer for the record, without values that have their own fields there. */
const textOf = ({ type, choice, probability, probabilities }: EvaluatorAnswer): string =>
  JSON.stringify({ type, choice, probability, probabilities });
