/**
 * Attributes of a record by their names. Clients write the same number as an integer, a double or text: all are
 * accepted.
 */
import { parseCost } from "../recording/index.ts";
import type { AnyValue } from "./schema.ts";

type Listed = readonly { readonly key: string; readonly value?: AnyValue | null | undefined }[] | null | undefined;
export type Attributes = ReadonlyMap<string, AnyValue>;

const TEXT_CHARACTERS_MAX = 400;
const COUNT_MAX = 1_000_000_000_000;

/** The later list wins. */
export function attributesOf(...lists: readonly Listed[]): Attributes {
  const found = new Map<string, AnyValue>();
  for (const list of lists) for (const { key, value } of list ?? []) if (value) found.set(key, value);
  return found;
}

/** Null for text that is absent, empty, or too long for a name. */
export function textIn(attributes: Attributes, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = attributes.get(name);
    const text = value?.stringValue ?? (value?.intValue == null ? null : String(value.intValue));
    if (text !== null && text !== "") return text.length > TEXT_CHARACTERS_MAX ? null : text;
  }
  return null;
}

/** A number of tokens; null for an absent or invalid number. */
export function countIn(attributes: Attributes, name: string): number | null {
  const count = numberOf(attributes.get(name));
  return count !== null && Number.isSafeInteger(count) && count >= 0 && count <= COUNT_MAX ? count : null;
}

/** Dollars as the client sent them; null for an absent or invalid cost. */
export function costIn(attributes: Attributes, name: string): number | null {
  const cost = numberOf(attributes.get(name));
  return cost === null || typeof parseCost(String(cost)) === "string" ? null : cost;
}

function numberOf(value: AnyValue | undefined): number | null {
  const stated = value?.doubleValue ?? value?.intValue ?? value?.stringValue;
  if (stated == null || (typeof stated === "string" && stated.trim() === "")) return null;
  const number = Number(stated);
  return Number.isFinite(number) ? number : null;
}
