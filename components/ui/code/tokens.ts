/**
 * Just enough of JSON, shell and YAML to colour them. Not a parser: a token it cannot name is plain text, and the
 * pieces always join to the source.
 */

export type Language = "json" | "shell" | "yaml" | "text";
export type TokenKind = "key" | "string" | "number" | "atom" | "comment" | "keyword" | "punctuation";

export interface Token {
  readonly kind: TokenKind | null;
  readonly text: string;
}

type Rule = readonly [TokenKind | null, string];

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const SINGLE = "'(?:[^'\\n])*'?";
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;

/** The first rule that matches at a place wins. */
const rules: Record<Exclude<Language, "text">, readonly Rule[]> = {
  json: [
    ["key", `${STRING}(?=\\s*:)`],
    ["string", STRING],
    ["number", NUMBER],
    ["atom", String.raw`\b(?:true|false|null)\b`],
    ["punctuation", "[{}\\[\\],:]"],
  ],
  shell: [
    ["comment", String.raw`(?<=^|\s)#[^\n]*`],
    ["string", String.raw`"(?:[^"\\]|\\[\s\S])*"?`],
    ["string", "'[^']*'?"],
    ["atom", String.raw`\$(?:\{[^}\n]*\}|\([^)\n]*\)|[A-Za-z_]\w*|[0-9@*#?$!-])`],
    ["key", String.raw`(?<=^|\s)--?[A-Za-z][\w-]*`],
    [
      "keyword",
      String.raw`\b(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|exit|return|export|set)\b(?=\s|;|$)`,
    ],
    ["punctuation", String.raw`&&|\|\||[|&;<>()\\]`],
    [null, String.raw`[^\s"'$|&;<>()\\#-]+`],
  ],
  yaml: [
    ["comment", String.raw`(?<=^|\s)#[^\n]*`],
    [
      "key",
      String.raw`(?<=^[ \t]*(?:- +)*)(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#"'\-?:,\[\]{}][^\n#:]*?)(?=:(?:\s|$))`,
    ],
    ["string", STRING],
    ["string", SINGLE],
    ["atom", String.raw`(?<=[\s\[,])(?:true|false|null|~)(?=\s|,|\]|$)`],
    ["number", String.raw`(?<=[\s\[,])${NUMBER}(?=\s|,|\]|$)`],
    ["keyword", String.raw`(?<=\s)[&*!][\w!-]+`],
    ["punctuation", String.raw`^---|[|>][+-]?(?=\s*$)|[{}\[\],]|(?<=^\s*)-(?=\s)|:(?=\s|$)`],
    [null, String.raw`[\w./-]+`],
  ],
};

const compiled = new Map<Language, RegExp>();

function patternOf(language: Exclude<Language, "text">): RegExp {
  const known = compiled.get(language);
  if (known) return known;
  const made = new RegExp(rules[language].map(([, source]) => `(${source})`).join("|"), "gm");
  compiled.set(language, made);
  return made;
}

/** Longer text is shown without colours. */
const COLOURED_CHARS_MAX = 200_000;

/** The source as lines of tokens. */
export function tokenLines(source: string, language: Language): Token[][] {
  const lines: Token[][] = [[]];
  const put = (kind: TokenKind | null, text: string) => {
    const [first = "", ...rest] = text.split("\n");
    if (first) lines.at(-1)?.push({ kind, text: first });
    for (const line of rest) lines.push(line ? [{ kind, text: line }] : []);
  };
  if (language === "text" || source.length > COLOURED_CHARS_MAX) {
    put(null, source);
    return lines;
  }
  let at = 0;
  for (const match of source.matchAll(patternOf(language))) {
    if (match.index > at) put(null, source.slice(at, match.index));
    const group = match.slice(1).findIndex((part) => part !== undefined);
    put(rules[language][group]?.[0] ?? null, match[0]);
    at = match.index + match[0].length;
  }
  put(null, source.slice(at));
  return lines;
}
