/** Formats values as JSON, as Go's encoding/json does. */
import { type Bytes, REPLACEMENT, runeAt } from "../syntax/bytes.ts";
import type { Budget } from "./budget.ts";
import { RenderError } from "./render-error.ts";
import { type Field, typeName, type Value } from "./values.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
const SPECIAL = /["\\<>&]|[^ -~]/;
const LINE_SEPARATORS = new Set([0x2028, 0x2029]);

/** Compact JSON with sorted keys, safe inside HTML. Throws a RenderError for a value without a JSON form. */
export function toJson(value: Value | undefined, budget: Budget): Bytes {
  budget.step();
  const text = budget.deeper(() => json(value, budget));
  return text;
}

function json(value: Value | undefined, budget: Budget): Bytes {
  switch (value?.kind) {
    case undefined:
      return "null";
    case "string":
      return counted(jsonString(value.text), budget);
    case "bool":
      return String(value.value);
    case "int":
    case "uint":
      return value.value.toString();
    case "float":
      return Object.is(value.value, -0) ? "-0" : String(value.value);
    case "bytes":
      return counted(`"${btoa(value.text)}"`, budget);
    case "slice":
      return value.items ? `[${value.items.map((item) => toJson(item, budget)).join(",")}]` : "null";
    case "map":
      if (!value.entries) return "null";
      return object(
        Array.from(value.entries, ([key, entry]) => [key, entry] as const),
        budget,
      );
    case "struct":
      return object(
        value.fields.filter(isSent).map((field) => [field.key, field.value()] as const),
        budget,
      );
    case "pointer":
      return toJson(value.target ?? undefined, budget);
    case "interface":
      return value.held ? json(value.held, budget) : "null";
    case "complex":
      throw new RenderError(`json: unsupported type: ${typeName(value)}`);
  }
}

function counted(text: Bytes, budget: Budget): Bytes {
  budget.bytes(text.length);
  return text;
}

function object(entries: readonly (readonly [Bytes, Value])[], budget: Budget): Bytes {
  const members = entries.map(([key, value]) => `${counted(jsonString(key), budget)}:${toJson(value, budget)}`);
  return `{${members.join(",")}}`;
}

/** True if the field is not empty or is always sent. */
function isSent(field: Field): boolean {
  if (field.always) return true;
  const value = field.value();
  switch (value.kind) {
    case "string":
      return value.text !== "";
    case "bool":
      return value.value;
    case "int":
      return value.value !== 0n;
    case "float":
      return value.value !== 0;
    case "bytes":
      return value.text !== "";
    case "slice":
      return (value.items?.length ?? 0) > 0;
    case "map":
      return (value.entries?.size ?? 0) > 0;
    case "pointer":
      return value.target !== null;
    case "interface":
      return value.held !== null;
    default:
      return true;
  }
}

function jsonString(text: Bytes): Bytes {
  if (!SPECIAL.test(text)) return `"${text}"`;
  const pieces: Bytes[] = [];
  for (let at = 0; at < text.length; ) {
    const { rune, size } = runeAt(text, at);
    const bytes = text.slice(at, at + size);
    if (size === 1) pieces.push(rune === REPLACEMENT ? "\\ufffd" : asciiEscape(bytes, rune));
    else pieces.push(LINE_SEPARATORS.has(rune) ? unicodeEscape(rune) : bytes);
    at += size;
  }
  return `"${pieces.join("")}"`;
}

function asciiEscape(char: string, code: number): string {
  const known = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
  if (known !== undefined) return known;
  return code < 0x20 || char === "<" || char === ">" || char === "&" ? unicodeEscape(code) : char;
}

function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
