/** Phrases that the sentences share. */

const SHOWN_MAX = 6;

/** `a`, "`a` and `b`", "`a`, `b` and 3 more". */
export function formatNameList(names: readonly string[]): string {
  const shown = names.length <= SHOWN_MAX ? names : names.slice(0, SHOWN_MAX - 1);
  const parts = shown.map((name) => `\`${name}\``);
  if (names.length > shown.length) parts.push(`${names.length - shown.length} more`);
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

const INLINE_CHARS_MAX = 80;

/** True if a text is short enough for use in a sentence. */
export const isInline = (text: string): boolean => text.length <= INLINE_CHARS_MAX && !text.includes("\n");

/** "5 s", "2 min", "1 min 30 s". */
export function formatSeconds(seconds: number): string {
  if (seconds < 120 && seconds !== 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
