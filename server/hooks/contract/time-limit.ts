/**
 * A signal that aborts with a `TimeoutError` after `ms` milliseconds. Use it if only `AbortSignal.any` refers to the limit: Node
 * 20 holds an `AbortSignal.timeout` there weakly, so garbage collection can remove the limit.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  // The timer keeps the controller alive but does not keep the process running.
  setTimeout(() => limit.abort(new DOMException("The time for this is over", "TimeoutError")), ms).unref();
  return limit.signal;
}
