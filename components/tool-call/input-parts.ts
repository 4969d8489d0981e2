/**
 * A tool call's arguments by their meaning: a command, an edit, a file, a path, addresses, a description; the rest stays JSON. Decided
 * by the arguments' names, since tools of different agents share argument names more than tool names.
 */
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";

export type InputPart =
  | { readonly kind: "command"; readonly text: string; readonly cwd: string | null }
  | { readonly kind: "edit"; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: "file"; readonly path: string; readonly content: string }
  | { readonly kind: "path"; readonly label: string; readonly paths: readonly string[] }
  | { readonly kind: "description"; readonly text: string }
  | { readonly kind: "rest"; readonly json: string };

type Input = Readonly<Record<string, unknown>>;

const COMMANDS = ["cmd", "command"];
const PATHS = ["path", "file_path", "filename"];
const CONTENTS = ["content", "contents", "file_text"];
const PLACES = [
  ["paths", "Paths"],
  ["url", "Address"],
  ["urls", "Addresses"],
] as const;
const EDIT_PAIRS = [
  ["oldText", "newText"],
  ["old_string", "new_string"],
  ["old_str", "new_str"],
] as const;

export function inputParts(input: Input): InputPart[] {
  const left = new Map(Object.entries(input));
  const parts: InputPart[] = [];
  const take = (keys: readonly string[]): string | null => {
    const key = keys.find((each) => typeof left.get(each) === "string");
    const value = key === undefined ? undefined : left.get(key);
    if (key === undefined || typeof value !== "string") return null;
    left.delete(key);
    return value;
  };

  const command = take(COMMANDS);
  if (command !== null) parts.push({ kind: "command", text: command, cwd: take(["cwd", "working_dir"]) });
  const edits = takeEdits(left);
  const content = edits.length === 0 ? take(CONTENTS) : null;
  const path = take(PATHS);
  for (const edit of edits) parts.push({ kind: "edit", path: path ?? "no path given", ...edit });
  if (content !== null) parts.push({ kind: "file", path: path ?? "no path given", content });
  if (edits.length === 0 && content === null && path !== null)
    parts.push({ kind: "path", label: "Path", paths: [path] });
  for (const [key, label] of PLACES) {
    const value = left.get(key);
    const all = typeof value === "string" ? [value] : value;
    if (!Array.isArray(all) || all.length === 0 || !all.every((each) => typeof each === "string")) continue;
    left.delete(key);
    parts.push({ kind: "path", label, paths: all });
  }
  const description = left.get("description");
  if (isLine(description)) {
    left.delete("description");
    parts.push({ kind: "description", text: description });
  }
  if (left.size > 0) parts.push({ kind: "rest", json: printExactJson(Object.fromEntries(left), 2) });
  return parts;
}

/** A longer description, or one with control or invisible characters, stays JSON. */
const DESCRIPTION_CHARS_MAX = 400;
const isLine = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= DESCRIPTION_CHARS_MAX &&
  value.trim() !== "" &&
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value);

interface Edit {
  readonly before: string;
  readonly after: string;
}

/** The edits, if each names both the old and the new text; they are removed from `left`. */
function takeEdits(left: Map<string, unknown>): Edit[] {
  const listed = left.get("edits");
  if (Array.isArray(listed)) {
    const edits = listed.map(editOf);
    const known = edits.filter((edit) => edit !== null);
    if (known.length !== edits.length || known.length === 0) return [];
    left.delete("edits");
    return known;
  }
  const own = editOf(Object.fromEntries(left));
  if (own === null) return [];
  for (const key of EDIT_PAIRS.flat()) left.delete(key);
  return [own];
}

function editOf(value: unknown): Edit | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const [old, next] of EDIT_PAIRS) {
    const [before, after] = [fields.get(old), fields.get(next)];
    if (typeof before === "string" && typeof after === "string") return { before, after };
  }
  return null;
}
