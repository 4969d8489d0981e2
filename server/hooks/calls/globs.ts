/** Patterns of names and of paths. For any input, both take at most time proportional to pattern times text. Pure. */
import { RE2JS } from "re2js";

const GLOBS_MAX = 500;
/** The maximum path length in Linux. */
const PATH_MAX = 4_096;
/** Up to this length, a backtracking pattern is faster than a linear one. */
const BACKTRACKING_MAX = 256;

interface Glob {
  readonly source: string;
  readonly quick: RegExp;
  slow: RE2JS | null;
}

const globs = new Map<string, Glob>();
const NOTHING: Glob = { source: "", quick: /(?!)/, slow: null };

/** Path patterns: `*` matches within a part, `**` across parts, also `?` and `[...]`. Case is ignored. */
export function globMatches(pattern: string, path: string): boolean {
  const glob = globOf(pattern);
  if (path.length <= BACKTRACKING_MAX || glob === NOTHING) return glob.quick.test(path);
  if (path.length > PATH_MAX) return false;
  glob.slow ??= RE2JS.compile(glob.source, RE2JS.CASE_INSENSITIVE);
  return glob.slow.matches(path);
}

function globOf(pattern: string): Glob {
  const before = globs.get(pattern);
  if (before) return before;
  if (globs.size >= GLOBS_MAX) globs.clear();
  const glob = compiled(pattern);
  globs.set(pattern, glob);
  return glob;
}

function compiled(glob: string): Glob {
  const source = glob.replace(/(?:\*\*\/)+|\*\*+|\*|\?|\[(?:!|\^)?[^\]]*\]|[.+^${}()|\\/[\]]/g, (part) => {
    if (part.endsWith("**/")) return "(?:[^/]*/)*";
    if (part.startsWith("**")) return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.startsWith("[") && part.length > 2) return characterClass(part);
    return `\\${part}`;
  });
  try {
    return { source, quick: new RegExp(`^(?:${source})$`, "i"), slow: null };
  } catch {
    return NOTHING;
  }
}

function characterClass(part: string): string {
  const isNegated = part.startsWith("[!");
  return `[${isNegated ? "^" : ""}${part.slice(isNegated ? 2 : 1, -1).replaceAll("\\", "\\\\")}]`;
}

/** Name patterns: `*` matches any text, including slashes and line breaks; `?` one character; `[...]` one of a class. */
export function nameMatches(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  if (!/[*?[]/.test(pattern)) return pattern.toLowerCase() === name.toLowerCase();
  return tokensMatch(tokensOf(pattern), name.toLowerCase());
}

type Token = "*" | "?" | { readonly text: string } | { readonly oneOf: RegExp };
const patterns = new Map<string, readonly Token[]>();

function tokensOf(pattern: string): readonly Token[] {
  const before = patterns.get(pattern);
  if (before) return before;
  if (patterns.size >= GLOBS_MAX) patterns.clear();
  const tokens: Token[] = [];
  for (const [part] of pattern.toLowerCase().matchAll(/\*+|\?|\[(?:!|\^)?[^\]]+\]|[\s\S]/g)) {
    if (part.startsWith("*")) tokens.push("*");
    else if (part === "?") tokens.push("?");
    else if (part.length > 2) tokens.push({ oneOf: classOf(part) });
    else tokens.push({ text: part });
  }
  patterns.set(pattern, tokens);
  return tokens;
}

function classOf(part: string): RegExp {
  try {
    return new RegExp(`^${characterClass(part)}$`);
  } catch {
    return /(?!)/;
  }
}

/** Backtracks only to the last star: a longer match of an earlier star cannot help. */
function tokensMatch(tokens: readonly Token[], text: string): boolean {
  let [at, next] = [0, 0];
  let [star, from] = [-1, 0];
  while (at < text.length) {
    const token = tokens[next];
    if (token === "*") [star, from, next] = [next, at, next + 1];
    else if (token !== undefined && takes(token, text[at] ?? "")) [at, next] = [at + 1, next + 1];
    else if (star === -1) return false;
    else [from, at, next] = [from + 1, from + 1, star + 1];
  }
  return tokens.slice(next).every((token) => token === "*");
}

function takes(token: Exclude<Token, "*">, char: string): boolean {
  if (token === "?") return true;
  return "text" in token ? token.text === char : token.oneOf.test(char);
}
