/**
 * YAML as settings with line numbers. Anchors are resolved, and repeated content counts against the limit. Pure; never runs any
 * content.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type SettingsMember, type SettingsObject, type SettingsValue, unreadable } from "./settings-text.ts";

const FILE_CHARACTERS_MAX = 1_048_576;
const DEPTH_MAX = 64;
const NODES_MAX = 100_000;

interface Reading {
  readonly lineOf: (node: Node | null | undefined, otherwise: number) => number;
  readonly resolve: (node: unknown) => Node | undefined;
  nodes: number;
}

/** Errors: `invalid_input` with a message and the line if the text is too large, too deep, or not a YAML mapping. */
export function readYamlSettings(text: string): SettingsObject {
  if (text.length > FILE_CHARACTERS_MAX)
    throw unreadable("A file to import has at most 1 MiB. Keep its hooks and permissions, and remove the rest.");
  const lines = new LineCounter();
  const document = parsed(text, lines);
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    throw unreadable(`The file is not YAML. Line ${line}: ${error.message.split("\n")[0] ?? error.code}`);
  }
  const reading: Reading = {
    lineOf: (node, otherwise) => (node?.range ? lines.linePos(node.range[0]).line : otherwise),
    resolve: (node) => (isAlias(node) ? node.resolve(document) : undefined),
    nodes: 0,
  };
  const value = readValue(document.contents, 1, reading, 0);
  if (value.kind !== "object") throw unreadable("The file holds no mapping. Give the agent's file as it is.");
  return value;
}

function parsed(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, { lineCounter, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) throw unreadable("The file is nested too deeply to be read.");
    throw error;
  }
}

function readValue(node: unknown, above: number, reading: Reading, depth: number): SettingsValue {
  reading.nodes += 1;
  if (depth > DEPTH_MAX) throw unreadable("The file is nested too deeply to be read.");
  if (reading.nodes > NODES_MAX)
    throw unreadable(`A file to import has at most ${NODES_MAX} values, repetitions by anchors included. Split it.`);
  // A repeated value gets the line of its alias, not of its anchor.
  if (isAlias(node)) {
    const line = reading.lineOf(node, above);
    return { ...readValue(reading.resolve(node), line, reading, depth + 1), line };
  }
  if (isMap(node)) {
    const line = reading.lineOf(node, above);
    return { kind: "object", line, members: node.items.flatMap((pair) => membersOf(pair, line, reading, depth)) };
  }
  if (isSeq(node)) {
    const line = reading.lineOf(node, above);
    return { kind: "list", line, items: node.items.map((item) => readValue(item, line, reading, depth + 1)) };
  }
  if (!isScalar(node)) return { kind: "scalar", line: above, value: null };
  const { value } = node;
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { kind: "scalar", line: reading.lineOf(node, above), value: isPlain ? value : null };
}

/** The member of one pair, or the members of the mapping that `<<` merges. */
function membersOf(
  pair: { readonly key: unknown; readonly value: unknown },
  above: number,
  reading: Reading,
  depth: number,
): SettingsMember[] {
  const key = isScalar(pair.key) ? String(pair.key.value) : "";
  const line = isScalar(pair.key) ? reading.lineOf(pair.key, above) : above;
  const value = readValue(pair.value, line, reading, depth + 1);
  if (key === "<<" && value.kind === "object") return [...value.members];
  return [{ key, line, value }];
}

/** The value without line numbers. Objects have no prototype, so a key of any name is only a key. */
export function plainValue(value: SettingsValue): unknown {
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map(plainValue);
  const plain: Record<string, unknown> = Object.create(null);
  for (const { key, value: inside } of value.members) plain[key] = plainValue(inside);
  return plain;
}
