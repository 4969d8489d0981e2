/** A document for people, as blocks that both formats draw: HTML and PDF. It holds text only, never markup. */

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** For hashes, commands and inputs. */
  readonly isMono?: true;
}

export type CoverBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "facts"; readonly facts: readonly Fact[] }
  | { readonly kind: "code"; readonly text: string };

export interface CoverSection {
  readonly heading: string;
  readonly blocks: readonly CoverBlock[];
}

export interface CoverDocument {
  readonly title: string;
  readonly subtitle: string;
  /** The conclusion in one sentence. */
  readonly result: { readonly tone: "good" | "bad" | "open"; readonly text: string };
  readonly sections: readonly CoverSection[];
  /** The file that it describes. */
  readonly file: { readonly name: string; readonly sha256: string };
  readonly madeAt: Date;
}

/** Invisible characters that change how other characters are read: controls, and marks of direction. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/gu;

/** The text with each invisible character written as its code point: `[U+202E]`. */
export const visibleText = (text: string): string =>
  text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").replace(INVISIBLE, codePointName);

export const codePointName = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** The beginning of a text that is too long for a cover, with the length of what is left out. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  // A surrogate pair stays whole.
  const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
  return `${kept}\n[${(text.length - kept.length).toLocaleString("en-US")} more characters are in the file]`;
}
