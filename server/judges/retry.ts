import type { Clock } from "../platform/clock.ts";
import { ProviderFault } from "./fault.ts";

const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 250;
const BACKOFF_MS_MAX = 4_000;
/** Below this nothing can be asked and answered any more. */
const WORTH_MS = 200;

export interface RetryLimits {
  /** On the monotonic clock: nothing begins after it. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * The first answer that `ask` gives. A temporary fault is retried after a growing pause or the one that the provider
 * names, while the pause and the request fit into the time. A form that the provider rejects is replaced by the next of
 * `forms`.
 *
 * Errors: the last fault; the signal's reason.
 */
export async function withRetry<Form, Answer>(
  { untilMs, signal, clock }: RetryLimits,
  forms: readonly Form[],
  ask: (form: Form) => Promise<Answer>,
): Promise<Answer> {
  let [form, ...others] = forms;
  if (form === undefined) throw new Error("a question without a form");
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(form);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFault)) throw error;
      const next = error.more.isAboutTheRequest ? others[0] : undefined;
      if (next !== undefined) {
        [form, others] = [next, others.slice(1)];
        continue;
      }
      const pauseMs = error.more.retryAfterMs ?? Math.min(BACKOFF_MS * 2 ** (attempt - 1), BACKOFF_MS_MAX);
      const hasTime = clock.monotonic() + pauseMs + WORTH_MS < untilMs;
      if (!error.more.isWorthRetrying || attempt >= ATTEMPTS_MAX || !hasTime) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
