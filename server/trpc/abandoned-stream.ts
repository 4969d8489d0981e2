/**
 * A stream whose failures always have a taker. tRPC asks for the next value before it has sent the last one; when the reader
 * has left by then, it drops that promise, and its failure would end the process as one that nobody caught.
 */
export function ignoreAbandonedFailures<T>(inside: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const steps = inside[Symbol.asyncIterator]();
      return {
        next() {
          const step = steps.next();
          // Whoever waits for it hears of it all the same.
          step.catch(() => undefined);
          return step;
        },
        return: async (value) => (await steps.return?.(value)) ?? { done: true, value },
      };
    },
  };
}
