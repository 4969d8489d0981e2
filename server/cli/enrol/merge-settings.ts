/** The edits that add an enrolment to settings with other people's content, and those that remove it. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { isObject, type JsonObject } from "../../dialects/settings/index.ts";
import { Refusal } from "../refusal.ts";
import { applyToObject, type Edit, isEmpty, isSame, type Path, pathText, valueAt } from "./json-values.ts";

/** One thing that an enrolment set: by it a removal knows what to undo. */
export interface SettingsChange {
  readonly path: (string | number)[];
  /** `element`: a member of the array at the path. `container`: an object or array that was not there. */
  readonly kind: "value" | "element" | "container";
  readonly value?: unknown;
  /** The value that stood there before. */
  readonly before?: unknown;
}

export interface Merge {
  readonly edits: Edit[];
  readonly changes: SettingsChange[];
}

/** True for a hook, or a group of hooks, that asks us for this client, whoever wrote it. */
export type IsOurs = (hook: unknown) => boolean;

export function isOursFor(dialect: string): IsOurs {
  return (hook) =>
    isObject(hook) && typeof hook.command === "string" && hook.command.includes(`/api/v1/hooks/${dialect}/`);
}

/** Errors: a `Refusal` if a place that the enrolment needs holds another value. */
export function mergeSettings(current: JsonObject, wanted: JsonObject, isOurs: IsOurs, name: string): Merge {
  const stripped = stripUnwanted(current, wanted, isOurs);
  const merge: Merge = { edits: [...stripped], changes: [] };
  mergeObject([], applyToObject(current, stripped), wanted, merge, name);
  return merge;
}

function mergeObject(path: Path, current: JsonObject, wanted: JsonObject, merge: Merge, name: string): void {
  for (const [key, value] of Object.entries(wanted)) {
    const at = [...path, key];
    const present = Object.hasOwn(current, key) ? current[key] : undefined;
    if (present === undefined) {
      merge.edits.push({ path: at, value });
      merge.changes.push(...additions(at, value));
    } else if (isObject(present) && isObject(value)) {
      mergeObject(at, present, value, merge, name);
    } else if (Array.isArray(present) && Array.isArray(value)) {
      const missing = value.filter((element) => !present.some((one) => isSame(one, element)));
      for (const [offset, element] of missing.entries()) {
        merge.edits.push({ path: [...at, present.length + offset], value: element, isInsertion: true });
        merge.changes.push({ path: at, kind: "element", value: element });
      }
    } else if (isScalar(present) && isScalar(value)) {
      if (present === value) continue;
      merge.edits.push({ path: at, value });
      merge.changes.push({ path: at, kind: "value", value, before: present });
    } else {
      throw new Refusal(
        `${name}: ${pathText(at)} is ${kindOf(present)} and must be ${kindOf(value)}. Correct it, then enrol again.`,
      );
    }
  }
}

function additions(path: (string | number)[], value: unknown): SettingsChange[] {
  if (Array.isArray(value)) {
    const elements = value.map((element): SettingsChange => ({ path, kind: "element", value: element }));
    return [{ path, kind: "container" }, ...elements];
  }
  if (!isObject(value)) return [{ path, kind: "value", value }];
  const inner = Object.entries(value).flatMap(([key, one]) => additions([...path, key], one));
  return [{ path, kind: "container" }, ...inner];
}

/** Removes our hooks that differ from the wanted ones: another URL, an older form, or duplicates. */
function stripUnwanted(current: JsonObject, wanted: JsonObject, isOurs: IsOurs): Edit[] {
  return stripHooks(current, isOurs, (path, group, before) => {
    const want = valueAt(wanted, path);
    return (
      Array.isArray(want) && want.some((one) => isSame(one, group)) && !before.some((earlier) => isSame(earlier, group))
    );
  });
}

type Keeps = (path: Path, group: unknown, before: readonly unknown[]) => boolean;

/** Last elements first, so that each index is still right when its edit is made. */
function stripHooks(current: JsonObject, isOurs: IsOurs, keeps: Keeps): Edit[] {
  if (!isObject(current.hooks)) return [];
  return Object.entries(current.hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [];
    const path = ["hooks", event];
    return groups
      .flatMap((group, index): Edit[][] => {
        if (keeps(path, group, groups.slice(0, index))) return [];
        if (isOurs(group)) return [[{ path: [...path, index], value: undefined }]];
        if (!isObject(group) || !Array.isArray(group.hooks)) return [];
        const { hooks } = group;
        const ours = hooks.flatMap((hook, at) => (isOurs(hook) ? [at] : []));
        if (ours.length === 0) return [];
        if (ours.length === hooks.length) return [[{ path: [...path, index], value: undefined }]];
        return [ours.toReversed().map((at) => ({ path: [...path, index, "hooks", at], value: undefined }))];
      })
      .toReversed()
      .flat();
  });
}

/**
 * The edits that undo an enrolment: first our hooks, then the recorded values that are still ours, then the emptied
 * containers. Without a record, only hooks and their emptied containers.
 */
export function unmergeSettings(
  current: JsonObject,
  changes: readonly SettingsChange[] | null,
  isOurs: IsOurs,
): Edit[] {
  const edits = stripHooks(current, isOurs, () => false);
  let after = applyToObject(current, edits);
  const add = (edit: Edit) => {
    edits.push(edit);
    after = applyToObject(after, [edit]);
  };
  for (const { path, kind, value, before } of changes ?? []) {
    const present = valueAt(after, path);
    if (kind === "value" && isSame(present, value)) add({ path, value: before });
    if (kind === "element" && Array.isArray(present)) {
      const at = present.findIndex((one) => isSame(one, value));
      if (at !== -1) add({ path: [...path, at], value: undefined });
    }
  }
  for (const path of changes === null ? emptied(current, edits) : containers(changes)) {
    if (isEmpty(valueAt(after, path))) add({ path, value: undefined });
  }
  return edits;
}

/** The innermost first. */
function containers(changes: readonly SettingsChange[]): Path[] {
  return changes
    .filter(({ kind }) => kind === "container")
    .map(({ path }) => path)
    .toSorted((one, other) => other.length - one.length);
}

function emptied(current: JsonObject, edits: readonly Edit[]): Path[] {
  const events = new Set(edits.map(({ path }) => String(path[1])));
  return edits.length === 0 || !isObject(current.hooks)
    ? []
    : [...[...events].map((event) => ["hooks", event]), ["hooks"]];
}

function isScalar(value: unknown): boolean {
  return !Array.isArray(value) && !isObject(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : truncateText(`the value ${JSON.stringify(value)}`, 60);
}
