/**
 * A form's edits to a policy's text. Each edit changes only the bytes of its node. Takes a text and a path, and returns
 * changes to be dispatched as one step. Errors: `ok: false` with the reason in words; the text must then be edited as
 * YAML. Each result is parsed again and compared with the intended value before it is returned.
 */
import { isCollection, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { applied, type Change, type Edit } from "@/components/policies/document/change";
import { isDeepEqual, swapped, withChange, withoutItem, withoutKey } from "@/components/policies/document/intent";
import {
  habitsOf,
  insertItem,
  insertPair,
  replacePair,
  replaceScalar,
  type Ways,
} from "@/components/policies/document/put";
import { swap, takeOut } from "@/components/policies/document/take";
import { keyText, pairLines, type Value } from "@/components/policies/document/write";
import {
  columnOf,
  lineEnd,
  nodeAt,
  type Path,
  startOf,
  type YamlTree,
  yamlTree,
} from "@/components/policies/document/yaml-tree";

const UNSAFE = "The form cannot change this part safely. Edit the YAML instead.";
const GONE = "This part is no longer in the draft.";

/** The first way whose result parses to the intended value. */
function settle(tree: YamlTree, ways: Ways, meant: unknown): Edit {
  for (const changes of ways) {
    const text = applied(tree.text, changes);
    const after = yamlTree(text);
    if (after.locked === null && isDeepEqual(after.value, meant)) return { ok: true, changes, text };
  }
  return { ok: false, why: UNSAFE };
}

const refused = (why: string): Edit => ({ ok: false, why });
const nothing = (text: string): Edit => ({ ok: true, changes: [], text });

/** Sets a key of the mapping at `path`. A missing key is inserted after the keys that precede it in `order`. */
export function setKey(text: string, path: Path, key: string, value: Value, order: readonly string[] = []): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const found = nodeAt(tree, path);
  if (!found) return refused(GONE);
  const { node } = found;
  const meant = withChange(tree.value, [...path, key], () => value);
  if (isMap(node) && node.items.length > 0) {
    const pair = node.items.find((one) => isScalar(one.key) && String(one.key.value) === key);
    if (!pair) return settle(tree, insertPair(tree, node, key, value, order), meant);
    if (isDeepEqual(nodeAt(tree, [...path, key])?.node?.toJSON() ?? null, value)) return nothing(text);
    return settle(tree, replacePair(tree, pair, value, isInFlow(tree, [...path, key])), meant);
  }
  return fill(tree, path, { [key]: value }, meant);
}

/** A value for a place that is empty: nothing at all, `{}` or `[]`. */
function fill(tree: YamlTree, path: Path, value: Value, meant: unknown): Edit {
  const found = nodeAt(tree, path);
  if (!found) return refused(GONE);
  const { node, pair } = found;
  if (isCollection(node) ? node.items.length > 0 : isScalar(node) && node.value !== null) return refused(UNSAFE);
  if (pair) return settle(tree, replacePair(tree, pair, value, isInFlow(tree, path)), meant);
  if (path.length > 0 || typeof value !== "object" || value === null) return refused(UNSAFE);
  return settle(tree, fillRoot(tree, value), meant);
}

/** The first lines of a text that is empty or holds only comments. */
function fillRoot(tree: YamlTree, value: object): Ways {
  const { text, eol, root } = tree;
  const fields = Object.entries(value) as [string, Value][]; // holds: the caller gave a mapping of values
  const lines = fields.flatMap(([key, of]) => pairLines(key, of, 0, habitsOf(tree)));
  const written = lines.join(eol) + eol;
  if (isCollection(root))
    return [[{ from: startOf(root), to: root.range?.[1] ?? startOf(root), insert: lines.join(eol) }]];
  const gap = text === "" || text.endsWith("\n") ? "" : eol;
  return [[{ from: text.length, to: text.length, insert: gap + written }]];
}

/** Takes a key out of the mapping at `path`, with the comment on its line. A comment above it stays. */
export function unsetKey(text: string, path: Path, key: string): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const node = nodeAt(tree, path)?.node;
  if (!isMap(node)) return refused(GONE);
  const index = node.items.findIndex((one) => isScalar(one.key) && String(one.key.value) === key);
  if (index === -1) return nothing(text);
  const meant = withChange(tree.value, path, withoutKey(key));
  if (node.items.length > 1) return settle(tree, takeOut(text, node, index), meant);
  return empty(tree, path, node, meant);
}

/** `{}` instead of a mapping's last pair. */
function empty(tree: YamlTree, path: Path, node: YAMLMap, meant: unknown): Edit {
  const found = nodeAt(tree, path);
  if (found?.pair) return settle(tree, replacePair(tree, found.pair, {}, isInFlow(tree, path)), meant);
  const pair = node.items[0];
  if (!pair || !node.range) return refused(GONE);
  const [way] = takeOutAll(tree.text, node);
  return settle(tree, way ? [way] : [], meant);
}

function takeOutAll(text: string, node: YAMLMap): Ways {
  const from = startOf(node);
  const end = node.flow ? (node.range?.[1] ?? from) : text.slice(0, node.range?.[1] ?? from).trimEnd().length;
  return [[{ from, to: end, insert: "{}" }]];
}

