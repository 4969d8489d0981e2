import { closingQuote } from "../../../contract/closing-quote.ts";
import { maskedKeys } from "./masked-keys.ts";
import { redactText } from "./redact.ts";

/** No secret is shorter: the shortest is the password of `redis://:a@b`. */
const SECRET_LENGTH_MIN = 11;

/**
 * The JSON text of a hook input with every secret in its strings and keys replaced, and every other character as it was:
 * digits, spacing, the order of keys. Keys of one object that differ still differ: the second masked one ends in ` 2`. The
 * same string when there is no secret.
 *
 * Takes text that `JSON.parse` accepted; what comes back is accepted too, and has the same shape.
 */
export function maskText(json: string): string {
  let masked = "";
  let from = 0;
  let keys: ReadonlyMap<number, string> | null = null;
  let open = json.indexOf('"');
  while (open !== -1) {
    const close = closingQuote(json, open);
    const safe = close - open > SECRET_LENGTH_MIN ? maskedString(json, open, close) : null;
    // Only a text with a secret key is read as a whole, once.
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

/** The string from quote to quote without its secrets; null when it has none. */
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
