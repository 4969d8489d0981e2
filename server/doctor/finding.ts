import type { Finding } from "./schema.ts";

export const ok = (id: string, says: string): Finding => ({ id, state: "ok", says, todo: null });
export const warning = (id: string, says: string, todo: string): Finding => ({ id, state: "warning", says, todo });
export const failure = (id: string, says: string, todo: string): Finding => ({ id, state: "failure", says, todo });
/** The check could not run: neither good nor bad. */
export const unknown = (id: string, error: unknown): Finding => ({
  id,
  state: "unknown",
  says: `The check failed: ${error instanceof Error ? error.message : String(error)}.`,
  todo: "Run the doctor again. If the check still fails, read the server's log.",
});

/** "1 agent", "12 agents". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** "a, b and 3 more". */
export function listed(names: readonly string[], shown = 3): string {
  const first = names.slice(0, shown).join(", ");
  return names.length > shown ? `${first} and ${names.length - shown} more` : first;
}

/** "It answered 500." within another sentence: "it answered 500". */
export const midSentence = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
