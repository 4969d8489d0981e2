/** The steps of an enrolment or of its removal, found out before anything is written. */
import { headerPath, isOwnFile } from "../../dialects/index.ts";
import { Refusal } from "../refusal.ts";
import { type FoundFile, findFile } from "./files.ts";
import { isSame } from "./json-values.ts";
import { isOursFor, type SettingsChange } from "./merge-settings.ts";
import { BACKUPS, type EnrolmentRecord, type RecordedFile, sha256 } from "./record.ts";
import { withEnrolment, withoutEnrolment } from "./settings.ts";
import type { Target } from "./target.ts";

type EnrolmentFile = Target["files"][number];

/** One file that changes; a text of null removes it. */
export interface Step {
  readonly found: FoundFile;
  readonly after: string | null;
  readonly mode: number;
  /** True if the file holds a key, which no output may show. */
  readonly isSecret: boolean;
}

export interface Plan {
  readonly steps: Step[];
  readonly record: EnrolmentRecord;
  /** Backups to write, by name. */
  readonly backups: ReadonlyMap<string, string>;
  /** Backups that nothing needs any more. */
  readonly spent: string[];
  readonly notes: string[];
  /** The sentence about a key that is not stored anywhere yet. */
  readonly missingKey: string | null;
}

/** Text in every file of ours, which identifies it without a record. */
const SIGNATURE = "Asks Quarterdeck";

export async function planEnrolment(target: Target, record: EnrolmentRecord): Promise<Plan> {
  const steps: Step[] = [];
  const backups = new Map<string, string>();
  const files = { ...record.files };
  const isOurs = isOursFor(target.client);
  for (const file of target.files) {
    const found = await findFile(...target.locate(file.path));
    const before = files[found.target];
    const { text, changes } = file.settings
      ? withEnrolment({ name: found.name, format: file.settings, text: found.text ?? "" }, file.content, isOurs)
      : { text: wholeFile(file, found, before), changes: [] };
    const isSecret = file.isSecret === true;
    const mode = modeOf(file, found);
    const isUnchanged = text === found.text && mode === found.mode;
    if (!isUnchanged) steps.push({ found, after: text, mode, isSecret });
    if (isUnchanged && before === undefined) continue;
    const entry = before ?? newEntry(found, backups);
    files[found.target] = {
      ...entry,
      owners: [...new Set([...entry.owners, target.owner])],
      written: isUnchanged ? entry.written : sha256(text),
      isOnlyOurs:
        entry.isOnlyOurs && (before === undefined || isUnchanged || sha256(found.text ?? "") === before.written),
      changes: addChanges(entry.changes, changes),
    };
  }
  const missingKey = await missingKeyOf(target, files);
  // The key and the relay first: a hook without them blocks every call.
  steps.sort((one, other) => Number(isOwnFile(other.found.name)) - Number(isOwnFile(one.found.name)));
  return { steps, record: { ...record, files }, backups, spent: [], notes: [], missingKey };
}

/** Our file replaces only our own earlier file; any other file is not touched. */
function wholeFile(file: EnrolmentFile, { name, text }: FoundFile, before: RecordedFile | undefined): string {
  if (text === null || text === file.content || isOwnFile(file.path)) return file.content;
  const isOurs = before === undefined ? text.includes(SIGNATURE) : sha256(text) === before.written;
  if (isOurs) return file.content;
  throw new Refusal(
    `${name} is there already, and only one program can have this name. Move it away or call it from there by hand, then enrol again.`,
  );
}

/** Keeps the file's mode, but gives no more users access to a key or to the relay than our own mode does. */
function modeOf({ path, mode, isSecret }: EnrolmentFile, found: FoundFile): number {
  if (found.mode === null) return mode;
  if (isSecret || isOwnFile(path)) return found.mode & mode;
  return mode === 0o755 ? found.mode | 0o111 : found.mode;
}

