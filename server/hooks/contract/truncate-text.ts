/** Truncates text. Use only these functions: other code may split a surrogate pair. Also runs in the browser. */

/**
 * The text when it fits, else its beginning with the mark behind; "" where not even the mark fits.
 *
 * Units: `charactersMax` counts UTF-16 units, as `length` does, and the mark is among them. A surrogate pair is kept or left
 * out whole, so the result may be one shorter. Bytes of UTF-8 are cut in handlers/builtin/cut-utf8.ts.
 */
export function truncateText(text: string, charactersMax: number, mark = "…"): string {
  if (text.length <= charactersMax) return text;
  const end = charactersMax - mark.length;
  if (end < 0) return "";
  const isPairSplit = isHighSurrogate(text.charCodeAt(end - 1));
  return text.slice(0, isPairSplit ? end - 1 : end) + mark;
}

/** The first line of a text, truncated in the same way. The mark is added if more lines follow. */
export function truncateToLine(text: string, charactersMax: number, mark = "…"): string {
  const [line = ""] = text.split("\n", 1);
  if (line.length === text.length) return truncateText(line, charactersMax, mark);
  return truncateText(line, charactersMax - mark.length, "") + mark;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
