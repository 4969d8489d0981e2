/** Bytes that somebody brings along as a text. What cannot be a text is refused, not mended: a replaced byte is a changed policy. */

export type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly says: string };

const LINE_FEED = 10;

/** The text of UTF-8 bytes, byte order mark included; else which line is none, and what to do. */
export function textOfBytes(bytes: Uint8Array): ReadText {
  const text = decoded(bytes);
  if (text !== null) return { ok: true, text };
  // No character of several bytes has a line feed inside: each line can be asked by itself.
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

/** Where a text holds what no database keeps and no shell is given: a NUL, or half of a surrogate pair. */
const UNKEEPABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The first character that cannot be kept, and why in words; null when all can. */
export function unkeepable(text: string): { readonly at: number; readonly says: string } | null {
  const at = text.search(UNKEEPABLE);
  if (at === -1) return null;
  const says =
    text[at] === "\0"
      ? "A NUL character stands here. Remove it."
      : "Half of a character stands here: it was cut in two. Remove it.";
  return { at, says };
}
