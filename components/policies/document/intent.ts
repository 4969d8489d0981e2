/** The meaning of a form's edit, on plain values: the text is only changed when reading it again gives exactly this. */
import type { Path } from "@/components/policies/document/yaml-tree";

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` with the part at `path` replaced by the result of `change`. */
export function withChange(value: unknown, path: Path, change: (there: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, at) => (at === step ? withChange(item, rest, change) : item));
  const fields = isFields(value) ? value : {};
  const entries = Object.entries(fields);
  const key = String(step);
  const next = withChange(Object.hasOwn(fields, key) ? fields[key] : undefined, rest, change);
  const changed = Object.hasOwn(fields, key)
    ? entries.map(([name, of]) => [name, name === key ? next : of])
    : [...entries, [key, next]];
  return Object.fromEntries(changed);
}

export const withoutKey = (key: string) => (fields: unknown) =>
  isFields(fields) ? Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key)) : fields;

export const withoutItem = (index: number) => (items: unknown) =>
  Array.isArray(items) ? items.filter((_item, at) => at !== index) : items;

/** The item at `index` and its neighbour in the other's place; for a mapping, the pairs. */
export function swapped(index: number, other: number) {
  const swap = <T>(all: readonly T[]): T[] =>
    all.map((one, at) => (at === index ? (all[other] ?? one) : at === other ? (all[index] ?? one) : one));
  return (all: unknown): unknown =>
    Array.isArray(all) ? swap(all) : isFields(all) ? Object.fromEntries(swap(Object.entries(all))) : all;
}

/** True if two plain values are the same, whatever the order of keys. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "number" && typeof b === "number") return Number.isNaN(a) && Number.isNaN(b);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => isDeepEqual(item, b[at]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key]))
  );
}
