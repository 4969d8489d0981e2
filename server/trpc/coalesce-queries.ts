/**
 * Equal questions are answered together: people who look at the same page ask the same when something changes, and each answer
 * reads thousands of rows. A question never joins an answer that was begun before it was asked, so whatever its asker changed
 * before is in it: while one is made, all that come are answered by the next.
 */

export type QueryCoalescer<Answer> = (question: string, answer: () => Promise<Answer>) => Promise<Answer>;

interface UnderWay<Answer> {
  /** Settles when the answer is there, or has failed. */
  readonly over: Promise<unknown>;
  next: Promise<Answer> | null;
}

/** Answers, failures included, are shared as they are: nobody may change one. `question` names all that the answer depends on. */
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
 * The input as a text that no other input has; null where it has none (nested too deep). It is not checked yet, and may hold
 * whatever a sender thinks of: nothing is made of it but text.
 */
export function questionText(input: unknown): string | null {
  try {
    return JSON.stringify(input, typed);
  } catch {
    return null;
  }
}

/** A value that is no JSON keeps its type, under a key that no text that is taken has. */
function typed(this: unknown, key: string, value: unknown): unknown {
  const raw: unknown = Reflect.get(Object(this), key);
  if (raw instanceof Date) return { "\0date": raw.getTime() };
  if (typeof raw === "bigint") return { "\0bigint": String(raw) };
  return raw === undefined ? { "\0": "undefined" } : value;
}
