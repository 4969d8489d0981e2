/** `html`, `js` and `urlquery`: escape text for its target format. */
import { type Bytes, runeAt } from "../syntax/bytes.ts";
import { isPrintable } from "./quote.ts";

const HTML: Readonly<Record<string, Bytes>> = {
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  // U+FFFD
  "\0": "\xef\xbf\xbd",
};
const JS: Readonly<Record<string, Bytes>> = { "\\": "\\\\", "'": "\\'", '"': '\\"' };
const JS_HEX = "<>&=";

export function escapeHtml(text: Bytes): Bytes {
  return text.replace(/["'&<>\0]/g, (char) => HTML[char] ?? char);
}

export function escapeJs(text: Bytes): Bytes {
  const pieces: Bytes[] = [];
  for (let at = 0; at < text.length; ) {
    const { rune, size } = runeAt(text, at);
    const bytes = text.slice(at, at + size);
    at += size;
    const known = Object.hasOwn(JS, bytes) ? JS[bytes] : undefined;
    const plain = rune < 0x80 ? rune >= 0x20 && !JS_HEX.includes(bytes) : isPrintable(rune);
    pieces.push(known ?? (plain ? bytes : `\\u${rune.toString(16).toUpperCase().padStart(4, "0")}`));
  }
  return pieces.join("");
}

export function escapeQuery(text: Bytes): Bytes {
  return text.replace(/[^A-Za-z0-9\-_.~]/g, (byte) =>
    byte === " " ? "+" : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
