/** Plain values as YAML text: hooks, entries and events that a form adds. */
import { isPlain, type Scalar, type Written, writings } from "@/components/policies/document/scalar";

export type Value = Scalar | null | readonly Value[] | { readonly [key: string]: Value };

/** The list style of the text around, in columns: the indentation of a level, and the offset of a list from its key. */
export interface Habits {
  readonly step: number;
  readonly listOffset: number;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isMapping = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value that follows `key:`. The lines below carry their indentation, `column` being that of the key. */
export function block(value: Value, column: number, habits: Habits): Written {
  if (isList(value)) {
    if (value.length === 0 || value.every(isShort)) return { inline: flow(value), below: [] };
    const at = column + habits.listOffset;
    return { inline: "", below: value.flatMap((item) => blockItem(item, at, habits)) };
  }
  if (isMapping(value)) {
    if (Object.keys(value).length === 0) return { inline: "{}", below: [] };
    return { inline: "", below: blockMapping(value, column + habits.step, habits) };
  }
  return scalarBlock(value, column, habits);
}

/** The lines of a list's item, its dash at `column`. */
export function blockItem(item: Value, column: number, habits: Habits): string[] {
  const dash = `${" ".repeat(column)}- `;
  if (isMapping(item) && Object.keys(item).length > 0) {
    const lines = blockMapping(item, column + 2, habits);
    return lines.map((line, at) => (at === 0 ? dash + line.trimStart() : line));
  }
  if (isList(item) || isMapping(item)) return [dash + flow(item)];
  const { inline, below } = scalarBlock(item, column, habits);
  return [dash + inline, ...below];
}

export function blockMapping(fields: { readonly [key: string]: Value }, column: number, habits: Habits): string[] {
  return Object.entries(fields).flatMap(([key, value]) => pairLines(key, value, column, habits));
}

/** `key: value` at a column, with the lines below it. */
export function pairLines(key: string, value: Value, column: number, habits: Habits): string[] {
  const { inline, below } = block(value, column, habits);
  return [`${" ".repeat(column)}${keyText(key, false)}:${inline === "" ? "" : ` ${inline}`}`, ...below];
}

function scalarBlock(value: Scalar | null, column: number, { step }: Habits): Written {
  // Not `|+`: it would take the blank lines that follow for its own.
  const way =
    value === null ? undefined : writings(value, undefined, false).find(({ inline }) => !/^[|>]\+/.test(inline));
  if (!way) return { inline: "null", below: [] };
  return { inline: way.inline, below: indented(way.below, column + step) };
}

export const indented = (lines: readonly string[], column: number): string[] =>
  lines.map((line) => (line === "" ? "" : " ".repeat(column) + line));

/** The same on one line, as inside braces. */
export function flow(value: Value): string {
  if (isList(value)) return `[${value.map(flow).join(", ")}]`;
  if (isMapping(value))
    return `{${Object.entries(value)
      .map(([key, of]) => `${keyText(key, true)}: ${flow(of)}`)
      .join(", ")}}`;
  return value === null ? "null" : (writings(value, undefined, true)[0]?.inline ?? "null");
}

export const keyText = (key: string, inFlow: boolean): string =>
  isPlain(key, inFlow) ? key : (writings(key, "QUOTE_DOUBLE", true)[0]?.inline ?? key);

const isShort = (value: Value) =>
  typeof value !== "object" && String(value).length <= 40 && !String(value).includes("\n");
