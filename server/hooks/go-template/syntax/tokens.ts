/** The words of a template. */
import type { Bytes } from "./bytes.ts";

export const KEYWORDS = [
  "block",
  "break",
  "continue",
  "define",
  "else",
  "end",
  "if",
  "range",
  "nil",
  "template",
  "with",
] as const;
export type Keyword = (typeof KEYWORDS)[number];

export type TokenKind =
  | Keyword
  | "error"
  | "bool"
  /** A printable ASCII character that means nothing by itself. */
  | "char"
  | "char constant"
  | "complex"
  | "="
  | ":="
  | "EOF"
  | "field"
  | "identifier"
  | "{{"
  | "("
  | "number"
  | "|"
  | "raw string"
  | "}}"
  | ")"
  | "space"
  | "string"
  | "text"
  | "variable"
  | ".";

export interface Token {
  readonly kind: TokenKind;
  /** Where it begins, in bytes. */
  readonly at: number;
  /** As written; of an error, what is wrong. */
  readonly text: Bytes;
  readonly line: number;
}

const KEYWORD_SET: ReadonlySet<string> = new Set(KEYWORDS);

export function isKeyword(word: string): word is Keyword {
  return KEYWORD_SET.has(word);
}

const QUOTED_CHARS = 10;

/** A token as a message names it. */
export function tokenName({ kind, text }: Token): string {
  if (kind === "EOF") return "EOF";
  if (kind === "error") return text;
  if (isKeyword(kind) || kind === ".") return `<${text}>`;
  return text.length > QUOTED_CHARS ? `${JSON.stringify(text.slice(0, QUOTED_CHARS))}...` : JSON.stringify(text);
}
