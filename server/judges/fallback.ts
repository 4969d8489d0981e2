/** Asks a second connection when the first does not answer. */
import { JudgeRefusal, type ModelAnswer } from "@quarterdeck/hooks";
import type { JudgeCause } from "@quarterdeck/hooks/contract/judge";
import { timeLimit } from "@quarterdeck/hooks/contract/time-limit";
import type { Clock } from "../platform/clock.ts";

/** The causes that lie with the connection. A judge that declines, or answers badly, has answered. */
const CAUSES: readonly JudgeCause[] = [
  "timeout",
  "provider_error",
  "no_credential",
  "no_model",
  "over_budget",
  "overloaded",
];
/** The part of the hook's time that the first connection has; the second has the rest. */
const FIRST_SHARE = 0.6;

export interface Attempt {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface FallbackOptions extends Attempt {
  readonly clock: Clock;
  /** The first connection's name. */
  readonly first: string;
}

/**
 * The answer of `ask`, else that of `askSecond`, within one time limit. An answer of the second names the first and its cause.
 *
 * Errors: the refusal of the second, with the first's in its message; the refusal of the first when its cause is the judge's own.
 */
export async function withFallback(
  { timeoutMs, signal, clock, first }: FallbackOptions,
  ask: (attempt: Attempt) => Promise<ModelAnswer>,
  askSecond: (attempt: Attempt) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const untilMs = clock.monotonic() + timeoutMs;
  const firstMs = Math.floor(timeoutMs * FIRST_SHARE);
  let refusal: JudgeRefusal;
  try {
    return await ask({ timeoutMs: firstMs, signal: AbortSignal.any([signal, timeLimit(firstMs)]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof JudgeRefusal) || !CAUSES.includes(error.code)) throw error;
    refusal = error;
  }
  const skipped = { provider: first, cause: refusal.code };
  const spent = refusal.spent.costNanoUsd;
  try {
    const answer = await askSecond({ timeoutMs: Math.max(untilMs - clock.monotonic(), 0), signal });
    return { ...answer, skipped, costNanoUsd: sumOf(answer.costNanoUsd, spent) };
  } catch (error) {
    if (!(error instanceof JudgeRefusal)) throw error;
    const message = `${error.message}; before that ${refusal.message}`;
    throw new JudgeRefusal(error.code, message, { ...error.spent, skipped });
  }
}

/** Null if either is unknown. A first connection that billed nothing counts as 0. */
const sumOf = (answer: bigint | null | undefined, spent: bigint | null | undefined): bigint | null => {
  if (answer === null || answer === undefined || spent === null) return null;
  return answer + (spent ?? 0n);
};
