/** Formats values as Go string and character literals. */
import { type Bytes, isRune, REPLACEMENT, runeAt, runeBytes } from "../syntax/bytes.ts";

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [12, "\\f"],
  [10, "\\n"],
  [13, "\\r"],
  [9, "\\t"],
  [11, "\\v"],
]);

/** True for letters, marks, numbers, punctuation, symbols, and the ASCII space, but no other blank. */
export function isPrintable(rune: number): boolean {
  return isRune(rune) && PRINTABLE.test(String.fromCodePoint(rune));
}

/** `"…"`; invalid bytes become `\x..`. */
export function quote(bytes: Bytes, asciiOnly = false): Bytes {
  let quoted = '"';
  for (let at = 0; at < bytes.length; ) {
    const { rune, size } = runeAt(bytes, at);
    const broken = rune === REPLACEMENT && size === 1;
    quoted += broken ? `\\x${hex(bytes.charCodeAt(at), 2)}` : escaped(rune, '"', asciiOnly);
    at += size;
  }
  return `${quoted}"`;
}

/** `'…'`; an invalid character becomes U+FFFD. */
export function quoteRune(rune: number, asciiOnly = false): Bytes {
  return `'${escaped(isRune(rune) ? rune : REPLACEMENT, "'", asciiOnly)}'`;
}

function escaped(rune: number, delimiter: string, asciiOnly: boolean): Bytes {
  const bytes = runeBytes(rune);
  if (bytes === delimiter || bytes === "\\") return `\\${bytes}`;
  if ((rune < 0x80 || !asciiOnly) && isPrintable(rune)) return bytes;
  const known = ESCAPES.get(rune);
  if (known !== undefined) return known;
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** True if it can be written unchanged between backquotes. */
export function canBackquote(bytes: Bytes): boolean {
  for (let at = 0; at < bytes.length; ) {
    const { rune, size } = runeAt(bytes, at);
    if (size === 1 ? rune === REPLACEMENT || !isPlain(rune) : rune === 0xfeff) return false;
    at += size;
  }
  return true;
}

function isPlain(code: number): boolean {
  return (code >= 0x20 || code === 9) && code !== 0x60 && code !== 0x7f;
}
