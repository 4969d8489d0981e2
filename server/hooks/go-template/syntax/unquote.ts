/** Parses string and character literals as Go does. */
import { type Bytes, isRune, runeAt, runeBytes } from "./bytes.ts";

/** The value of a quoted or raw string literal, given with its quotes; undefined if it is invalid. */
export function unquote(literal: Bytes): Bytes | undefined {
  const inner = literal.slice(1, -1);
  if (literal.startsWith("`")) return inner.replaceAll("\r", "");
  let value = "";
  for (let at = 0; at < inner.length; ) {
    const char = unquoteChar(inner, at, '"');
    if (!char) return undefined;
    value += char.bytes;
    at = char.end;
  }
  return value;
}

/** The code point of a character literal, given with its quotes; undefined if it is invalid. */
export function unquoteRune(literal: Bytes): number | undefined {
  const char = unquoteChar(literal, 1, "'");
  return char && char.end === literal.length - 1 && literal.endsWith("'") ? char.rune : undefined;
}

interface Char {
  readonly rune: number;
  /** An escaped byte stands alone; an escaped character becomes its UTF-8. */
  readonly bytes: Bytes;
  readonly end: number;
}

const SIMPLE: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function unquoteChar(text: Bytes, at: number, quote: '"' | "'"): Char | undefined {
  const first = text[at];
  if (first === undefined || first === quote || first === "\n") return undefined;
  if (first !== "\\") {
    const { rune, size } = runeAt(text, at);
    return { rune, bytes: text.slice(at, at + size), end: at + size };
  }
  const letter = text[at + 1] ?? "";
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  if (simple !== undefined) return { rune: simple, bytes: String.fromCharCode(simple), end: at + 2 };
  if (letter === quote) return { rune: letter.charCodeAt(0), bytes: letter, end: at + 2 };
  const hexDigits = Object.hasOwn(HEX_DIGITS, letter) ? HEX_DIGITS[letter] : undefined;
  if (hexDigits !== undefined) {
    const digits = text.slice(at + 2, at + 2 + hexDigits);
    if (digits.length < hexDigits || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
    const rune = Number.parseInt(digits, 16);
    if (letter !== "x" && !isRune(rune)) return undefined;
    const bytes = letter === "x" ? String.fromCharCode(rune) : runeBytes(rune);
    return { rune, bytes, end: at + 2 + hexDigits };
  }
  const octal = /^[0-7]{3}/.exec(text.slice(at + 1, at + 4))?.[0];
  const byte = octal === undefined ? 256 : Number.parseInt(octal, 8);
  return byte > 255 ? undefined : { rune: byte, bytes: String.fromCharCode(byte), end: at + 4 };
}
