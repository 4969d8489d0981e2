import { z } from "zod";

export const NAME_PATTERN_MAX = 200;

/** A group's name pattern: `*` matches any characters, `?` matches one, every other character matches itself. */
export const namePattern = z
  .string()
  .trim()
  .min(1, "Enter a name pattern, such as prod-*.")
  .max(NAME_PATTERN_MAX, `A name pattern has at most ${NAME_PATTERN_MAX} characters.`)
  .regex(/^[\p{L}\p{N} ._*?-]*$/u, "Use *, ? and the characters of names: letters, digits, spaces, . _ and -.");

/**
 * True when the pattern matches the whole name; case-sensitive.
 *
 * Backtracks only to the last `*`, so it takes at most the product of both lengths in steps.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const wanted = [...pattern];
  const characters = [...name];
  let at = 0;
  let index = 0;
  /** The last `*`, and the first character that it does not match; -1 before the first `*`. */
  let star = -1;
  let starEnd = 0;
  while (index < characters.length) {
    if (wanted[at] === "*") {
      star = at;
      starEnd = index;
      at += 1;
    } else if (wanted[at] === "?" || wanted[at] === characters[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      starEnd += 1;
      at = star + 1;
      index = starEnd;
    } else return false;
  }
  return wanted.slice(at).every((character) => character === "*");
}