/** Another name for a key; its value and its place stay. */
export function renameKey(text: string, path: Path, key: string, name: string): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const node = nodeAt(tree, path)?.node;
  if (!isMap(node)) return refused(GONE);
  const pair = node.items.find((one) => isScalar(one.key) && String(one.key.value) === key);
  if (!pair || !isScalar(pair.key) || !pair.key.range) return refused(GONE);
  if (key === name) return nothing(text);
  if (node.items.some((one) => isScalar(one.key) && String(one.key.value) === name))
    return refused(`The name "${name}" is already in use.`);
  const [from, to] = pair.key.range;
  const change: Change = { from, to, insert: keyText(name, isInFlow(tree, [...path, key])) };
  const meant = withChange(tree.value, path, (fields) =>
    Object.fromEntries(Object.entries(fields ?? {}).map(([one, value]) => [one === key ? name : one, value])),
  );
  return settle(tree, [[change]], meant);
}

/** Adds to the list at `path`, at its end or behind the item `after`; creates the list if it is missing. */
export function addItem(text: string, path: Path, value: Value, order: readonly string[] = [], after?: number): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const found = nodeAt(tree, path);
  const key = path.at(-1);
  if (!found) return typeof key === "string" ? setKey(text, path.slice(0, -1), key, [value], order) : refused(GONE);
  const { node } = found;
  if (isMap(node) && node.items.length > 0)
    return refused("The form needs a list here. In the YAML, put a dash before this entry.");
  if (!isSeq(node) || node.items.length === 0)
    return fill(
      tree,
      path,
      [value],
      withChange(tree.value, path, () => [value]),
    );
  const at = after ?? node.items.length - 1;
  const meant = withChange(tree.value, path, (items) =>
    Array.isArray(items) ? [...items.slice(0, at + 1), value, ...items.slice(at + 1)] : items,
  );
  return settle(tree, insertItem(tree, node, at, value), meant);
}

/** Another scalar for an item of a list. */
export function setItem(text: string, path: Path, value: string | number | boolean): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const node = nodeAt(tree, path)?.node;
  if (!isScalar(node)) return refused(GONE);
  if (node.value === value) return nothing(text);
  const ways = replaceScalar(tree, node, value, isInFlow(tree, path), Math.max(0, columnOf(text, startOf(node)) - 2));
  return settle(
    tree,
    ways,
    withChange(tree.value, path, () => value),
  );
}

/** Removes an item from its list. An emptied list is removed with its key, and so on upward. */
export function removeItem(text: string, path: Path): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const index = path.at(-1);
  const parent = path.slice(0, -1);
  const node = nodeAt(tree, parent)?.node;
  const isThere = nodeAt(tree, path) !== undefined;
  if (!isThere || index === undefined) return refused(GONE);
  if (isSeq(node) && typeof index === "number") {
    if (node.items.length > 1)
      return settle(tree, takeOut(text, node, index), withChange(tree.value, parent, withoutItem(index)));
    return removeHolder(text, parent);
  }
  if (!isMap(node)) return refused(GONE);
  // One mapping in place of a list: the hook is the event's whole value.
  return unsetKey(text, parent, String(index));
}

/** Removes the owner of an emptied list: the event, the entry of a `hooks` list, or the `args` key of a hook. */
function removeHolder(text: string, list: Path): Edit {
  const owner = list.slice(0, -1);
  const key = String(list.at(-1));
  return key === "hooks" && typeof owner.at(-1) === "number" ? removeItem(text, owner) : removeKey(text, owner, key);
}

/**
 * Removes a key like `unsetKey`. An event is removed with the comment directly above it, and the last one leaves
 * `hooks: {}`.
 */
export function removeKey(text: string, path: Path, key: string): Edit {
  const tree = yamlTree(text);
  const node = nodeAt(tree, path)?.node;
  if (path.length > 0 || !isMap(node) || node.items.length > 1 || key === "hooks") return unsetKey(text, path, key);
  // The text is only a hooks block, and this is its last event: `hooks: {}` keeps it a policy.
  const ways: Ways = [[{ from: startOf(node), to: lineEnd(text, endOfRoot(tree)), insert: "hooks: {}" }]];
  return settle(tree, ways, { hooks: {} });
}

const endOfRoot = ({ root, text }: YamlTree): number => text.slice(0, root?.range?.[1] ?? text.length).trimEnd().length;

/** An item, or a pair, one place up (-1) or down (1). The comment directly above it moves too. */
export function move(text: string, path: Path, by: -1 | 1): Edit {
  const tree = yamlTree(text);
  if (tree.locked !== null) return refused(tree.locked);
  const parent = path.slice(0, -1);
  const last = path.at(-1);
  const node = nodeAt(tree, parent)?.node;
  if (!isMap(node) && !isSeq(node)) return refused(GONE);
  const index = isMap(node)
    ? node.items.findIndex((one) => isScalar(one.key) && String(one.key.value) === String(last))
    : Number(last);
  const other = index + by;
  if (index < 0 || index >= node.items.length) return refused(GONE);
  if (other < 0 || other >= node.items.length) return nothing(text);
  return settle(tree, swap(text, node, index, other), withChange(tree.value, parent, swapped(index, other)));
}

/** True if a place is inside braces or brackets, where everything is on one line. */
function isInFlow(tree: YamlTree, path: Path): boolean {
  return path.some((_step, at) => {
    const node = nodeAt(tree, path.slice(0, at))?.node;
    return isCollection(node) && node.flow === true;
  });
}
