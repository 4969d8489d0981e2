/** The facts about matchers that need no run on every tool there is. */
import { compileMatcher } from "../matcher.ts";

/** True if a matcher as written selects every tool. */
export function selectsAll(matcher: string | undefined): boolean {
  return matcher === undefined || matcher === "" || matcher === "*" || matcher === ".*" || matcher === "(.*)";
}

/** The only names a matcher can select, when it is a plain list of them (`shell|edit_file`); else null. */
export function listMatcherNames(matcher: string): string[] | null {
  return /^[\w:.-]*(?:\|[\w:.-]*)*$/.test(matcher) && !/[.]/.test(matcher) ? matcher.split("|") : null;
}

/** True if everything that `narrow` selects is certainly selected by `wide` too. */
export function coversMatcher(wide: string | undefined, narrow: string | undefined): boolean {
  if (selectsAll(wide)) return true;
  if (selectsAll(narrow) || wide === undefined || narrow === undefined) return false;
  if (wide === narrow) return true;
  const compiled = compileMatcher(wide);
  const names = listMatcherNames(narrow);
  return names !== null && compiled.ok && names.every((name) => compiled.matches(name));
}

/** True if some tool may be selected by both: certain only where one is a plain list. */
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

/** A matcher for people: quoted, or in words when it selects everything. */
export function formatMatcher(matcher: string | undefined): string {
  return selectsAll(matcher) ? "every tool" : `"${matcher}"`;
}
