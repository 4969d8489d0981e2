/**
 * The specifiers of Claude Code's permission rules as extended regular expressions over the texts of a call. gate-scripts.ts
 * makes these texts: no quotes, no backslashes, one line for each simple command. A pattern that cannot match exactly what
 * the specifier matches is broader. No pattern contains a quote, so each one fits into single quotes in a shell.
 */

/** The separators of texts. A text is split there before matching, so no pattern matches across a separator. */
const SPLIT = /[;&|()`\n\r]/;
const SPECIAL = /[.[\]{}$+*?]/;

interface Translation {
  readonly pattern: string;
  /** True if the specifier contains a separator. The pattern then covers only the part before it. */
  readonly isCut: boolean;
}

type Wildcard = (rest: string) => { readonly pattern: string; readonly length: number };

function translate(specifier: string, wildcard: Wildcard): Translation {
  let pattern = "";
  for (let at = 0; at < specifier.length; ) {
    const character = specifier[at] ?? "";
    if (SPLIT.test(character)) return { pattern, isCut: true };
    const wild = wildcard(specifier.slice(at));
    pattern += wild.length > 0 ? wild.pattern : literal(specifier, at);
    at += wild.length > 0 ? wild.length : (/^\s+/.exec(specifier.slice(at))?.[0].length ?? 1);
  }
  return { pattern, isCut: false };
}

function literal(specifier: string, at: number): string {
  const character = specifier[at] ?? "";
  if (/["'\\]/.test(character)) return "";
  if (/\s/.test(character) || character < " ") return "[[:space:]]+";
  // A non-ASCII character arrives unchanged, in all its bytes, or as a question mark.
  if (character > "~") return "([?]|[^ -~])+";
  if (character === "^") return "\\^";
  return SPECIAL.test(character) ? `[${character}]` : character;
}

const NO_WILDCARD = { pattern: "", length: 0 };

/**
 * A pattern for simple commands, matched from their first word; null for every command. Undefined if nothing of the specifier
 * remains.
 */
export function commandPattern(specifier: string): string | null | undefined {
  const stated = specifier.trim();
  const prefix = /^([\s\S]*?)(?::\*|\s+\*)$/.exec(stated)?.[1];
  const { pattern, isCut } = translate((prefix ?? stated).trim(), (rest) =>
    rest.startsWith("*") ? { pattern: ".*", length: 1 } : NO_WILDCARD,
  );
  if (/^[*\s]*$/.test(prefix ?? stated)) return null;
  if (pattern.replaceAll(/\.\*|\[\[:space:\]\]\+/g, "") === "") return undefined;
  if (isCut) return `${pattern.replace(/(\[\[:space:\]\]\+|\.\*)+$/, "")}.*`;
  if (prefix !== undefined) return `${pattern}([[:space:]].*)?$`;
  return `${pattern}([[:space:]]*[0-9]*[<>].*)?[[:space:]]*$`;
}

/**
 * A pattern for a lower-case path without its beginning: a rule for one folder applies to every folder with that name. Null for
 * every path; undefined if nothing of the specifier remains.
 */
export function pathPattern(specifier: string): string | null | undefined {
  const stated = specifier
    .trim()
    .toLowerCase()
    .replaceAll("\\", "/")
    .replace(/^~?\/+/, "")
    .replace(/^(\.{1,2}\/)+/, "")
    .replace(/^(\*\*\/)+/, "")
    .replace(/(\/\*{1,2})+$/, "")
    .replace(/\/+$/, "")
    .replaceAll(/\/(\.?\/)+/g, "/");
  if (/^[*/.]*$/.test(stated)) return null;
  if (stated.startsWith("!") || stated.split("/").includes("..")) return undefined;
  const { pattern, isCut } = translate(stated, pathWildcard);
  if (!/[a-z0-9]/.test(pattern.replaceAll("[[:space:]]", ""))) return undefined;
  return isCut ? `${pattern}.*` : pattern;
}

const PIECE = /\[\[:space:\]\]|\[\]\]|\[\[\]|\[[^\]]*\]|\\.|[a-z]/g;

/** The same pattern without case sensitivity, for texts that keep their case. */
export function inAnyCase(pattern: string): string {
  return pattern.replaceAll(PIECE, (piece) => (piece.length === 1 ? `[${piece}${piece.toUpperCase()}]` : piece));
}

function pathWildcard(rest: string): { pattern: string; length: number } {
  if (rest.startsWith("**/")) return { pattern: "(.*/)?", length: 3 };
  if (rest.startsWith("**")) return { pattern: ".*", length: 2 };
  if (rest.startsWith("*")) return { pattern: "[^/]*", length: 1 };
  if (rest.startsWith("?")) return { pattern: "[^/]", length: 1 };
  const set = /^\[[^\]/]*\]/.exec(rest)?.[0];
  if (set) return { pattern: "[^/]", length: set.length };
  const choice = /^\{[^{}]*\}/.exec(rest)?.[0];
  return choice ? { pattern: oneOf(choice.slice(1, -1).split(",")), length: choice.length } : NO_WILDCARD;
}

function oneOf(choices: readonly string[]): string {
  const all = choices.map((choice) => translate(choice, pathWildcard));
  return all.some(({ isCut }) => isCut) ? ".*" : `(${all.map(({ pattern }) => pattern).join("|")})`;
}

/**
 * A pattern for a host in any text of the call. It also matches subdomains, and hosts in an unreadable notation. Null for every
 * host; undefined for an invalid host name.
 */
export function hostPattern(specifier: string): string | null | undefined {
  const stated = specifier.trim().toLowerCase().replace(/^\*\./, "").replace(/\.$/, "");
  if (stated === "*" || stated === "") return null;
  if (!/^[a-z0-9*.-]+$/.test(stated) || !/[a-z0-9]/.test(stated)) return undefined;
  const host = stated.replaceAll(".", "\\.").replaceAll("*", "[a-z0-9.-]*");
  const named = `(^|[^a-z0-9-])${host}([^a-z0-9.-]|\\.([^a-z0-9-]|$)|$)`;
  return `${named}|https?:/*[^/?#[:space:]]*(%|[^ -~])|^[^/?#[:space:]]*%`;
}

/** A pattern for a text of one word, such as the name of an agent. */
export function wordPattern(specifier: string): string | undefined {
  const stated = specifier.trim();
  return /^[A-Za-z0-9_.:-]{1,200}$/.test(stated)
    ? `^[[:space:]]*${stated.replaceAll(".", "\\.")}[[:space:]]*$`
    : undefined;
}
