/** The background parts of a process: started in order and stopped in reverse. */

export interface Part {
  readonly name: string;
  start?(): void;
  stop?(): Promise<unknown> | undefined | undefined;
}

export interface Parts {
  start(): void;
  /** Stops every part, also after one that failed. Errors: an `AggregateError` that names each part that failed. */
  stop(): Promise<void>;
}

export function createParts(parts: readonly Part[]): Parts {
  return {
    start() {
      for (const part of parts) part.start?.();
    },
    async stop() {
      const failures: Error[] = [];
      for (const { name, stop } of parts.toReversed())
        try {
          await stop?.();
        } catch (error) {
          failures.push(new Error(`${name} did not stop`, { cause: error }));
        }
      if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
    },
  };
}
