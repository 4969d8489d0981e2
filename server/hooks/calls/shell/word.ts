/** A word of a command line as the shell passes it on. Pure. */
/** The standard input or output of a command. */
export type Content =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "download" | "encoded" | "unknown" };

export interface ShellWord {
  /** As it is written. */
  readonly source: string;
  /**
   * The texts that a program may receive, without quotes and escapes: several where a variable or a loop has several constant values.
   * The home directory is `~`, the working directory is `.`. Never empty: what only a running shell knows is an empty text.
   */
  readonly values: readonly [string, ...string[]];
  /** False if a part is known to a running shell alone. */
  readonly isKnown: boolean;
  /** The text before the first part that is not known; the first value when all is known. */
  readonly prefix: string;
  /** The text for a shell that reads it: parts that are not known are as they are written. */
  readonly script: string;
  /** The text behind a process substitution. */
  readonly content?: Content;
  /** True with an unquoted `*`, `?` or `[`: files decide what it becomes. */
  readonly isPattern: boolean;
}

export const constantWord = (text: string, source = text): ShellWord => ({
  source,
  values: [text],
  isKnown: true,
  prefix: text,
  script: text,
  isPattern: false,
});

/** The texts that a part of a word may become. `isQuoted`: blanks in it separate no words. */
export interface Alternatives {
  readonly texts: readonly string[];
  readonly isKnown: boolean;
  readonly isQuoted: boolean;
  readonly isPattern?: boolean;
  readonly source: string;
}

const VALUES_MAX = 64;
/** Words that one word of the script may become. */
export const FIELDS_MAX = 2_000;

interface Field {
  text: string;
  isKnown: boolean;
  prefix: string;
  script: string;
  isPattern: boolean;
  /** False when nothing was written into it, so that it disappears. */
  isThere: boolean;
}

const emptyField = (): Field => ({ text: "", isKnown: true, prefix: "", script: "", isPattern: false, isThere: false });

/** The words that the parts of one written word become, by quoting and word splitting. */
export function wordsFrom(source: string, parts: readonly Alternatives[]): ShellWord[] {
  let variants: Field[][] = [[emptyField()]];
  let isCut = false;
  for (const part of parts) {
    const next: Field[][] = [];
    for (const fields of variants)
      for (const text of part.texts) {
        if (next.length === VALUES_MAX) {
          isCut = true;
          break;
        }
        next.push(appended(fields, text, part));
      }
    variants = next;
  }
  const listed = variants.map((fields) => fields.filter(({ isThere }) => isThere));
  return merged(source, listed, isCut);
}

function appended(fields: readonly Field[], text: string, part: Alternatives): Field[] {
  const copy = fields.map((field) => ({ ...field }));
  const pieces = part.isQuoted ? [text] : text.split(/[ \t\n]+/).slice(0, FIELDS_MAX);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) copy.push(emptyField());
    const last = copy.at(-1);
    if (!last) continue;
    last.text += piece;
    if (last.isKnown && part.isKnown) last.prefix += piece;
    last.script += part.isKnown ? piece : part.source;
    last.isKnown &&= part.isKnown;
    last.isPattern ||= part.isPattern === true;
    last.isThere ||= part.isQuoted || piece !== "" || !part.isKnown;
  }
  return copy;
}

/** Variants that differ in their number of words are known in their first form only. */
function merged(source: string, variants: readonly (readonly Field[])[], isCut: boolean): ShellWord[] {
  const [first = []] = variants;
  const isAligned = variants.every(({ length }) => length === first.length);
  const used = isAligned ? variants : [first];
  return first.map((field, index) => {
    const all = used.flatMap((variant) => (variant[index] ? [variant[index]] : []));
    const [value = "", ...others] = new Set(all.map(({ text }) => text));
    return {
      source: first.length === 1 ? source : field.text,
      values: [value, ...others],
      isKnown: isAligned && !isCut && all.every(({ isKnown }) => isKnown),
      prefix: field.prefix,
      script: field.script,
      isPattern: all.some(({ isPattern }) => isPattern),
    };
  });
}
