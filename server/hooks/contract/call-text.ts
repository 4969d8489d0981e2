/** Detects ambiguous calls, where a rule would see one call and the agent would run another. Pure. */
import { closingQuote } from "./closing-quote.ts";

/**
 * Invisible characters and line breaks, which make a name look like another tool's. U+2800 is a Braille blank without a Unicode
 * property.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EDGES = /^\s|\s$/u;

/** The reason to refuse a tool's name at a gate, as a sentence; null for an unambiguous name. */
export function toolNameFault(name: string): string | null {
  if (UNSEEN.test(name))
    return "tool_name holds a character that does not show: the tool could be taken for another one.";
  if (EDGES.test(name)) return "tool_name begins or ends in a blank: the tool could be taken for another one.";
  return null;
}

const QUOTE = 0x22;
const COLON = 0x3a;

/** The first key that occurs twice in one object of the JSON text, after unescaping; null if every key is unique. */
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

/** The refusal message for `key`. */
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