function newEntry({ name, text, mode }: FoundFile, backups: Map<string, string>): RecordedFile {
  let backup: string | null = null;
  if (text !== null) {
    backup = `${sha256(name).slice(0, 8)}-${sha256(text).slice(0, 16)}`;
    backups.set(backup, text);
  }
  return { owners: [], backup, mode, written: "", isOnlyOurs: true, changes: [] };
}

function addChanges(before: RecordedFile["changes"], more: readonly SettingsChange[]): RecordedFile["changes"] {
  const kept = before.filter(
    (one) => !more.some((other) => other.kind === one.kind && isSame(other.path, one.path) && one.kind === "value"),
  );
  // The value that stood there before us is the first one.
  const added = more.map((one) => {
    const earlier = before.find(
      (other) => other.kind === "value" && one.kind === "value" && isSame(other.path, one.path),
    );
    const { before: _, ...rest } = one;
    return earlier === undefined ? one : { ...rest, ...("before" in earlier && { before: earlier.before }) };
  });
  return [...kept, ...added.filter((one) => !kept.some((other) => isSame(other, one)))];
}

/** Without a key to write, the existing key is used. It is removed with the last enrolment that uses it. */
async function missingKeyOf(target: Target, files: EnrolmentRecord["files"]): Promise<string | null> {
  if (target.options.key !== undefined) return null;
  const { name, text, target: path } = await findFile(...target.locate(headerPath(target.options, "~")));
  const entry = files[path];
  if (entry) files[path] = { ...entry, owners: [...new Set([...entry.owners, target.owner])] };
  return text === null ? `There is no key in ${name} yet, and without one every call is blocked.` : null;
}

export async function planRemoval(target: Target, record: EnrolmentRecord): Promise<Plan> {
  const plan: Plan = {
    steps: [],
    record: { ...record, files: { ...record.files } },
    backups: new Map(),
    spent: [],
    notes: [],
    missingKey: null,
  };
  for (const file of target.files) {
    const found = await findFile(...target.locate(file.path));
    const entry = plan.record.files[found.target];
    if (entry === undefined && file.isTelemetry) continue;
    const owners = entry?.owners.filter((owner) => owner !== target.owner) ?? [];
    if (entry && owners.length > 0) {
      plan.record.files[found.target] = { ...entry, owners };
      continue;
    }
    const text = await formerText(target, file, found, entry, plan);
    delete plan.record.files[found.target];
    const mode = text === null ? 0 : (entry?.mode ?? found.mode ?? file.mode);
    const isSecret = file.isSecret === true;
    if (found.text !== null && (text !== found.text || mode !== found.mode))
      plan.steps.push({ found, after: text, mode, isSecret });
  }
  return plan;
}

async function formerText(
  target: Target,
  file: EnrolmentFile,
  found: FoundFile,
  entry: RecordedFile | undefined,
  plan: Plan,
): Promise<string | null> {
  if (found.text === null) return null;
  const { backup = null } = entry ?? {};
  const kept =
    backup === null ? null : await findFile(target.recordRoot, `${target.recordFolder}/${BACKUPS}/${backup}`);
  if (entry?.isOnlyOurs && sha256(found.text) === entry.written && (backup === null || kept?.text != null)) {
    if (backup !== null) plan.spent.push(backup);
    return kept?.text ?? null;
  }
  if (kept?.text != null) plan.notes.push(`The text of ${found.name} before the enrolment is kept in ${kept.name}.`);
  if (file.settings) {
    const settings = { name: found.name, format: file.settings, text: found.text };
    const text = withoutEnrolment(settings, entry?.changes ?? null, isOursFor(target.client));
    return text === null && backup !== null ? (kept?.text ?? "{}\n") : text;
  }
  const isOurs =
    entry === undefined
      ? found.text.includes(SIGNATURE) && !isOwnFile(file.path)
      : sha256(found.text) === entry.written;
  if (!isOurs && entry !== undefined) plan.notes.push(`${found.name} was changed since, and is left as it is.`);
  return isOurs ? null : found.text;
}
