/** JSON from strangers: decoded strictly, and bounded in depth and in keys before anything is built from it. */

import { isUtf8 } from "node:buffer";
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { AppError } from "../errors/app-error.ts";

export const DEPTH_MAX = 64;
/** Per object. A key that is repeated counts every time. */
export const KEYS_MAX = 5_000;
/** Per body: parsing a million small values takes a quarter of a second. */
export const VALUES_MAX = 100_000;

/** The text of `bytes`, without a byte order mark. Errors: `not_utf8`. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new AppError("not_utf8");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The value of JSON `text`. Errors: `not_json`, `too_deep`, `too_many_keys`, `too_many_values`. */
export function parseJson(text: string, depthMax: number = DEPTH_MAX, valuesMax: number = VALUES_MAX): unknown {
  return parseBounded(text, JSON.parse, depthMax, valuesMax);
}

/** The same, except that an integer that a number cannot hold is a bigint. */
export function parseInputJson(text: string, depthMax: number = DEPTH_MAX): unknown {
  return parseBounded(text, parseExactJson, depthMax, VALUES_MAX);
}

function parseBounded(text: string, parse: (text: string) => unknown, depthMax: number, valuesMax: number): unknown {
  checkShape(text, depthMax, valuesMax);
  try {
    return parse(text);
  } catch (error) {
    throw new AppError("not_json", undefined, { says: complaint(text, error) });
  }
}

/**
 * Refuses JSON with too much nesting or too many values, in one pass without recursion. Invalid JSON passes here and is
 * refused by the parser that follows. Errors: `too_deep`, `too_many_keys`, `too_many_values`.
 */
export function checkShape(text: string, depthMax: number, valuesMax: number = VALUES_MAX): void {
  const { length } = text;
  // Commas seen at each open level; an array counts -1 for ever.
  const commas: number[] = [];
  let depth = 0;
  let values = 0;
  const countValue = () => {
    values += 1;
    if (values > valuesMax) throw new AppError("too_many_values");
  };
  for (let at = 0; at < length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (depth === depthMax) throw new AppError("too_deep");
        countValue();
        commas[depth] = text.charCodeAt(at) === 0x7b ? 0 : -1;
        depth += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth > 0) depth -= 1;
        break;
      case 0x2c: {
        // ,
        countValue();
        const count = depth === 0 ? -1 : (commas[depth - 1] ?? -1);
        if (count < 0) break;
        if (count + 2 > KEYS_MAX) throw new AppError("too_many_keys");
        commas[depth - 1] = count + 1;
        break;
      }
    }
  }
}

/** Where the closing quote of the string that opens at `at` stands, or the text's end. */
function endOfString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

function complaint(text: string, error: unknown): string {
  if (text.trim() === "") return "The body is empty. Send a JSON object.";
  // V8 quotes the text around the position; only the position is reported, since the text may be secret.
  const place = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return place === undefined ? "The body is not JSON." : `The body is not JSON: unexpected text at character ${place}.`;
}
