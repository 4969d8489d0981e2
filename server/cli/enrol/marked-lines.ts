/**
 * Settings with one independent setting on each line. Our lines end with a mark, and a line that we replace is kept as
 * a marked comment.
 */
import type { Edit, SettingsText } from "./json-values.ts";

const MARK = " # quarterdeck";
const REPLACED = "# quarterdeck replaced: ";

export const marked = (line: string): string => `${line}${MARK}`;

/** A format that is edited line by line. */
export function markedSettings(applyOne: (lines: string[], edit: Edit) => string[]): SettingsText {
  return {
    apply: (text, edits) => withLines(text, (lines) => edits.reduce(applyOne, lines)),
    undo: (text) => withLines(text, withoutMarked),
  };
}

function withLines(text: string, change: (lines: string[]) => string[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return change(lines)
    .map((line) => `${line}${eol}`)
    .join("");
}

/** A line of our own leaves nothing behind. */
export function replaceLine(lines: readonly string[], index: number, line: string): string[] {
  const present = lines[index] ?? "";
  const kept = present.endsWith(MARK) ? [] : [`${REPLACED}${present}`];
  return lines.toSpliced(index, 1, ...kept, marked(line));
}

function withoutMarked(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !line.endsWith(MARK))
    .map((line) => (line.startsWith(REPLACED) ? line.slice(REPLACED.length) : line));
}
