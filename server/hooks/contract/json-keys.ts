/** The keys of JSON objects as written, including repeated ones, of which a parser keeps only the last. */
import { closingQuote } from "./closing-quote.ts";

/** `text` is one valid JSON object. */
export function topLevelKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (depth === 1 && /^\s*:/.test(text.slice(index + token.length, index + token.length + 100)))
      keys.push(JSON.parse(token) as string); // holds: the token is a string of JSON
  }
  return keys;
}

/** The first key that occurs twice in an object, at any depth; undefined if every key is unique. `text` is valid JSON. */
export function repeatedKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = closingQuote(text, at);
      if (isBeforeColon(text, end + 1)) {
        const key = JSON.parse(text.slice(at, end + 1)) as string; // holds: a string of valid JSON
        const keys = open.at(-1);
        if (keys?.has(key)) return key;
        keys?.add(key);
      }
      at = end;
    }
    at++;
  }
  return undefined;
}

/** In valid JSON, a string before a colon is a key. White space may be between them. */
function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (" \t\n\r".includes(text[at] ?? "-")) at++;
  return text[at] === ":";
}
