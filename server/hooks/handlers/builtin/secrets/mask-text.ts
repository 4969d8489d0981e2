import { closingQuote } from "../../../contract/closing-quote.ts";
import { maskedKeys } from "./masked-keys.ts";
import { redactText } from "./redact.ts";

/** The length of the shortest secret, the password of `redis://:a@b`. */
const SECRET_LENGTH_MIN = 11;

/**
 * Replaces every secret in the strings and keys of a hook input's JSON text. Every other character stays: digits, spacing, the
 * order of keys. Different keys of one object stay different: the second masked one ends in ` 2`. Returns the same string if it
 * has no secret.
 *
 * `json` must be valid for `JSON.parse`; the result is valid too, and has the same shape.
 */
export function maskText(json: string): string {
  let masked = "";
  let from = 0;
  let keys: ReadonlyMap<number, string> | null = null;
  let open = json.indexOf('"');
  while (open !== -1) {
    const close = closingQuote(json, open);
    const safe = close - open > SECRET_LENGTH_MIN ? maskedString(json, open, close) : null;
    // Only a text with a secret key is parsed as a whole, once.
    if (safe !== null && isKey(json, close)) keys ??= maskedKeys(json, redactText, closingQuote);
    const written = keys?.get(open) ?? safe;
    if (written !== null) {
      masked += json.slice(from, open) + written;
      from = close + 1;
    }
    open = json.indexOf('"', close + 1);
  }
  return from === 0 ? json : masked + json.slice(from);
}

/** The string from quote to quote, with its secrets replaced; null if it has no secret. */
function maskedString(json: string, open: number, close: number): string | null {
  const written = json.slice(open + 1, close);
  if (!written.includes("\\")) {
    const safe = redactText(written);
    return safe === written ? null : `"${safe}"`;
  }
  const said: unknown = JSON.parse(json.slice(open, close + 1));
  if (typeof said !== "string") return null;
  const safe = redactText(said);
  return safe === said ? null : JSON.stringify(safe);
}

function isKey(json: string, close: number): boolean {
  let at = close + 1;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === 0x3a;
}
