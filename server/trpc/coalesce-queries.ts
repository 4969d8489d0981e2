/**
 * Equal queries share one answer: people on the same page send the same queries after a change, and each answer reads
 * thousands of rows. A query never joins an answer that began before it, so that it includes all earlier changes of its
 * sender: while one answer is computed, all new queries share the next.
 */

export type QueryCoalescer<Answer> = (question: string, answer: () => Promise<Answer>) => Promise<Answer>;

interface UnderWay<Answer> {
  /** Settles when the answer is there, or has failed. */
  readonly over: Promise<unknown>;
  next: Promise<Answer> | null;
}

/**
 * Results and failures are shared as they are, so callers must not change them. `question` identifies everything that
 * the answer depends on.
 */
export function createQueryCoalescer<Answer>(): QueryCoalescer<Answer> {
  const underWay = new Map<string, UnderWay<Answer>>();

  function begin(question: string, answer: () => Promise<Answer>): Promise<Answer> {
    const given = answer();
    const own: UnderWay<Answer> = { over: given.catch(() => undefined), next: null };
    underWay.set(question, own);
    void own.over.then(() => {
      if (own.next === null) underWay.delete(question);
    });
    return given;
  }

  return (question, answer) => {
    const current = underWay.get(question);
    if (current === undefined) return begin(question, answer);
    current.next ??= current.over.then(() => begin(question, answer));
    return current.next;
  };
}

/**
 * A text that is unique to the input; null when there is no such text (nested too deep). The input is not validated yet
 * and may hold anything, so it is used only as text.
 */
export function questionText(input: unknown): string | null {
  try {
    return JSON.stringify(input, typed);
  } catch {
    return null;
  }
}

/** A value that JSON lacks keeps its type, under a key that no accepted text has. */
function typed(this: unknown, key: string, value: unknown): unknown {
  const raw: unknown = Reflect.get(Object(this), key);
  if (raw instanceof Date) return { "\0date": raw.getTime() };
  if (typeof raw === "bigint") return { "\0bigint": String(raw) };
  return raw === undefined ? { "\0": "undefined" } : value;
}
