/**
 * Handles failures of a stream whose reader has left. tRPC asks for the next value before it has sent the last one. If
 * the reader leaves in between, tRPC drops that promise, and its failure would end the process as an unhandled
 * rejection.
 */
export function ignoreAbandonedFailures<T>(inside: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const steps = inside[Symbol.asyncIterator]();
      return {
        next() {
          const step = steps.next();
          // A caller that awaits the step still gets the failure.
          step.catch(() => undefined);
          return step;
        },
        return: async (value) => (await steps.return?.(value)) ?? { done: true, value },
      };
    },
  };
}
