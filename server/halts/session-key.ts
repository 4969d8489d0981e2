/**
 * Compares session ids. A client names its session, so a halted id is compared in a normalised form: a spelling that
 * looks the same to a person is the same session. Normalising merges more ids than necessary, but never those of two
 * agents.
 */
import { indexKeyText } from "../recording/index.ts";

/** Characters that no text of the record can hold are written as their escapes there. */
const ESCAPES = /\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;
/** Blanks, control and format characters, combining marks, and other invisible characters. */
const UNSEEN = /[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** The mark and hash at the end of an id that the record has cut. */
const CUT = /.…[0-9a-f]{16}$/su;

/** Normalises an id: compatible forms, letter case, and invisible characters. */
function foldSessionId(id: string): string {
  const text = id.replace(ESCAPES, "").normalize("NFKD");
  // There and back: some letters have a lower case that only their upper case shares with others.
  return text.toUpperCase().toLowerCase().normalize("NFKD").replace(UNSEEN, "");
}

/** The halted sessions of one agent, by any spelling of their ids. */
export class HaltedSessions<T> {
  readonly #byId = new Map<string, T>();
  readonly #byBeginning: { readonly beginning: string; readonly value: T }[] = [];
  readonly #first: T | undefined;

  constructor(halted: readonly { readonly id: string; readonly value: T }[]) {
    this.#first = halted[0]?.value;
    for (const { id, value } of halted) {
      const known = indexKeyText(id);
      this.#byId.set(foldSessionId(id), value);
      // The rest of a cut id is not on record, so each id that begins like it is the same one.
      if (CUT.test(known)) this.#byBeginning.push({ beginning: foldSessionId(known.replace(CUT, "")), value });
    }
  }

  /**
   * The halt of a call's own session; undefined for another session. An id without comparable characters counts as the
   * first halted session.
   */
  ofSession(id: unknown): T | undefined {
    return typeof id === "string" && foldSessionId(id) !== "" ? this.#of(id) : this.#first;
  }

  /** The halt of the session that began the call's. Most sessions were begun by none. */
  ofParent(id: unknown): T | undefined {
    if (id === undefined || id === null || id === "") return undefined;
    return this.ofSession(id);
  }

  #of(id: string): T | undefined {
    const folded = foldSessionId(id);
    return this.#byId.get(folded) ?? this.#byBeginning.find(({ beginning }) => folded.startsWith(beginning))?.value;
  }
}
