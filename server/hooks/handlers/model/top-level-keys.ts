/** The keys of a JSON object as its text has them, equal ones included: a parser keeps only the last of those. */

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
