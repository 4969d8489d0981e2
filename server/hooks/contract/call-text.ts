/** Calls that could be read in two ways: a rule would see one call, and the agent would run another. Pure. */
import { closingQuote } from "./closing-quote.ts";

/**
 * Characters that do not show, or that break a line: with one of them a name looks like another tool's. U+2800 is a blank
 * of Braille, which no property of Unicode names.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EDGES = /^\s|\s$/u;

/** The reason that a tool's name is refused at a gate, in a sentence; null for one that can be read in one way only. */
export function toolNameFault(name: string): string | null {
  if (UNSEEN.test(name))
    return "tool_name holds a character that does not show: the tool could be taken for another one.";
  if (EDGES.test(name)) return "tool_name begins or ends in a blank: the tool could be taken for another one.";
  return null;
}

const QUOTE = 0x22;
const COLON = 0x3a;

/** The first key that one object of the JSON text has twice, however it is escaped; null when there is none. */
export function findRepeatedKey(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const close = closingQuote(json, at);
      const keys = open.at(-1);
      if (keys && nextCode(json, close + 1) === COLON) {
        const key = keyAt(json, at, close);
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = close;
    } else if (code === 0x7b) open.push(new Set());
    else if (code === 0x5b) open.push(null);
    else if (code === 0x7d || code === 0x5d) open.pop();
  }
  return null;
}

/** The sentence of a refusal of `key`. */
export const repeatedKeyFault = (key: string): string =>
  `The key "${key.length > 60 ? `${key.slice(0, 60)}...` : key}" is there twice in one object: two programs could read two calls. Send each key once.`;

function keyAt(json: string, open: number, close: number): string {
  const written = json.slice(open + 1, close);
  if (!written.includes("\\")) return written;
  const said: unknown = JSON.parse(json.slice(open, close + 1));
  return String(said);
}

function nextCode(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at);
}
