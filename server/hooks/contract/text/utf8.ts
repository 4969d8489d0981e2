/** Decodes uploaded bytes as text. Invalid UTF-8 is refused, not repaired: a replaced byte is a changed policy. */

export type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly says: string };

const LINE_FEED = 10;

/** The text of UTF-8 bytes, including a byte order mark; else a message with the invalid line and the fix. */
export function textOfBytes(bytes: Uint8Array): ReadText {
  const text = decoded(bytes);
  if (text !== null) return { ok: true, text };
  // A multi-byte character never contains a line feed, so each line can be decoded separately.
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    const stop = end === -1 ? bytes.length : end;
    if (decoded(bytes.subarray(start, stop)) === null) break;
    start = stop + 1;
  }
  return { ok: false, says: `Line ${line} is not UTF-8. Save the file as UTF-8 and try again.` };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Matches characters that a database or shell cannot hold: a NUL, or half of a surrogate pair. */
const UNKEEPABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The first invalid character and the reason; null if every character is valid. */
export function unkeepable(text: string): { readonly at: number; readonly says: string } | null {
  const at = text.search(UNKEEPABLE);
  if (at === -1) return null;
  const says =
    text[at] === "\0"
      ? "A NUL character stands here. Remove it."
      : "Half of a character stands here: it was cut in two. Remove it.";
  return { at, says };
}
