/**
 * Slices of JSON text: the source of a value before parsing. Numbers lose digits in a float, so stored inputs and costs
 * are cut from the text. Both functions require text that `JSON.parse` has accepted.
 */

/** The source of each member of the object in `text`; of a repeated key the last, as `JSON.parse` keeps it. */
export function memberSources(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipBlank(text, skipBlank(text, 0) + 1);
  while (text[at] !== "}") {
    const keyEnd = endOfValue(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipBlank(text, skipBlank(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    members.set(String(key), text.slice(start, end));
    at = skipBlank(text, end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return members;
}

/** The source of each element of the array in `text`. */
export function elementSources(text: string): string[] {
  const elements: string[] = [];
  let at = skipBlank(text, skipBlank(text, 0) + 1);
  while (text[at] !== "]") {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = skipBlank(text, end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return elements;
}

function skipBlank(text: string, at: number): number {
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Looks for quotes instead of at every character: an input may be one string of megabytes. */
function endOfString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return endOfString(text, at);
  if (first !== "{" && first !== "[") {
    let end = at;
    while (end < text.length && !",]} \t\n\r".includes(text.charAt(end))) end += 1;
    return end;
  }
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 34) i = endOfString(text, i) - 1;
    else if (code === 123 || code === 91) depth += 1;
    else if ((code === 125 || code === 93) && --depth === 0) return i + 1;
  }
  return text.length;
}
