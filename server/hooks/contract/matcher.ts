/** Compiles matchers of tool names. RE2 syntax, anchored at both ends, case-sensitive, linear in the name's length. */
import { RE2JS } from "re2js";

export type Matcher =
  | { readonly ok: true; readonly matches: (name: string) => boolean }
  | { readonly ok: false; readonly message: string };

/** The number of compiled programs in the cache. Users write few patterns. */
const CACHED_MAX = 2_000;
const cache = new Map<string, Matcher>();

/** The compiled matcher, or the compile error. `""` and `*` select everything; the pattern is not trimmed. */
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

/** The reason why a pattern does not compile; null if it compiles. */
export function matcherComplaint(pattern: string): string | null {
  const matcher = compileMatcher(pattern);
  return matcher.ok ? null : matcher.message;
}

function compile(pattern: string): Matcher {
  if (pattern === "" || pattern === "*") return { ok: true, matches: () => true };
  // Like docker-agent, this puts the pattern between anchors unchecked. `test` adds no anchors of its own.
  const anchored = `^(?:${pattern})$`;
  const first = program(anchored);
  if (first.ok || !first.message.includes(DUPLICATE_NAME)) return first;
  // Go permits a repeated group name. Selection needs no groups, so the names can be removed.
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

/** The pattern with `(?P<name>` replaced by `(`, except in quoted or escaped text and character classes. */
function withoutGroupNames(pattern: string): string {
  const token = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/g;
  return pattern.replace(token, (found) => (found.startsWith("(?") ? "(" : found));
}
