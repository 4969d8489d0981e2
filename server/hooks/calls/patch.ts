/** The files that a patch changes. Pure. */
import type { PathAccess } from "./path-class-names.ts";

const ENVELOPE = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$|^\*\*\* Move to: (.+?)\s*$/gm;
/** `--- a/file` with `+++ b/file` on the next line. */
const UNIFIED = /^--- (.+?)(?:\t.*)?\r?\n\+\+\+ (.+?)(?:\t.*)?\r?$/gm;
/** The limit of files. Later ones are not read, and the call reports this. */
export const FILES_MAX = 5_000;

export interface PatchedFile {
  readonly path: string;
  readonly access: PathAccess;
}

/** An upper bound of the files in a patch: the shortest line that names one has eight characters. */
export const filesAtMost = (text: string): number => text.length / 8;

export function patchPaths(text: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  if (text.includes("*** "))
    for (const [, act, path, target] of text.matchAll(ENVELOPE)) {
      if (files.length === FILES_MAX) return files;
      files.push({ path: (path ?? target ?? "").trim(), access: act === "Delete" ? "delete" : "write" });
    }
  if (text.includes("\n+++ "))
    for (const [, from = "", to = ""] of text.matchAll(UNIFIED)) {
      if (files.length === FILES_MAX) return files;
      const path = to === "/dev/null" ? from : to;
      files.push({ path: path.replace(/^[ab]\//, ""), access: to === "/dev/null" ? "delete" : "write" });
    }
  return files;
}
