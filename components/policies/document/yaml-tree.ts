/** A policy's text as a YAML tree with the byte range of each node, and the reason if a form must not edit it. */
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from "yaml";

export type Path = readonly (string | number)[];

export interface YamlTree {
  readonly text: string;
  readonly root: Node | null;
  /** The whole text as plain values; null while it cannot be read. */
  readonly value: unknown;
  /** The reason that only the YAML can be edited, in words; null when a form may edit. */
  readonly locked: string | null;
  /** The line end that the text uses. */
  readonly eol: string;
  /** Columns one level adds. */
  readonly step: number;
  /** Line (from 1) of a place. */
  lineOf(offset: number): number;
}

const KEPT_MAX = 6;
const DEPTH_MAX = 64;
const kept = new Map<string, YamlTree>();

const TOO_DEEP = "The YAML is nested too deeply. Reduce the nesting.";

/** The tree of a text. The last few are kept: an edit reads the same texts that the page shows. */
export function yamlTree(text: string): YamlTree {
  const known = kept.get(text);
  if (known) return known;
  const tree = read(text);
  const oldest = kept.keys().next();
  if (kept.size >= KEPT_MAX && !oldest.done) kept.delete(oldest.value);
  kept.set(text, tree);
  return tree;
}

function read(text: string): YamlTree {
  const lines = new LineCounter();
  const base = { text, root: null, value: null, eol: text.includes("\r\n") ? "\r\n" : "\n", step: 2 };
  const lineOf = (offset: number) => lines.linePos(offset).line;
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      keepSourceTokens: true,
      uniqueKeys: false,
      prettyErrors: false,
      stringKeys: true,
    });
    const error = document.errors[0];
    // The library reports its own stack overflow as an error in the text.
    if (error && /call stack/.test(error.message)) return { ...base, lineOf, locked: TOO_DEEP };
    const root = document.contents;
    const locked = error
      ? `Line ${lineOf(error.pos[0])} is not valid YAML: ${error.message.split("\n")[0]}. Correct the line.`
      : trouble(document, lineOf);
    if (locked !== null) return { ...base, root, lineOf, locked };
    return { ...base, root, value: document.toJS(), lineOf, locked: null, step: stepOf(root, text) };
  } catch {
    return { ...base, lineOf, locked: TOO_DEEP };
  }
}

/** The sentence on a construct that a form could break unintentionally: an alias, a duplicate key. */
function trouble(document: ReturnType<typeof parseDocument>, lineOf: (offset: number) => number): string | null {
  let why: string | null = null;
  const at = (node: Node) => `Line ${lineOf(node.range?.[0] ?? 0)}`;
  visit(document, (_key, node, path) => {
    if (isAlias(node)) why = `${at(node)} uses an alias (*${node.source}). Replace it with the value.`;
    else if (path.length > DEPTH_MAX * 2) why = "The policy is nested too deeply for the form.";
    else if (isMap(node)) {
      const seen = new Set<string>();
      for (const { key } of node.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) why = `${at(key)} repeats the key "${name}". Remove one of them.`;
        seen.add(name);
      }
    }
    return why === null ? undefined : visit.BREAK;
  });
  return why;
}

/** The text's indentation in columns, taken from its first nested mapping. */
function stepOf(root: Node | null, text: string): number {
  const below = isMap(root) ? root.items.find(({ value }) => isMap(value) && !value.flow) : undefined;
  if (!below || !isMap(below.value)) return 2;
  const first = below.value.items[0]?.key;
  const step =
    isNode(first) && isNode(below.key) ? columnOf(text, startOf(first)) - columnOf(text, startOf(below.key)) : 2;
  return step >= 1 && step <= 8 ? step : 2;
}

export const startOf = (node: Node): number => node.range?.[0] ?? 0;

/** The node at a path, and the pair that holds it when a mapping does. */
export function nodeAt(tree: YamlTree, path: Path): { node: Node | null; pair: Pair | null } | undefined {
  let node: Node | null = tree.root;
  let pair: Pair | null = null;
  for (const step of path) {
    if (isMap(node)) {
      const found: Pair | undefined = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!found) return undefined;
      pair = found;
      node = isNode(found.value) ? found.value : null;
    } else if (isSeq(node) && typeof step === "number" && step < node.items.length) {
      const item: unknown = node.items[step];
      if (isPair(item)) return undefined; // `[a: b]`: not a form in which hooks are written
      pair = null;
      node = isNode(item) ? item : null;
    } else return undefined;
  }
  return { node, pair };
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line of an offset ends, before its line end. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at === -1) return text.length;
  return at > offset && text[at - 1] === "\r" ? at - 1 : at;
}

export const columnOf = (text: string, offset: number): number => offset - lineStart(text, offset);
