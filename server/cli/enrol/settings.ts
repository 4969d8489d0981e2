/** The text of a settings file with an enrolment in it, or out of it again, proven by reading it once more. */
import type { SettingsFormat } from "../../dialects/index.ts";
import { type JsonObject, parseSettings, UnreadableSettings } from "../../dialects/settings/index.ts";
import { Refusal } from "../refusal.ts";
import { envSettings } from "./env-settings.ts";
import { jsonSettings } from "./json-settings.ts";
import { applyToObject, type Edit, isEmpty, isSame, type SettingsText } from "./json-values.ts";
import { type IsOurs, mergeSettings, type SettingsChange, unmergeSettings } from "./merge-settings.ts";
import { tomlSettings } from "./toml-settings.ts";

const FORMATS: Readonly<Record<SettingsFormat, SettingsText>> = {
  json: jsonSettings,
  jsonc: jsonSettings,
  toml: tomlSettings,
  env: envSettings,
};
/** In these formats our lines have marks, so that a removal finds them among lines that were added later. */
const MARKED: ReadonlySet<SettingsFormat> = new Set(["toml", "env"]);
const BOM = "\uFEFF";

export interface Settings {
  /** The name of the file, for errors. */
  readonly name: string;
  readonly format: SettingsFormat;
  readonly text: string;
}

export interface MergedSettings {
  readonly text: string;
  readonly changes: readonly SettingsChange[];
}

/** Errors: a `Refusal` for a file that cannot be read, or that has a form which cannot be changed safely. */
export function withEnrolment(settings: Settings, wanted: string, isOurs: IsOurs): MergedSettings {
  const { name, format, text } = settings;
  const { apply, undo } = FORMATS[format];
  const parse = (one: string) => parseSettings(one, format);
  return guarded(settings, (body) => {
    const desired = parse(wanted);
    if (body.trim() === "" && !MARKED.has(format))
      return { text: wanted, changes: mergeSettings({}, desired, isOurs, name).changes };
    let base = body;
    let current = parse(base);
    let merge = mergeSettings(current, desired, isOurs, name);
    if (MARKED.has(format) && merge.edits.some(({ value }) => value === undefined)) {
      // Lines of an older enrolment are removed first, because their settings are written again.
      base = undo(body, []);
      current = parse(base);
      merge = mergeSettings(current, desired, isOurs, name);
    }
    if (merge.edits.length === 0) return { text, changes: [] };
    const after = apply(base, merge.edits);
    prove(settings, parse(after), applyToObject(current, merge.edits));
    return { text: `${bomOf(text)}${after}`, changes: merge.changes };
  });
}

/** Errors: a `Refusal` for a file that cannot be read. */
export function settingsValues(settings: Settings): JsonObject {
  return guarded(settings, (body) => (body.trim() === "" ? {} : parseSettings(body, settings.format)));
}

/** Null if the file held only the enrolment. Without a record of changes only hooks are removed. */
export function withoutEnrolment(
  settings: Settings,
  changes: readonly SettingsChange[] | null,
  isOurs: IsOurs,
): string | null {
  const { format } = settings;
  return guarded(settings, (body) => {
    if (body.trim() === "" && !MARKED.has(format)) return settings.text;
    const current = parseSettings(body, format);
    const edits: Edit[] = unmergeSettings(current, changes, isOurs);
    if (edits.length === 0) return settings.text;
    const expected = applyToObject(current, edits);
    const after = FORMATS[format].undo(body, edits);
    prove(settings, parseSettings(after, format), expected);
    return isEmpty(expected) ? null : `${bomOf(settings.text)}${after}`;
  });
}

function prove({ name }: Settings, found: JsonObject, expected: JsonObject): void {
  if (isSame(found, expected)) return;
  throw new Refusal(
    `${name} has a form that cannot be changed safely, such as a key that stands twice. Nothing was written: write it anew by hand, then try again.`,
  );
}

function guarded<T>({ name, text }: Settings, work: (body: string) => T): T {
  try {
    return work(text.slice(bomOf(text).length));
  } catch (error) {
    if (error instanceof UnreadableSettings)
      throw new Refusal(`${name} cannot be read: ${error.message}. Correct it or move it away, then try again.`);
    // Brackets in brackets, without end.
    if (error instanceof RangeError) throw new Refusal(`${name} is nested too deeply to be read. Correct it first.`);
    throw error;
  }
}

const bomOf = (text: string): string => (text.startsWith(BOM) ? BOM : "");
