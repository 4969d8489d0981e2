/**
 * Candidates for writing a value at a place: the closest to the current text first. The caller takes the first one that
 * parses back to the value.
 */
import { isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Change } from "@/components/policies/document/change";
import {
  blockScalar,
  colonEnd,
  dashes,
  endOf,
  endOfPair,
  isAbsent,
  slots,
  startOfPair,
} from "@/components/policies/document/geometry";
import { type Scalar, type Style, type Written, writings } from "@/components/policies/document/scalar";
import {
  block,
  blockItem,
  flow,
  type Habits,
  indented,
  keyText,
  pairLines,
  type Value,
} from "@/components/policies/document/write";
import { columnOf, lineEnd, startOf, type YamlTree } from "@/components/policies/document/yaml-tree";

/** Each is a whole way to do it. */
export type Ways = readonly (readonly Change[])[];

const isPlainScalar = (value: Value): value is Scalar => typeof value !== "object";

/** The text's indentation of lists below a key; without a list in the text, one level to the right of the key. */
export function habitsOf(tree: YamlTree): Habits {
  const offset = listOffset(tree.root, tree.text);
  return { step: tree.step, listOffset: offset ?? tree.step };
}

function listOffset(node: unknown, text: string): number | null {
  if (isSeq(node)) {
    for (const item of node.items) {
      const found = listOffset(item, text);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isMap(node)) return null;
  for (const pair of node.items) {
    const dash = isSeq(pair.value) ? dashes(pair.value)[0] : undefined;
    if (dash !== undefined) return Math.max(0, columnOf(text, dash) - columnOf(text, startOfPair(pair)));
    const found = listOffset(pair.value, text);
    if (found !== null) return found;
  }
  return null;
}

/** Another value for a pair that is there. */
export function replacePair(tree: YamlTree, pair: Pair, value: Value, inFlow: boolean): Ways {
  const { text } = tree;
  const old = isNode(pair.value) ? pair.value : null;
  if (old && !isAbsent(old) && isScalar(old) && isPlainScalar(value))
    return replaceScalar(tree, old, value, inFlow, columnOf(text, startOfPair(pair)));
  const from = colonEnd(pair);
  if (from === null) return [];
  const to = old && !isAbsent(old) ? endOf(text, old) : from;
  if (inFlow) return [[{ from, to, insert: ` ${flow(value)}` }]];
  const column = columnOf(text, startOfPair(pair));
  const ways = isPlainScalar(value)
    ? writings(value, undefined, false).map((way) => ({ ...way, below: indented(way.below, column + tree.step) }))
    : [block(value, column, habitsOf(tree))];
  return ways.map((way) => placed(tree, from, to, way.inline === "" ? "" : ` ${way.inline}`, way.below));
}

/** Replaces the text between two offsets with `inline`, and inserts lines below the line of the second. */
function placed({ text, eol }: YamlTree, from: number, to: number, inline: string, below: readonly string[]): Change[] {
  const here: Change = { from, to, insert: inline };
  if (below.length === 0) return [here];
  const at = lineEnd(text, to);
  const lines = below.map((line) => eol + line).join("");
  return at === to ? [{ ...here, insert: inline + lines }] : [here, { from: at, to: at, insert: lines }];
}

/** Another scalar for one that is there; a block stays a block with its own indentation where it can. */
export function replaceScalar(tree: YamlTree, old: Node, value: Scalar, inFlow: boolean, keyColumn: number): Ways {
  const { text } = tree;
  const style = isScalar(old) ? (old.type as Style | undefined) : undefined; // holds: the parser names one of these
  const body = blockScalar(text, old);
  const from = startOf(old);
  const ways = writings(value, style, inFlow);
  if (body) return ways.map((way) => replaceBlock(tree, from, body, way, keyColumn));
  const to = old.range?.[1] ?? from;
  return ways.map((way) => placed(tree, from, to, way.inline, indented(way.below, keyColumn + tree.step)));
}

function replaceBlock(
  { text, eol, step }: YamlTree,
  from: number,
  body: { bodyStart: number; end: number; header: string },
  way: Written,
  keyColumn: number,
): Change[] {
  const headerEnd = from + body.header.length;
  const header: Change[] = way.inline === body.header ? [] : [{ from, to: headerEnd, insert: way.inline }];
  const hasBody = body.end > body.bodyStart;
  if (way.below.length === 0) {
    const headerLine = lineEnd(text, from);
    return hasBody ? [...header, { from: headerLine, to: body.end, insert: "" }] : header;
  }
  const first = /^[^\S\r\n]*(?=\S)/m.exec(text.slice(body.bodyStart, body.end))?.[0].length;
  const lines = indented(way.below, hasBody && first ? first : keyColumn + step).join(eol);
  const at = lineEnd(text, from);
  return hasBody
    ? [...header, { from: body.bodyStart, to: body.end, insert: lines }]
    : [...header, { from: at, to: at, insert: eol + lines }];
}

/** Adds a pair to a mapping that lacks the key, after the keys that precede it in `order`. */
export function insertPair(tree: YamlTree, map: YAMLMap, key: string, value: Value, order: readonly string[]): Ways {
  const { text, eol } = tree;
  const rank = order.indexOf(key);
  const names = map.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : ""));
  let after = names.length - 1;
  if (rank >= 0) {
    const before = names.map((name) => order.indexOf(name)).map((one) => one >= 0 && one < rank);
    after = before.lastIndexOf(true);
  }
  if (map.flow) return [insertFlow(text, map, after, `${keyText(key, true)}: ${flow(value)}`)];
  const first = map.items[0];
  if (!first) return [];
  const column = columnOf(text, startOfPair(first));
  const lines = pairLines(key, value, column, habitsOf(tree));
  const previous = map.items[after];
  if (previous) {
    const at = lineEnd(text, endOfPair(text, previous));
    return [[{ from: at, to: at, insert: lines.map((line) => eol + line).join("") }]];
  }
  const at = startOfPair(first);
  return [[{ from: at, to: at, insert: `${lines.join(eol).trimStart()}${eol}${" ".repeat(column)}` }]];
}

/** An item for a list, behind the one at `after` (-1: before all). */
export function insertItem(tree: YamlTree, seq: YAMLSeq, after: number, value: Value): Ways {
  const { text, eol } = tree;
  if (seq.flow) return [insertFlow(text, seq, after, flow(value))];
  const places = slots(text, seq);
  const first = places?.[0];
  if (!places || !first) return [];
  const lines = blockItem(value, columnOf(text, first.start), habitsOf(tree));
  const previous = places[after];
  if (previous) return [[{ from: previous.to, to: previous.to, insert: lines.map((line) => eol + line).join("") }]];
  return [[{ from: first.from, to: first.from, insert: lines.join(eol) + eol }]];
}

function insertFlow(text: string, collection: YAMLMap | YAMLSeq, after: number, written: string): Change[] {
  const previous: unknown = collection.items[after];
  if (previous === undefined) {
    const at = startOf(collection) + 1;
    const next = collection.items.length > 0 ? ", " : "";
    const to = collection.items.length > 0 ? at : (collection.range?.[1] ?? at + 1) - 1;
    return [{ from: at, to, insert: written + next }];
  }
  const at = endOfEither(text, previous);
  return [{ from: at, to: at, insert: `, ${written}` }];
}

export function endOfEither(text: string, item: unknown): number {
  return isNode(item) ? endOf(text, item) : endOfPair(text, item as Pair); // holds: a collection's items are nodes or pairs
}
