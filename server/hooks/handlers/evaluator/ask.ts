/** One question to an evaluator, on record from the moment it is put until it is answered, refused or out of time. */
import type { JudgeCall } from "../../contract/judge.ts";
import { truncateText } from "../../contract/truncate-text.ts";
import type { HandlerCall, HookPath } from "../../engine/ports.ts";
import type { Evaluator, EvaluatorAnswer } from "./client.ts";
import { EvaluatorRefusal } from "./client.ts";

/** The largest state an evaluator is sent. Larger is refused, not cut: half a question has another answer. */
export const STATE_CHARS_MAX = 1_048_576;

export interface Asking {
  readonly hook: { readonly evaluator?: string | undefined };
  readonly place: HookPath;
  readonly call: HandlerCall;
  readonly signal: AbortSignal;
}

/** Errors: rejects with the evaluator's own error, or when the signal ends it first. */
export async function ask(
  evaluator: Evaluator,
  state: Readonly<Record<string, unknown>>,
  { hook, place, call, signal }: Asking,
): Promise<EvaluatorAnswer | null> {
  const prompt = JSON.stringify(state);
  const judge: JudgeCall = { model: evaluator.model, ...(hook.evaluator && { evaluator: hook.evaluator }) };
  judge.prompt = truncateText(prompt, STATE_CHARS_MAX, "");
  call.note(judge);
  if (prompt.length > STATE_CHARS_MAX) {
    judge.cause = "too_large";
    throw new EvaluatorRefusal(`the state is longer than ${STATE_CHARS_MAX} characters`);
  }
  const beganMs = performance.now();
  try {
    // A client that does not listen must not keep the hook past its time.
    const question = { state, asker: place, timeoutMs: call.timeoutMs };
    const answer = await Promise.race([evaluator.evaluate(question, signal), ended(signal)]);
    record(judge, answer);
    return answer;
  } catch (error) {
    judge.cause = causeOf(error, signal);
    throw error;
  } finally {
    judge.latencyMs = performance.now() - beganMs;
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function causeOf(error: unknown, signal: AbortSignal): NonNullable<JudgeCall["cause"]> {
  if (signal.aborted)
    return signal.reason instanceof Error && signal.reason.name === "TimeoutError" ? "timeout" : "cancelled";
  return error instanceof EvaluatorRefusal ? "over_budget" : "provider_error";
}

function record(judge: JudgeCall, answer: EvaluatorAnswer | null): void {
  if (answer === null) return;
  const { usage, costNanoUsd = null, model, type, choice, probability, probabilities } = answer;
  judge.reply = truncateText(JSON.stringify({ type, choice, probability, probabilities }), STATE_CHARS_MAX, "");
  judge.costNanoUsd = costNanoUsd;
  if (usage) judge.usage = usage;
  if (model !== undefined) judge.answeredBy = model;
}
