/**
 * The tool names a matcher selects. RE2 syntax, anchored at both ends, case-sensitive, linear in the name's length.
 */
import { RE2JS } from "re2js";

export type Matcher =
  | { readonly ok: true; readonly matches: (name: string) => boolean }
  | { readonly ok: false; readonly message: string };

/** Patterns people type are few; this many compiled programs are kept before the oldest goes. */
const CACHED_MAX = 2_000;
const cache = new Map<string, Matcher>();

/** The compiled matcher, or why it does not compile. `""` and `*` select everything; the pattern is not trimmed. */
export function compileMatcher(pattern: string): Matcher {
  const known = cache.get(pattern);
  if (known) return known;
  const matcher = compile(pattern);
  if (cache.size >= CACHED_MAX) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.set(pattern, matcher);
  return matcher;
}

/** The reason why a pattern does not compile; null when it does. */
export function matcherComplaint(pattern: string): string | null {
  const matcher = compileMatcher(pattern);
  return matcher.ok ? null : matcher.message;
}

function compile(pattern: string): Matcher {
  if (pattern === "" || pattern === "*") return { ok: true, matches: () => true };
  // The pattern is put between the anchors unchecked, as docker-agent does; hence `test`, which adds none of its own.
  const anchored = `^(?:${pattern})$`;
  const first = program(anchored);
  if (first.ok || !first.message.includes(DUPLICATE_NAME)) return first;
  // Go lets a group name occur twice. Selecting needs no groups, so the names can go.
  const nameless = program(withoutGroupNames(anchored));
  return nameless.ok ? nameless : first;
}

const DUPLICATE_NAME = "duplicate capture group name";

function program(anchored: string): Matcher {
  try {
    const compiled = RE2JS.compile(anchored);
    return { ok: true, matches: (name) => compiled.test(name) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The pattern with `(?P<name>` turned into `(`; what is quoted, escaped or inside a character class stays. */
function withoutGroupNames(pattern: string): string {
  const token = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/g;
  return pattern.replace(token, (found) => (found.startsWith("(?") ? "(" : found));
}
