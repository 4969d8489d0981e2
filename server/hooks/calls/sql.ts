/** SQL statements in a call, by their verbs. A tokenizer, not a parser: it knows strings, names, comments and parentheses. Pure. */

export interface SqlStatement {
  /** In lower case: "drop table", "delete", "update", "truncate", "alter table", "grant", "revoke", "drop database". */
  readonly verb: string;
  /** True if a WHERE narrows it. A constant condition such as `1 = 1` does not count. */
  readonly hasWhere: boolean;
  readonly source: string;
}

/** Comments, strings, names in quotes of three kinds, words, and single signs. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|''|\\.)*'|\$(\w*)\$[\s\S]*?\$\1\$|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[A-Za-z_][\w$]*|\d+(?:\.\d+)?|[^\s\w]/g;
/** Text beyond this length is not read, and the call reports this. */
export const LENGTH_MAX = 262_144;
export const STATEMENTS_MAX = 2_000;
const OBJECTS = new Set([
  "table",
  "database",
  "schema",
  "column",
  "owned",
  "view",
  "index",
  "role",
  "user",
  "collection",
  "keyspace",
  "sequence",
  "type",
  "function",
  "extension",
  "policy",
  "tablespace",
]);
const VERBS = new Set(["drop", "truncate", "delete", "update", "alter", "grant", "revoke"]);

interface Token {
  readonly text: string;
  readonly depth: number;
  /** Written without quotes. */
  readonly isWord: boolean;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const [token] of text.slice(0, LENGTH_MAX).matchAll(TOKEN)) {
    if (token.startsWith("--") || token.startsWith("/*")) continue;
    if (token === ")") depth = Math.max(0, depth - 1);
    tokens.push({ text: token.toLowerCase(), depth, isWord: /^[a-z_]/i.test(token) });
    if (token === "(") depth += 1;
  }
  return tokens;
}

/** The statements of a text that may be SQL. */
export function sqlStatements(text: string): SqlStatement[] {
  const tokens = tokensOf(text);
  const found: SqlStatement[] = [];
  for (let at = 0; at < tokens.length && found.length < STATEMENTS_MAX; at += 1) {
    const token = tokens[at];
    if (!token?.isWord || !VERBS.has(token.text) || !begins(tokens, at)) continue;
    const rest = partFrom(tokens, at);
    const verb = verbOf(rest);
    if (verb === null) continue;
    found.push({
      verb,
      hasWhere: isNarrowed(rest),
      source: rest
        .slice(0, 12)
        .map((one) => one.text)
        .join(" "),
    });
  }
  return found;
}

/**
 * True at a verb that begins a statement, a part in parentheses, or the part after `EXPLAIN ANALYZE`, `DO` and `THEN`. ALTER TABLE
 * has parts.
 */
function begins(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  if (before === undefined || before === ";" || before === "(" || before === ")" || before === ",") return true;
  return (
    ["analyze", "explain", "begin", "then", "do", "else", "verbose", "as"].includes(before) ||
    tokens.slice(0, at).some(({ text }) => text === "alter")
  );
}

/** The tokens up to the end of the statement or of its parentheses. */
function partFrom(tokens: readonly Token[], at: number): Token[] {
  const start = tokens[at];
  if (!start) return [];
  const end = tokens.findIndex(
    (one, index) => index > at && ((one.text === ";" && one.depth <= start.depth) || one.depth < start.depth),
  );
  return tokens.slice(at, end === -1 ? undefined : end);
}

function verbOf([verb, ...rest]: readonly Token[]): string | null {
  const [first, second] = rest;
  switch (verb?.text) {
    case "drop":
      return OBJECTS.has(first?.text ?? "")
        ? `drop ${first?.text}`
        : first?.text === "if" || first?.text === "materialized"
          ? "drop view"
          : null;
    case "truncate":
      return first === undefined ? null : "truncate";
    case "delete":
      return first?.text === "from" || second?.text === "from" ? "delete" : null;
    case "update":
      return rest.slice(1, 8).some(({ text, isWord }) => isWord && text === "set") ? "update" : null;
    case "alter":
      return OBJECTS.has(first?.text ?? "") ? `alter ${first?.text}` : null;
    default:
      return rest.some(({ text }) => text === "to" || text === "from" || text === "on") ? (verb?.text ?? null) : null;
  }
}

function isNarrowed(tokens: readonly Token[]): boolean {
  const [start] = tokens;
  const at = tokens.findIndex(
    ({ text, isWord, depth }) => isWord && depth === start?.depth && (text === "where" || text === "join"),
  );
  if (at === -1) return false;
  const condition = tokens
    .slice(at + 1)
    .map(({ text }) => text)
    .join(" ");
  return !/^(?:true|1|\(? ?1 = 1 ?\)?|'?(\w+)'? = '?\1'?)$/.test(condition);
}

/** Commands that empty other databases. */
export const EMPTYING =
  /\b(?:flushall|flushdb|dropdatabase|dropcollection|deletemany\s*\(\s*\{\s*\}|remove\s*\(\s*\{\s*\}|\.drop\s*\()/i;
