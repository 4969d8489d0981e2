/** Settings in TOML, edited by marked lines, so everything else keeps its text. The caller proves the result by parsing it. */
import { stringify } from "smol-toml";
import { isObject } from "../../dialects/settings/index.ts";
import type { Edit } from "./json-values.ts";
import { marked, markedSettings, replaceLine } from "./marked-lines.ts";

const HEADER = /^\s*\[/;

export const tomlSettings = markedSettings(applyOne);

function applyOne(lines: string[], { path, value, isInsertion }: Edit): string[] {
  const keys = path.filter((key) => typeof key === "string");
  if (isInsertion) return append(lines, tableText(keys, value));
  if (Array.isArray(value))
    return append(
      lines,
      value.flatMap((element) => tableText(keys, element)),
    );
  if (!isObject(value)) return setScalar(lines, keys.slice(0, -1), keys.at(-1) ?? "", value);
  return Object.entries(value).reduce(
    (text, [key, inner]) => applyOne(text, { path: [...path, key], value: inner }),
    lines,
  );
}

function setScalar(lines: string[], table: readonly string[], key: string, value: unknown): string[] {
  const line = scalarText(key, value);
  const header = table.length === 0 ? -1 : lines.findIndex((one) => headerOf(one) === table.join("."));
  if (table.length > 0 && header === -1) return append(lines, [`[${table.join(".")}]`, line]);
  const next = lines.findIndex((one, at) => at > header && HEADER.test(one));
  const end = next === -1 ? lines.length : next;
  const present = lines.findIndex((one, at) => at > header && at < end && one.split("=")[0]?.trim() === key);
  if (present === -1) return lines.toSpliced(header + 1, 0, marked(line));
  return replaceLine(lines, present, line);
}

function headerOf(line: string): string | undefined {
  return /^\s*\[\s*([\w.-]+)\s*\]\s*(?:#.*)?$/.exec(line)?.[1];
}

function append(lines: readonly string[], added: readonly string[]): string[] {
  return [...lines, ...added.map(marked)];
}

/** One table of an array of tables, with the arrays of tables in it. */
function tableText(keys: readonly string[], value: unknown): string[] {
  const entries = Object.entries(isObject(value) ? value : {});
  const name = keys.join(".");
  return [
    `[[${name}]]`,
    ...entries.flatMap(([key, one]) => (Array.isArray(one) ? [] : [scalarText(key, one)])),
    ...entries.flatMap(([key, one]) =>
      Array.isArray(one) ? one.flatMap((element) => tableText([...keys, key], element)) : [],
    ),
  ];
}

function scalarText(key: string, value: unknown): string {
  return stringify({ [key]: value }).trimEnd();
}
