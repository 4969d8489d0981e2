/** A word of a command line, as the shell passes it to a program. Pure. */
/** The standard input or output of a command. */
export type Content =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "download" | "encoded" | "unknown" };

export interface ShellWord {
  /** As it is written. */
  readonly source: string;
  /**
   * The texts that a program may receive, without quotes and escapes. There are several if a variable or loop has several constant
   * values. The home directory is `~`, the working directory is `.`. Never empty: a value that only a running shell knows is an
   * empty text.
   */
  readonly values: readonly [string, ...string[]];
  /** False if only a running shell knows a part. */
  readonly isKnown: boolean;
  /** The text before the first unknown part; the first value if every part is known. */
  readonly prefix: string;
  /** The text for a shell that reads it. Unknown parts stay as written. */
  readonly script: string;
  /** The content of a process substitution. */
  readonly content?: Content;
  /** True with an unquoted `*`, `?` or `[`, so existing files determine its expansion. */
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

/** The possible texts of a part of a word. `isQuoted`: blanks in it do not separate words. */
export interface Alternatives {
  readonly texts: readonly string[];
  readonly isKnown: boolean;
  readonly isQuoted: boolean;
  readonly isPattern?: boolean;
  readonly source: string;
}

const VALUES_MAX = 64;
/** The limit of words that one word of the script may expand to. */
export const FIELDS_MAX = 2_000;

interface Field {
  text: string;
  isKnown: boolean;
  prefix: string;
  script: string;
  isPattern: boolean;
  /** False for an empty unquoted field, which disappears. */
  isThere: boolean;
}

const emptyField = (): Field => ({ text: "", isKnown: true, prefix: "", script: "", isPattern: false, isThere: false });

/** The words from the parts of one written word, after quoting and word splitting. */
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

/** Variants with different word counts are kept in their first form only. */
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
