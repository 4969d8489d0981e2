/** For tests: which bytes of a text are a node's own, from the parser's ranges alone. */
import { isMap, isNode, isScalar, isSeq, parseDocument } from "yaml";

type Path = readonly (string | number)[];

/** From a node's key or dash (comment lines right above included) to the end of its last line. */
export function ownBytes(text: string, path: Path): readonly [from: number, to: number] {
  let node: unknown = parseDocument(text, { uniqueKeys: false }).contents;
  let from = 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) return [from, text.length];
      from = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      node = pair.value;
    } else if (isSeq(node)) {
      const isFlow = node.flow;
      node = node.items[Number(step)];
      const start = isNode(node) ? (node.range?.[0] ?? 0) : 0;
      from = isFlow ? start : text.lastIndexOf("-", start - 1);
    }
  }
  // A comment line above at the same column, without a blank line between, is the item's.
  const startOfLine = (at: number) => (at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);
  let line = startOfLine(from);
  const column = from - line;
  while (line > 0) {
    const above = startOfLine(line - 1);
    const written = text.slice(above, line);
    if (written.search(/\S/) !== column || written[column] !== "#") break;
    line = above;
  }
  const start = text.slice(line, from).trim().startsWith("#") || text.slice(line, from).trim() === "" ? line : from;
  const end = isNode(node) ? (node.range?.[1] ?? from) : from;
  const isLineEnd = end > 0 && text[end - 1] === "\n";
  const stop = isLineEnd ? end : text.indexOf("\n", end) + 1 || text.length;
  return [start, stop];
}
