/**
 * A signal that aborts with a `TimeoutError` after `ms` milliseconds. Use it wherever the limit stands only behind
 * `AbortSignal.any`: Node 20 holds an `AbortSignal.timeout` there weakly, and a collection of memory takes the limit away.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  // The timer holds the controller, and nobody waits for the timer.
  setTimeout(() => limit.abort(new DOMException("The time for this is over", "TimeoutError")), ms).unref();
  return limit.signal;
}
