/** The tokens of a template. */
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
  /** A printable ASCII character without its own meaning. */
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
  /** Its start, in bytes. */
  readonly at: number;
  /** The source text; for an error, the message. */
  readonly text: Bytes;
  readonly line: number;
}

const KEYWORD_SET: ReadonlySet<string> = new Set(KEYWORDS);

export function isKeyword(word: string): word is Keyword {
  return KEYWORD_SET.has(word);
}

const QUOTED_CHARS = 10;

/** The name of a token in a message. */
export function tokenName({ kind, text }: Token): string {
  if (kind === "EOF") return "EOF";
  if (kind === "error") return text;
  if (isKeyword(kind) || kind === ".") return `<${text}>`;
  return text.length > QUOTED_CHARS ? `${JSON.stringify(text.slice(0, QUOTED_CHARS))}...` : JSON.stringify(text);
}
