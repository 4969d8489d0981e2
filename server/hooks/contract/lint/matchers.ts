/** The facts about matchers that are known without the list of tools. */
import { compileMatcher } from "../matcher.ts";

/** True if a matcher's text selects every tool. */
export function selectsAll(matcher: string | undefined): boolean {
  return matcher === undefined || matcher === "" || matcher === "*" || matcher === ".*" || matcher === "(.*)";
}

/** The only names that a matcher can select, if it is a plain list (`shell|edit_file`); else null. */
export function listMatcherNames(matcher: string): string[] | null {
  return /^[\w:.-]*(?:\|[\w:.-]*)*$/.test(matcher) && !/[.]/.test(matcher) ? matcher.split("|") : null;
}

/** True if `wide` certainly selects everything that `narrow` selects. */
export function coversMatcher(wide: string | undefined, narrow: string | undefined): boolean {
  if (selectsAll(wide)) return true;
  if (selectsAll(narrow) || wide === undefined || narrow === undefined) return false;
  if (wide === narrow) return true;
  const compiled = compileMatcher(wide);
  const names = listMatcherNames(narrow);
  return names !== null && compiled.ok && names.every((name) => compiled.matches(name));
}

/** True if both may select the same tool. The answer is certain only if one is a plain list. */
export function mayOverlap(a: string | undefined, b: string | undefined): boolean {
  if (selectsAll(a) || selectsAll(b) || a === undefined || b === undefined) return true;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const names = listMatcherNames(one);
    const compiled = compileMatcher(other);
    if (names && compiled.ok) return names.some((name) => compiled.matches(name));
  }
  return true;
}

/** The display text of a matcher: quoted, or in words if it selects everything. */
export function formatMatcher(matcher: string | undefined): string {
  return selectsAll(matcher) ? "every tool" : `"${matcher}"`;
}
