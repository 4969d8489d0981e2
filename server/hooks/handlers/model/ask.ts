/** One question to a model, on record from the moment it is put until it is answered, refused or out of time. */

import type { JudgeCall } from "../../contract/judge.ts";
import { truncateText } from "../../contract/truncate-text.ts";
import { type ModelAnswer, type ModelClient, type ModelQuestion, ModelRefusal } from "./client.ts";

/** Far more than a decision or a note for the model needs; what is longer is no answer. */
export const REPLY_CHARS_MAX = 262_144;

/**
 * The model's answer. Fills in `judge` as it becomes known.
 *
 * Errors: rejects with the client's own error, or when the signal ends it first.
 */
export async function askModel(
  client: ModelClient,
  question: ModelQuestion,
  judge: JudgeCall,
  signal: AbortSignal,
): Promise<string> {
  const beganMs = performance.now();
  try {
    // A client that does not listen must not keep the hook past its time.
    const answer = await Promise.race([client.ask(question, signal), ended(signal)]);
    record(judge, answer);
    if (answer.text.length > REPLY_CHARS_MAX) {
      throw new ModelRefusal("too_large", `the reply is longer than ${REPLY_CHARS_MAX} characters`);
    }
    return answer.text;
  } catch (error) {
    if (error instanceof ModelRefusal) record(judge, error.spent);
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
  if (signal.aborted) {
    return signal.reason instanceof Error && signal.reason.name === "TimeoutError" ? "timeout" : "cancelled";
  }
  return error instanceof ModelRefusal ? error.code : "provider_error";
}

function record(judge: JudgeCall, said: Partial<ModelAnswer>): void {
  const { text, usage, costNanoUsd, provider, model } = said;
  if (text !== undefined) judge.reply = truncateText(text, REPLY_CHARS_MAX, "");
  if (usage) judge.usage = usage;
  if (costNanoUsd !== undefined || text !== undefined) judge.costNanoUsd = costNanoUsd ?? null;
  if (provider !== undefined) judge.provider = provider;
  if (model !== undefined) judge.answeredBy = model;
}
