/** The bytes of a text that a node owns: ends, columns, the comment above an item. Reads tokens, changes nothing. */
import {
  type CST,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { columnOf, lineEnd, lineStart, startOf } from "@/components/policies/document/yaml-tree";

const SILENT = new Set(["space", "newline", "comment"]);

/**
 * The start of a block scalar's body and the end of its content: trailing blank lines belong to it only if kept (`|+`).
 */
export function blockScalar(text: string, node: Node): { bodyStart: number; end: number; header: string } | null {
  if (!isScalar(node) || (node.type !== "BLOCK_LITERAL" && node.type !== "BLOCK_FOLDED")) return null;
  const token = node.srcToken;
  if (token?.type !== "block-scalar") return null;
  const [start = 0, after = start] = node.range ?? [];
  const header = token.props.find((prop) => prop.type === "block-scalar-header");
  const headerText = header && "source" in header ? header.source : "|";
  const bodyStart = start + token.props.reduce((sum, prop) => sum + ("source" in prop ? prop.source.length : 0), 0);
  const body = text.slice(bodyStart, after);
  const said = headerText.includes("+") ? body.replace(/\r?\n$/, "") : body.trimEnd();
  const end = said.trim() === "" && !headerText.includes("+") ? start + headerText.length : bodyStart + said.length;
  return { bodyStart, end, header: headerText };
}

/** The end of a node's content, without the comment or line end after it. */
export function endOf(text: string, node: Node): number {
  const after = node.range?.[1] ?? 0;
  if (isCollection(node) && node.flow) return after;
  if (isMap(node)) {
    const last = node.items.at(-1);
    return last ? endOfPair(text, last) : after;
  }
  if (isSeq(node)) {
    const last = node.items.at(-1);
    const dash = dashes(node).at(-1);
    return isNode(last) ? Math.max(endOf(text, last), (dash ?? 0) + 1) : after;
  }
  return blockScalar(text, node)?.end ?? after;
}

export function endOfPair(text: string, pair: Pair): number {
  const marked = Math.max(colonEnd(pair) ?? 0, isNode(pair.key) ? endOf(text, pair.key) : 0);
  return isNode(pair.value) && !isAbsent(pair.value) ? Math.max(marked, endOf(text, pair.value)) : marked;
}

/** True if the value is missing in the text: `key:` and nothing after it. */
export const isAbsent = (node: Node): boolean =>
  isScalar(node) &&
  node.value === null &&
  (node.source === "" || node.source === undefined) &&
  !node.anchor &&
  !node.tag;

/** Past the colon, and past an anchor or tag that follows it. */
export function colonEnd(pair: Pair): number | null {
  const sep = tokensOf(pair)?.sep ?? [];
  const last = sep.filter((token) => !SILENT.has(token.type)).at(-1);
  return last ? last.offset + last.source.length : null;
}

/** Holds: documents are parsed with their source tokens, and a pair's token is the item of its collection. */
export const tokensOf = (pair: Pair): CST.CollectionItem | undefined => pair.srcToken as CST.CollectionItem | undefined;

export const startOfPair = (pair: Pair): number => (isNode(pair.key) ? startOf(pair.key) : 0);

/** The offsets of a block list's dashes. */
export function dashes(seq: YAMLSeq): number[] {
  const token = seq.srcToken;
  if (token?.type !== "block-seq") return [];
  return token.items.flatMap((item) =>
    item.start.filter(({ type }) => type === "seq-item-ind").map(({ offset }) => offset),
  );
}

/** An item of a list or a pair of a mapping that has lines of its own: from the comment right above it to its last line's end. */
export interface Slot {
  readonly from: number;
  /** Where the item itself begins: its dash or its key. */
  readonly start: number;
  /** The end of its content. */
  readonly end: number;
  /** End of its last line, a comment there included. */
  readonly to: number;
}

/** The slots of a block collection; null when one of them shares its line with something else. */
export function slots(text: string, collection: YAMLMap | YAMLSeq): Slot[] | null {
  const starts = isMap(collection) ? collection.items.map(startOfPair) : dashes(collection);
  if (starts.length !== collection.items.length) return null;
  const found: Slot[] = [];
  for (const [index, start] of starts.entries()) {
    const item: unknown = collection.items[index];
    const end = isMap(collection)
      ? endOfPair(text, item as Pair) // holds: a mapping's items are pairs
      : Math.max(start + 1, isNode(item) ? endOf(text, item) : 0);
    const isAlone = text.slice(lineStart(text, start), start).trim() === "";
    if (!isAlone && !(isMap(collection) && index === 0)) return null;
    const from = isAlone ? commentAbove(text, start, found.at(-1)?.to ?? 0) : start;
    found.push({ from, start, end, to: lineEnd(text, end) });
  }
  return found;
}

/** The start of the comment lines directly above a line with the same indent; without any, the start of the line. */
function commentAbove(text: string, start: number, notBefore: number): number {
  const column = columnOf(text, start);
  let from = lineStart(text, start);
  while (from > 0) {
    const above = lineStart(text, from - 1);
    const line = text.slice(above, lineEnd(text, above));
    if (above < notBefore || line.search(/\S/) !== column || line[column] !== "#") break;
    from = above;
  }
  return from;
}
