/** Paths into the plain values of settings, and the edits at them. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, plain } from "../../dialects/settings/index.ts";

export type Path = readonly (string | number)[];

/** One change of a text: a value to set, or `undefined` to remove the current one. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
  /** Inserts the value before the element at this index, instead of replacing it. */
  readonly isInsertion?: boolean;
}

/** The text of a format with some of its values changed. */
export interface SettingsText {
  readonly apply: (text: string, edits: readonly Edit[]) => string;
  /** The text without an enrolment, where `edits` are what its values lose. */
  readonly undo: (text: string, edits: readonly Edit[]) => string;
}

export const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value) && typeof key === "number") return value[key];
    return isObject(value) && typeof key === "string" && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/** The object after the edits, one after the other. */
export function applyToObject(root: JsonObject, edits: readonly Edit[]): JsonObject {
  const after = plain(root) as JsonObject;
  for (const { path, value, isInsertion } of edits) {
    const parent = valueAt(after, path.slice(0, -1));
    const key = path.at(-1) ?? "";
    if (Array.isArray(parent)) {
      const added = value === undefined ? [] : [plain(value)];
      parent.splice(Number(key), isInsertion ? 0 : 1, ...added);
    } else if (isObject(parent)) {
      if (value === undefined) delete parent[key];
      else parent[key] = plain(value);
    }
  }
  return after;
}

/** The form of a path that people read: `hooks.PreToolUse[0]`. */
export function pathText(path: Path): string {
  return path.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");
}
