/** Records one question to a model or an evaluator, from the start until it is answered, refused or timed out. */
import type { JudgeCall } from "./contract/judge.ts";
import { truncateText } from "./contract/truncate-text.ts";
import { type JudgeFacts, JudgeRefusal } from "./judge-refusal.ts";

/** The limit for a question. A longer one is refused, not truncated: a truncated question may have another answer. */
export const QUESTION_CHARS_MAX = 1_048_576;
/** The limit for a reply, far more than a decision or a note needs. A longer reply is invalid. */
export const REPLY_CHARS_MAX = 262_144;

/**
 * The answer of `ask`. Fills in `judge` as it becomes known.
 *
 * Errors: rejects with the client's own error, or when the signal ends it first.
 */
export async function askOnRecord<Answer>(
  judge: JudgeCall,
  signal: AbortSignal,
  ask: () => Promise<Answer>,
  factsOf: (answer: Answer) => JudgeFacts | null,
): Promise<Answer> {
  const beganMs = performance.now();
  try {
    // A client that ignores the signal must not delay the hook past its deadline.
    const answer = await Promise.race([ask(), ended(signal)]);
    const facts = factsOf(answer);
    if (facts) record(judge, facts);
    if (facts?.text !== undefined && facts.text.length > REPLY_CHARS_MAX)
      throw new JudgeRefusal("too_large", `the reply is longer than ${REPLY_CHARS_MAX} characters`);
    return answer;
  } catch (error) {
    if (error instanceof JudgeRefusal) record(judge, error.spent);
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
  return error instanceof JudgeRefusal ? error.code : "provider_error";
}

function record(judge: JudgeCall, { text, usage, costNanoUsd, provider, model, skipped }: JudgeFacts): void {
  if (text !== undefined) judge.reply = truncateText(text, REPLY_CHARS_MAX, "");
  if (usage) judge.usage = usage;
  if (costNanoUsd !== undefined || text !== undefined) judge.costNanoUsd = costNanoUsd ?? null;
  if (provider !== undefined) judge.provider = provider;
  if (model !== undefined) judge.answeredBy = model;
  if (skipped) judge.skipped = skipped;
}
