/** Edits of values that are one text or a list of texts. Each changes the fewest bytes: an item, not its list. */
import type { Edit } from "@/components/policies/document/change";
import { addItem, removeItem, removeKey, setItem, setKey } from "@/components/policies/document/edits";
import { isDeepEqual, isFields } from "@/components/policies/document/intent";
import type { Value } from "@/components/policies/document/write";
import { nodeAt, type Path, yamlTree } from "@/components/policies/document/yaml-tree";

/** The mapping that holds a key, and true if it is removed with its last key. */
export interface Holder {
  readonly path: Path;
  readonly order: readonly string[];
  /** True for a mapping that means nothing when it is empty. */
  readonly isOptional?: boolean;
}

const valueAt = (text: string, path: Path): unknown => nodeAt(yamlTree(text), path)?.node?.toJSON();

/** Sets a key of a mapping that may not be there yet; undefined takes it out. */
export function putKey(text: string, { path, order, isOptional }: Holder, key: string, value: Value | undefined): Edit {
  const fields = valueAt(text, path);
  const name = path.at(-1);
  if (value === undefined) {
    const isLast = isFields(fields) && Object.keys(fields).length === 1 && Object.hasOwn(fields, key);
    return isOptional && isLast && typeof name === "string"
      ? removeKey(text, path.slice(0, -1), name)
      : removeKey(text, path, key);
  }
  if (fields === undefined && typeof name === "string") return setKey(text, path.slice(0, -1), name, { [key]: value });
  return setKey(text, path, key, value, order);
}

/** One name as a text, several as a list. A list stays one; `isList` makes one also of a single name. */
export function putNames(text: string, holder: Holder, key: string, names: readonly string[], isList = false): Edit {
  const path = [...holder.path, key];
  const current = valueAt(text, path);
  const [first] = names;
  if (first === undefined) return putKey(text, holder, key, undefined);
  if (!Array.isArray(current)) return putKey(text, holder, key, names.length === 1 && !isList ? first : names);
  const at = current.findIndex((one, index) => one !== names[index]);
  /** True if the items behind the first difference are the names from this place on. */
  const continues = (from: number) => isDeepEqual(current.slice(at + 1), names.slice(from));
  if (at === -1 && names.length === current.length) return { ok: true, changes: [], text };
  if (at === -1 && names.length === current.length + 1) return addItem(text, path, names.at(-1) ?? "");
  if (at !== -1 && continues(at)) return removeItem(text, [...path, at]);
  if (at !== -1 && continues(at + 1) && names[at] !== undefined) return setItem(text, [...path, at], names[at]);
  return setKey(text, holder.path, key, names);
}

/** Several keys out of one mapping, as one step to undo. */
export function removeKeys(text: string, path: Path, keys: readonly string[]): Edit {
  let edit: Edit = { ok: true, changes: [], text };
  for (const key of keys) {
    if (!edit.ok) return edit;
    edit = removeKey(edit.text, path, key);
  }
  return edit.ok && keys.length > 1 ? { ...edit, changes: [difference(text, edit.text)] } : edit;
}

/** Several edits as one change: what differs between two texts, from its first to its last character. */
export function difference(before: string, after: string) {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** `git, docker*` as names: commas within braces are part of a pattern. */
export function namesIn(text: string): string[] {
  return text
    .split(/,(?![^{[]*[}\]])/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The names as one line; null for a value that such a line cannot hold. */
export function namesText(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return "";
  const names = Array.isArray(value) ? value : [value];
  if (!names.every((one) => typeof one === "string")) return null;
  const line = names.join(", ");
  const read = namesIn(line);
  return read.length === names.length && read.every((one, at) => one === names[at]) ? line : null;
}
