/** Parses YAML text to a document in which every value keeps its position. Refuses aliases, repeated keys and unlimited nesting. */
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from "yaml";
import type { TextProblem } from "./text-problems.ts";
import { unkeepable } from "./utf8.ts";
import { yamlErrorText } from "./yaml-errors.ts";
import { YAML_LIMITS, yamlShapeProblem } from "./yaml-shape.ts";

export const PROBLEMS_MAX = 50;
const DEPTH_MAX = YAML_LIMITS.depth;

type Path = readonly (string | number)[];
type Range = readonly [start: number, end: number];

export interface YamlText {
  /** The text as plain values. Call it only if there are no problems. */
  value(): unknown;
  readonly problems: readonly TextProblem[];
  /** A problem with the value at `path`, or with its nearest existing parent. */
  problemAt(path: Path, shown: string, message: string): TextProblem;
}

export function readYaml(source: string): YamlText {
  try {
    return read(source);
  } catch (error) {
    // The parser recurses into nested values, so deep brackets overflow its stack before the depth can be checked.
    if (!(error instanceof RangeError)) throw error;
    return unreadable(START, `Nested deeper than ${DEPTH_MAX} levels.`);
  }
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 };

function unreadable(place: typeof START, says: string): YamlText {
  const problemAt = (_path: Path, path: string, message: string): TextProblem => ({ path, message, ...place });
  return { value: () => null, problems: [problemAt([], "", says)], problemAt };
}

function placeIn(source: string, at: number): typeof START {
  let line = 1;
  for (let next = source.indexOf("\n"); next >= 0 && next < at; next = source.indexOf("\n", next + 1)) line += 1;
  const column = at - source.lastIndexOf("\n", at - 1);
  return { line, column, endLine: line, endColumn: column + 1 };
}

function read(source: string): YamlText {
  const shape = yamlShapeProblem(source);
  if (shape) return unreadable(placeIn(source, shape.at), shape.says);
  const lines = new LineCounter();
  const document = parseDocument(source, {
    lineCounter: lines,
    // The parser compares every key with every other, which takes a second for 10,000 keys. `shapeProblems` uses a set.
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
  });
  const place = ([start, end]: Range, path: string, message: string): TextProblem => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(end, start));
    return { path, message, line: from.line, column: from.col, endLine: to.line, endColumn: to.col };
  };
  const cut = unkeepable(source);
  const problems = cut
    ? [place([cut.at, cut.at + 1], "", cut.says)]
    : document.errors.length > 0
      ? document.errors.slice(0, PROBLEMS_MAX).map((error) => place(error.pos, "", yamlErrorText(error)))
      : shapeProblems(document, place);
  return {
    value: () => document.toJS(),
    problems,
    problemAt: (path, shown, message) => place(rangeOf(document, path), shown, message),
  };
}

type Document = ReturnType<typeof parseDocument>;

/** With aliases and unlimited nesting, a small text becomes a large value. Only one of several repeated keys would count. */
function shapeProblems(
  document: Document,
  place: (range: Range, path: string, message: string) => TextProblem,
): TextProblem[] {
  const problems: TextProblem[] = [];
  const add = (range: Range, message: string) => void problems.push(place(range, "", message));
  visit(document, (_key, node, path) => {
    if (problems.length >= PROBLEMS_MAX) return visit.BREAK;
    if (isMap(node)) for (const [range, key] of repeatedKeys(node)) add(range, `The key "${key}" is written twice.`);
    if (!isNode(node)) return undefined;
    const range = spanOf(node);
    // An escaped character is not in the text, but it is in the value.
    if (isScalar(node) && typeof node.value === "string") {
      const cut = unkeepable(node.value);
      if (cut) add(range, cut.says);
    }
    if (isAlias(node)) add(range, "Aliases (*name) are not taken in a policy. Write the value out.");
    if (!isCollection(node) || path.filter(isCollection).length < DEPTH_MAX) return undefined;
    add(range, `Nested deeper than ${DEPTH_MAX} levels.`);
    return visit.BREAK;
  });
  return problems.slice(0, PROBLEMS_MAX);
}

/** Each repeated key in `map`, with its range. */
export function repeatedKeys(map: YAMLMap): [Range, string][] {
  const seen = new Set<string>();
  const repeated: [Range, string][] = [];
  for (const { key } of map.items) {
    const name = nameOf(key);
    if (name === null || !isNode(key)) continue;
    if (seen.has(name)) repeated.push([spanOf(key), name]);
    seen.add(name);
  }
  return repeated;
}

function nameOf(key: unknown): string | null {
  return isScalar(key) ? String(key.value) : null;
}

function spanOf(node: { readonly range?: readonly [number, number, number] | null | undefined }): Range {
  const [start = 0, end = start] = node.range ?? [];
  return [start, end];
}

/**
 * The range to mark for `path`: a key with its scalar value, only the key above a block, or a whole list item. A missing path is
 * marked at the nearest parent.
 */
function rangeOf(document: Document, path: Path): Range {
  let node: unknown = document.contents;
  let range: Range = isNode(node) ? [spanOf(node)[0], spanOf(node)[0]] : [0, 0];
  for (const step of path) {
    if (!isCollection(node)) break;
    const item: unknown = isMap(node)
      ? node.items.find((pair) => nameOf(pair.key) === String(step))
      : node.items[Number(step)];
    if (item === undefined) break;
    node = isPair(item) ? item.value : item;
    range = isPair(item) ? rangeOfPair(item) : isNode(item) ? spanOf(item) : range;
  }
  return range;
}

function rangeOfPair({ key, value }: Pair): Range {
  const [start, end] = isNode(key) ? spanOf(key) : [0, 0];
  return isScalar(value) && value.range && value.value !== null ? [start, value.range[1]] : [start, end];
}
