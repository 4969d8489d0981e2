/**
 * A client's settings as values with line numbers. JSON may contain comments and trailing commas, as clients accept them. The TOML
 * parser has no positions, so a TOML line is that of the header or key. Pure; never runs any content.
 */
import { createScanner, type Node } from "jsonc-parser";
import { AppError } from "../../errors/app-error.ts";
import { parseJsonTree, parseSettings, UnreadableSettings } from "../settings/parse-settings.ts";

export interface SettingsMember {
  readonly key: string;
  readonly line: number;
  readonly value: SettingsValue;
}

export type SettingsValue =
  | { readonly kind: "object"; readonly line: number; readonly members: readonly SettingsMember[] }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly SettingsValue[] }
  | { readonly kind: "scalar"; readonly line: number; readonly value: string | number | boolean | null };

export type SettingsObject = Extract<SettingsValue, { kind: "object" }>;

const FILE_CHARACTERS_MAX = 1_048_576;
const DEPTH_MAX = 64;

export const unreadable = (says: string) => new AppError("invalid_input", undefined, { says });

/** Errors: `invalid_input` with a message and the line if the text is too large, too deep, or not a JSON object. */
export function readJsonSettings(text: string): SettingsObject {
  refuseTooLarge(text);
  refuseTooDeep(text);
  const value = valueOfNode(
    parsed("JSON", () => parseJsonTree(text, true)),
    lineCounter(text),
  );
  if (value.kind !== "object")
    throw unreadable("The file holds no JSON object. Give the client's settings as they are.");
  return value;
}

/** Errors: `invalid_input` with a message, and with the line if it is known. */
export function readTomlSettings(text: string): SettingsObject {
  refuseTooLarge(text);
  const values = parsed("TOML", () => parseSettings(text, "toml"));
  const value = valueOfToml(values, [], 1, tomlLines(text), 0);
  if (value.kind !== "object") throw unreadable("The file holds no settings.");
  return value;
}

function parsed<T>(format: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw unreadable("The file is nested too deeply to be read.");
    if (!(error instanceof UnreadableSettings)) throw error;
    throw unreadable(`The file is not ${format}. Line ${error.line}: ${error.problem}.`);
  }
}

function refuseTooLarge(text: string): void {
  if (text.length > FILE_CHARACTERS_MAX)
    throw unreadable("A file to import has at most 1 MiB. Keep its hooks and permissions, and remove the rest.");
}

/** The parser recurses at every level. */
function refuseTooDeep(text: string): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  // Only the end of the text has length 0; a string token includes its quotes.
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const token = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : "";
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth > DEPTH_MAX) throw unreadable("The file is nested too deeply to be read.");
  }
}

type LineOf = (offset: number) => number;

/** Converts offsets to lines by binary search: a file may have as many lines as characters. */
function lineCounter(text: string): LineOf {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function valueOfNode(node: Node, lineOf: LineOf): SettingsValue {
  const line = lineOf(node.offset);
  const children = node.children ?? [];
  if (node.type === "array") return { kind: "list", line, items: children.map((child) => valueOfNode(child, lineOf)) };
  if (node.type !== "object") return { kind: "scalar", line, value: scalarOf(node.value) };
  const members = children.flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) return [];
    return [{ key: String(key.value), line: lineOf(key.offset), value: valueOfNode(value, lineOf) }];
  });
  return { kind: "object", line, members };
}

function scalarOf(value: unknown): string | number | boolean | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

interface TomlLines {
  /** The line of the next header with this name. Each header is returned once; null when no header is left. */
  readonly nextHeader: (name: string) => number | null;
  /** The line of a key at or below a line, before the next header. */
  readonly keyBelow: (line: number, key: string) => number | null;
}

const HEADER = /^\s*(\[\[?)([^[\]]+)\]\]?\s*(?:#.*)?$/;
const plainName = (name: string) => name.replace(/["'\s]/g, "");

function tomlLines(text: string): TomlLines {
  const lines = text.split("\n");
  const headers = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const name = HEADER.exec(line)?.[2];
    if (name === undefined) continue;
    const listed = headers.get(plainName(name)) ?? [];
    listed.push(index + 1);
    headers.set(plainName(name), listed);
  }
  return {
    nextHeader: (name) => headers.get(name)?.shift() ?? null,
    keyBelow: (line, key) => {
      for (let at = line; at <= lines.length && at < line + KEY_LINES_MAX; at++) {
        const text = lines[at - 1] ?? "";
        if (at > line && HEADER.test(text)) return null;
        const [, found] = /^\s*([A-Za-z0-9_"'.-]+)\s*=/.exec(text) ?? [];
        if (found !== undefined && plainName(found).split(".")[0] === key) return at;
      }
      return null;
    },
  };
}
const KEY_LINES_MAX = 500;

function valueOfToml(
  value: unknown,
  path: readonly string[],
  line: number,
  lines: TomlLines,
  depth: number,
): SettingsValue {
  if (depth > DEPTH_MAX) throw unreadable("The file is nested too deeply to be read.");
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => {
      const isTable = typeof item === "object" && item !== null && !Array.isArray(item);
      const at = (isTable ? lines.nextHeader(path.join(".")) : null) ?? line;
      return valueOfToml(item, path, at, lines, depth + 1);
    });
    return { kind: "list", line, items };
  }
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    const members = Object.entries(value).map(([key, inside]) => {
      const below = [...path, key];
      const header = isTableOf(inside) ? lines.nextHeader(below.join(".")) : null;
      const at = header ?? lines.keyBelow(line, key) ?? line;
      return { key, line: at, value: valueOfToml(inside, below, at, lines, depth + 1) };
    });
    return { kind: "object", line, members };
  }
  if (typeof value === "bigint" || value instanceof Date) return { kind: "scalar", line, value: String(value) };
  return { kind: "scalar", line, value: scalarOf(value) };
}

const isTableOf = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
