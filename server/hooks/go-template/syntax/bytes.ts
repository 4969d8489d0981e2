/**
 * Text as bytes, as in Go: a string in which every character is one byte. Lengths, slices and order are those of UTF-8, and a
 * slice may be invalid UTF-8. Also runs in the browser.
 */
export type Bytes = string;

/** The character that Go reads for invalid UTF-8. */
export const REPLACEMENT = 0xfffd;
export const MAX_RUNE = 0x10ffff;

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;
const AT_ONCE = 8_192;

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function bytesOf(text: string): Bytes {
  if (ASCII.test(text)) return text;
  const encoded = encoder.encode(text);
  let bytes = "";
  for (let at = 0; at < encoded.length; at += AT_ONCE) {
    bytes += String.fromCharCode(...encoded.subarray(at, at + AT_ONCE));
  }
  return bytes;
}

/** The text of some bytes. Each invalid byte becomes one U+FFFD. */
export function textOf(bytes: Bytes): string {
  if (ASCII.test(bytes)) return bytes;
  const pieces: string[] = [];
  let plain = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes.charCodeAt(at) < 0x80) {
      at++;
      continue;
    }
    const { rune, size } = runeAt(bytes, at);
    pieces.push(bytes.slice(plain, at), String.fromCodePoint(rune));
    at += size;
    plain = at;
  }
  pieces.push(bytes.slice(plain));
  return pieces.join("");
}

export interface Rune {
  readonly rune: number;
  /** The size in bytes. 1 with U+FFFD means an invalid byte; 0 means the end. */
  readonly size: number;
}

const INVALID: Rune = { rune: REPLACEMENT, size: 1 };
const END: Rune = { rune: -1, size: 0 };

/** The character that begins at a byte. */
export function runeAt(bytes: Bytes, at: number): Rune {
  if (at >= bytes.length) return END;
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return { rune: first, size: 1 };
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > bytes.length) return INVALID;
  let rune = first & (0xff >> (size + 1));
  for (let next = at + 1; next < at + size; next++) {
    const byte = bytes.charCodeAt(next);
    if (byte < 0x80 || byte > 0xbf) return INVALID;
    rune = (rune << 6) | (byte & 0x3f);
  }
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000;
  return rune < least || !isRune(rune) ? INVALID : { rune, size };
}

/** True for a valid character: not a surrogate, and within the range of Unicode. */
export function isRune(code: number): boolean {
  return (code >= 0 && code < 0xd800) || (code > 0xdfff && code <= MAX_RUNE);
}

/** The bytes of one character; U+FFFD for an invalid one. */
export function runeBytes(rune: number): Bytes {
  if (rune >= 0 && rune < 0x80) return String.fromCharCode(rune);
  return bytesOf(String.fromCodePoint(isRune(rune) ? rune : REPLACEMENT));
}

/** The number of characters. An invalid byte counts as one. */
export function runeCount(bytes: Bytes): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += runeAt(bytes, at).size) count++;
  return count;
}
