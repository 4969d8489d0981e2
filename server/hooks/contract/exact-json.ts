/**
 * JSON with exact integers. Between the two functions here, an integer that a number cannot hold is a bigint; every other value is
 * that of `JSON.parse`. Ids of chat messages and database rows are such integers, and a changed digit names another row.
 */
import { closingQuote } from "./closing-quote.ts";

/** An integer with fewer digits is always exact. Digits after a point belong to a fraction, such as a duration. */
const LONG_INTEGER = /(?<![.\d])\d{16}/;
/** A bigint of more than 21 digits is printed with an exponent by `JSON.stringify`. */
const MAYBE_INEXACT = /(?<![.\d])\d{16}|\de\+/;
/** A longer integer is parsed as `JSON.parse` does, because bigint arithmetic on it would be slow. */
const DIGITS_MAX = 1_000;

// `JSON.stringify` throws for a bigint. Excerpts, sizes and digests of a call need only its text.
Object.defineProperty(BigInt.prototype, "toJSON", {
  value(this: bigint) {
    return Number(this);
  },
  configurable: true,
  writable: true,
});

/** Errors: those of `JSON.parse`. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_INTEGER.test(text)) return value;
  const mark = newMark();
  const marked = markIntegers(text, mark);
  if (marked === text) return value;
  return JSON.parse(marked, (_key, one: unknown) =>
    typeof one === "string" && one.startsWith(mark) ? BigInt(one.slice(mark.length)) : one,
  );
}

/** The text of a value, compact unless `indent` is given. Errors: those of `JSON.stringify`, except for a bigint. */
export function printExactJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  if (!MAYBE_INEXACT.test(text)) return text;
  const mark = newMark();
  const keepDigits = function (this: object, key: string, printed: unknown): unknown {
    // At this point a bigint is already printed as a number.
    const own: unknown = Reflect.get(this, key);
    return typeof own === "bigint" ? `${mark}${own}` : printed;
  };
  const marked = JSON.stringify(value, keepDigits, indent);
  return marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

/** A random text that no input contains. A page without TLS has no `crypto.randomUUID`. */
const newMark = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Replaces each integer that a number cannot hold with a string that begins with the mark. `json` is valid. */
function markIntegers(json: string, mark: string): string {
  const tokens = /"|-?\d[\d.eE+-]*/g;
  let marked = "";
  let from = 0;
  for (let token = tokens.exec(json); token !== null; token = tokens.exec(json)) {
    const [written] = token;
    if (written === '"') {
      tokens.lastIndex = closingQuote(json, token.index) + 1;
    } else if (isInexact(written)) {
      marked += `${json.slice(from, token.index)}"${mark}${written}"`;
      from = tokens.lastIndex;
    }
  }
  return from === 0 ? json : marked + json.slice(from);
}

function isInexact(number: string): boolean {
  return number.length <= DIGITS_MAX && /^-?\d{16,}$/.test(number) && String(Number(number)) !== number;
}
