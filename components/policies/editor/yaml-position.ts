/**
 * The position of a line in a hooks document, by indentation only: text that is being typed is rarely valid YAML.
 * Pure; knows nothing about hooks.
 */

/** A step into the document: a key, or `[]` for an item of a list. */
export type Step = string;

export interface YamlPosition {
  /** The way to the mapping or list that the cursor is in; without the key being written. */
  readonly path: readonly Step[];
  /** The part being written there. `text`: inside a block of free text, where nothing is suggested. */
  readonly writing: "key" | "value" | "text";
  /** The key being written, or whose value is. */
  readonly key: string;
  /** Column (from 0) where the word being written starts. */
  readonly from: number;
  /** True if the line began a list item with a dash. */
  readonly hasDash: boolean;
  /** True inside of braces or brackets. */
  readonly isFlow?: true;
}

interface Level {
  readonly column: number;
  readonly step: Step;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#'"][^:#]*?):(?=\s|$)/;
const BLOCK = /:\s+[|>][+-]?\d*\s*(#.*)?$/;

const bare = (key: string) => key.replace(/^(["'])(.*)\1$/, "$2");

/** The place of a cursor: line from 0, column from 0. */
export function positionAt(lines: readonly string[], line: number, column: number): YamlPosition {
  const levels: Level[] = [];
  let textFrom: number | null = null;
  for (let at = 0; at < line; at += 1) {
    const content = lines[at] ?? "";
    if (content.trim() === "") continue;
    const indent = indentOf(content);
    if (textFrom !== null && indent > textFrom) continue;
    textFrom = null;
    if (content.trimStart().startsWith("#")) continue;
    const { column: keyAt } = enter(levels, content);
    if (BLOCK.test(content)) textFrom = keyAt;
  }
  const written = (lines[line] ?? "").slice(0, column);
  const indent = written.trim() === "" ? written.length : indentOf(written);
  if (textFrom !== null && indent > textFrom) return nowhere(levels, column);
  if (written.trimStart().startsWith("#")) return nowhere(levels, column);
  const { column: start, rest, hasDash } = enter(levels, written.padEnd(indent), true);
  const path = levels.map((level) => level.step);
  const item = /^[{[]/.test(rest) ? flowPositionAt(rest, "") : null;
  if (item) return { ...item, path: [...path, ...item.path.slice(1)], from: start + item.from, hasDash, isFlow: true };
  const key = KEY.exec(rest);
  if (!key) return { path, writing: "key", key: rest.trim(), from: start, hasDash };
  const valueAt = start + key[0].length + (/^\s*/.exec(rest.slice(key[0].length))?.[0].length ?? 0);
  const flow = flowPositionAt(written.slice(valueAt), bare(key[1] ?? ""));
  if (flow) return { ...flow, path: [...path, ...flow.path], from: valueAt + flow.from, hasDash, isFlow: true };
  return { path, writing: "value", key: bare(key[1] ?? ""), from: valueAt, hasDash };
}

interface Frame {
  readonly isList: boolean;
  /** The key whose value holds the mapping or list; "" for an item of a list. */
  readonly of: string;
  key: string;
}

/** The place inside of `{ a: [b` behind a key; null without an open brace. An item of a list is a value of the list's key. */
function flowPositionAt(text: string, of: string): Pick<YamlPosition, "path" | "writing" | "key" | "from"> | null {
  const frames: Frame[] = [];
  let wordAt = 0;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    const top = frames.at(-1);
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (/["']/.test(letter) && text.slice(wordAt, at).trim() === "") quote = letter;
    else if (/[{[]/.test(letter) && text.slice(wordAt, at).trim() === "") {
      frames.push({ isList: letter === "[", of: top ? (top.isList ? "" : top.key) : of, key: "" });
      wordAt = at + 1;
    } else if (/[}\]]/.test(letter)) {
      frames.pop();
      wordAt = at + 1;
    } else if (letter === "," && top) {
      top.key = "";
      wordAt = at + 1;
    } else if (letter === ":" && top && !top.isList && top.key === "" && /^(?:\s|$)/.test(text.slice(at + 1))) {
      top.key = bare(text.slice(wordAt, at).trim());
      wordAt = at + 1;
    } else if (!top && text.slice(wordAt, at + 1).trim() !== "") return null;
  }
  const last = frames.at(-1);
  if (!last || quote !== "") return null;
  const from = wordAt + (/^\s*/.exec(text.slice(wordAt))?.[0].length ?? 0);
  const steps = frames.map((frame) => (frame.of === "" ? "[]" : frame.of));
  if (last.isList) return { path: steps.slice(0, -1), writing: "value", key: last.of, from };
  if (last.key !== "") return { path: steps, writing: "value", key: last.key, from };
  return { path: steps, writing: "key", key: text.slice(from), from };
}

/** The way to the key that a line writes, with it; null when the line writes none. */
export function keyPathOf(lines: readonly string[], line: number): { path: readonly Step[]; from: number } | null {
  const content = lines[line] ?? "";
  const place = positionAt(lines, line, content.length);
  if (place.writing !== "value") return null;
  return { path: [...place.path, place.key], from: content.indexOf(place.key) };
}

/** The keys already written in the mapping that a key at this column of the line belongs to. */
export function siblingKeys(lines: readonly string[], line: number, column: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const direction of [-1, 1]) {
    for (let at = line; at >= 0 && at < lines.length; at += direction) {
      const content = lines[at] ?? "";
      if (content.trim() === "" || content.trimStart().startsWith("#")) continue;
      const { column: start, rest, hasDash } = startOf(content);
      const key = KEY.exec(rest);
      if (at !== line && direction === 1 && hasDash && start <= column) break;
      if (start < column) break;
      if (at !== line && start === column && key?.[1]) found.add(bare(key[1]));
      if (direction === -1 && hasDash && start === column) break;
    }
  }
  return found;
}

function nowhere(levels: readonly Level[], column: number): YamlPosition {
  return { path: levels.map((level) => level.step), writing: "text", key: "", from: column, hasDash: false };
}

const indentOf = (content: string): number => content.length - content.trimStart().length;

/** Where a line's own content starts, past its dashes. */
function startOf(content: string): { column: number; rest: string; dashes: number[]; hasDash: boolean } {
  const dashes: number[] = [];
  let column = indentOf(content);
  let rest = content.slice(column);
  for (let dash = /^-(\s+|$)/.exec(rest); dash; dash = /^-(\s+|$)/.exec(rest)) {
    dashes.push(column);
    column += dash[0].length;
    rest = rest.slice(dash[0].length);
  }
  return { column, rest, dashes, hasDash: dashes.length > 0 };
}

/** Leaves the levels a line is not inside of, and enters those it opens; its own key only when it is not `partial`. */
function enter(levels: Level[], content: string, partial = false) {
  const line = startOf(content);
  for (const dash of line.dashes) {
    leave(levels, (level) => level.column > dash || (level.column === dash && level.step === "[]"));
    levels.push({ column: dash, step: "[]" });
  }
  leave(levels, (level) => level.column >= line.column);
  const key = KEY.exec(line.rest)?.[1];
  if (!partial && key !== undefined) levels.push({ column: line.column, step: bare(key) });
  return line;
}

function leave(levels: Level[], isLeft: (level: Level) => boolean): void {
  for (let last = levels.at(-1); last && isLeft(last); last = levels.at(-1)) levels.pop();
}
