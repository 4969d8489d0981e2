/** The fields of a JSON object as written: a number keeps its digits, a string its escapes. */
import { closingQuote } from "../../contract/closing-quote.ts";

/** The depth limit of Go's decoder. */
const DEPTH_MAX = 10_000;

export class JsonTextError extends Error {}

/**
 * The value of each top-level field, compact and otherwise unchanged. The last of several fields with the same name counts.
 *
 * Errors: throws a JsonTextError for a text that is not one JSON object.
 */
export function topLevelFields(text: string): ReadonlyMap<string, string> {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new JsonTextError("expected a JSON object");
  }
  const fields = new Map<string, string>();
  let name: string | undefined;
  for (const { token, from, to } of topLevelTokens(text)) {
    if (name === undefined && token === '"') {
      // Go reads half of a surrogate pair as U+FFFD.
      name = Buffer.from(String(JSON.parse(text.slice(from, to)))).toString();
    } else if (name !== undefined && token === "value") {
      fields.set(name, compact(text.slice(from, to)));
      name = undefined;
    }
  }
  return fields;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonTextError(`decode response: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Token {
  /** A name's quote, or a whole value. */
  readonly token: '"' | "value";
  readonly from: number;
  readonly to: number;
}

/** The names and values of a JSON object, in turn. `json` is valid. */
function* topLevelTokens(json: string): Generator<Token> {
  let at = json.indexOf("{") + 1;
  for (;;) {
    const from = json.indexOf('"', at);
    if (from === -1) return;
    const to = closingQuote(json, from) + 1;
    yield { token: '"', from, to };
    const colon = json.indexOf(":", to);
    const end = endOfValue(json, colon + 1);
    yield { token: "value", from: colon + 1, to: end };
    at = end;
  }
}

/** The index of the comma or bracket after a value. */
function endOfValue(json: string, from: number): number {
  const shallow = /[{}[\],"]/g;
  const deep = /[{}[\]"]/g;
  let depth = 0;
  let at = from;
  for (;;) {
    const next = depth === 0 ? shallow : deep;
    next.lastIndex = at;
    const found = next.exec(json);
    if (found === null) return json.length;
    const [char] = found;
    at = found.index + 1;
    if (char === '"') at = closingQuote(json, found.index) + 1;
    else if (char === "{" || char === "[") {
      depth += 1;
      if (depth >= DEPTH_MAX) throw new JsonTextError("decode response: exceeded max depth");
    } else if (depth === 0) return found.index;
    else depth -= 1;
  }
}

/** A value without white space between its parts. */
function compact(value: string): string {
  if (!/[\s<>&]/.test(value)) return value;
  const pieces: string[] = [];
  let at = 0;
  while (at < value.length) {
    const quote = value.indexOf('"', at);
    const end = quote === -1 ? value.length : quote;
    pieces.push(value.slice(at, end).replace(/\s+/g, ""));
    at = quote === -1 ? end : closingQuote(value, quote) + 1;
    pieces.push(escapeForHtml(value.slice(end, at)));
  }
  return pieces.join("");
}

/** Escapes the characters in strings that are special in HTML or JavaScript, as Go does. */
export function escapeForHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
