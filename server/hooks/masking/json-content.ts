/** Rewrites the content of a JSON text by path. Every other character stays: digits, spacing, the order of keys. */
import { closingQuote } from "../contract/closing-quote.ts";
import { maskedKeys } from "../handlers/builtin/secrets/masked-keys.ts";
import { REDACTED } from "../handlers/builtin/secrets/redact.ts";

/** The members and elements down to a value; only the first `depth` of them are its path. */
export type JsonPath = readonly string[];

export interface ContentRules {
  /** True if a value at this path is content: a string, or a number within content. */
  readonly isContent: (path: JsonPath, depth: number) => boolean;
  /** True if the value at this path is replaced as a whole. */
  readonly isRemoved: ((path: JsonPath, depth: number) => boolean) | null;
  readonly onRemoved?: () => void;
  readonly text: (text: string) => string;
  /** The replacement of a key; the key itself if it stays. */
  readonly key: (key: string) => string;
}

interface Open {
  readonly isObject: boolean;
  awaitsKey: boolean;
  index: number;
}

const QUOTE = 0x22;
const MARKED = JSON.stringify(REDACTED);

/** `json` must be valid for `JSON.parse`; the result is valid too. Only content changes its type: a number may become a string. */
export function rewriteContent(json: string, rules: ContentRules): string {
  const path: string[] = [];
  const open: Open[] = [];
  let keys: ReadonlyMap<number, string> | null = null;
  let written = "";
  let from = 0;
  let at = 0;
  const replace = (start: number, end: number, by: string): void => {
    written += json.slice(from, start) + by;
    from = end;
  };

  while (at < json.length) {
    const code = json.charCodeAt(at);
    const top = open.at(-1);
    if (code <= 0x20 || code === 0x3a) at += 1;
    else if (code === 0x2c) {
      if (top?.isObject) top.awaitsKey = true;
      else if (top) {
        top.index += 1;
        path[open.length - 1] = String(top.index);
      }
      at += 1;
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      at += 1;
    } else if (top?.isObject && top.awaitsKey) {
      const close = closingQuote(json, at);
      const key = stringOf(json, at, close);
      if (rules.key(key) !== key) keys ??= maskedKeys(json, rules.key, closingQuote);
      const safe = keys?.get(at);
      if (safe !== undefined) replace(at, close + 1, safe);
      path[open.length - 1] = key;
      top.awaitsKey = false;
      at = close + 1;
    } else if (rules.isRemoved?.(path, open.length)) {
      const end = endOfValue(json, at);
      if (json.slice(at, end) !== MARKED) {
        replace(at, end, MARKED);
        rules.onRemoved?.();
      }
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      open.push({ isObject: code === 0x7b, awaitsKey: code === 0x7b, index: 0 });
      path[open.length - 1] = "0";
      at += 1;
    } else {
      const end = endOfValue(json, at);
      const safe = rules.isContent(path, open.length) ? safeScalar(json, at, end, open.length, rules) : null;
      if (safe !== null) replace(at, end, safe);
      at = end;
    }
  }
  return from === 0 ? json : written + json.slice(from);
}

/** The replacement of a string or a number; null if it stays. */
function safeScalar(json: string, at: number, end: number, depth: number, { text }: ContentRules): string | null {
  if (json.charCodeAt(at) === QUOTE) {
    const said = stringOf(json, at, end - 1);
    const safe = text(said);
    return safe === said ? null : JSON.stringify(safe);
  }
  const isNumber = json.charCodeAt(at) < 0x3a;
  if (!isNumber || depth < 2 || end - at < NUMBER_CHARS_MIN) return null;
  const said = json.slice(at, end);
  const safe = text(said);
  return safe === said ? null : JSON.stringify(safe);
}

/** A shorter number identifies no one. */
const NUMBER_CHARS_MIN = 6;

function stringOf(json: string, open: number, close: number): string {
  const written = json.slice(open + 1, close);
  if (!written.includes("\\")) return written;
  const said: unknown = JSON.parse(json.slice(open, close + 1));
  return typeof said === "string" ? said : written;
}

/** The index after the value that starts at `at`. */
export function endOfValue(json: string, at: number): number {
  const code = json.charCodeAt(at);
  if (code === QUOTE) return closingQuote(json, at) + 1;
  if (code !== 0x7b && code !== 0x5b) {
    let end = at + 1;
    while (end < json.length && !isEnd(json.charCodeAt(end))) end += 1;
    return end;
  }
  let depth = 0;
  for (let end = at; end < json.length; end += 1) {
    const one = json.charCodeAt(end);
    if (one === QUOTE) end = closingQuote(json, end);
    else if (one === 0x7b || one === 0x5b) depth += 1;
    else if (one === 0x7d || one === 0x5d) {
      depth -= 1;
      if (depth === 0) return end + 1;
    }
  }
  return json.length;
}

const isEnd = (code: number): boolean => code <= 0x20 || code === 0x2c || code === 0x7d || code === 0x5d;
