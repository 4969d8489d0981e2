/**
 * The size of a YAML document with every alias expanded: merge keys copy their target, and the parser does not count
 * these copies.
 */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, visit } from "yaml";

/**
 * Counts each scalar, list and mapping once for each of its places in the value. The document must not contain an alias
 * of an enclosing node.
 */
export function expandedSize(document: Document): number {
  const named = namedNodes(document);
  const sizes = new Map<object, number>();
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizeOf(named.get(node));
    if (!isNode(node) || isScalar(node)) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    let size = 1;
    if (isMap(node)) for (const { key, value } of node.items) size += sizeOf(key) + sizeOf(value);
    else if (isSeq(node)) for (const item of node.items) size += sizeOf(item);
    sizes.set(node, size);
    return size;
  };
  return sizeOf(document.contents);
}

/** The node of each alias: the last one of its name before it. */
function namedNodes(document: Document): ReadonlyMap<object, unknown> {
  const byName = new Map<string, unknown>();
  const byAlias = new Map<object, unknown>();
  visit(document, (_key, node) => {
    if (isAlias(node)) byAlias.set(node, byName.get(node.source));
    else if (isNode(node) && node.anchor !== undefined) byName.set(node.anchor, node);
  });
  return byAlias;
}
