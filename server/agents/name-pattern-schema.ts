import { z } from "zod";

export const NAME_PATTERN_MAX = 200;

/** A pattern that a group's agents are found by: `*` stands for any characters, `?` for one, the others for themselves. */
export const namePattern = z
  .string()
  .trim()
  .min(1, "Write a name pattern, such as prod-*.")
  .max(NAME_PATTERN_MAX, `A name pattern has at most ${NAME_PATTERN_MAX} characters.`)
  .regex(/^[\p{L}\p{N} ._*?-]*$/u, "Use *, ? and the characters of names: letters, digits, blanks, . _ and -.");

/**
 * True when the pattern stands for the whole name; upper and lower case differ.
 *
 * Only the last `*` is tried anew, so it takes at most as many steps as both lengths multiplied, whatever the pattern is.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const wanted = [...pattern];
  const characters = [...name];
  let at = 0;
  let index = 0;
  /** The last `*`, and the first character that it does not stand for; -1 before the first. */
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
