/** The rules of a hook for the form: each with its path, and the text of the parts that the form does not edit. */
import { endOfPair, startOfPair } from "@/components/policies/document/geometry";
import { type Fields, isFields } from "@/components/policies/document/intent";
import { columnOf, nodeAt, type Path, type YamlTree } from "@/components/policies/document/yaml-tree";

/** Conditions in conditions: only the text edits them. */
export const NESTS = ["all", "any", "not"] as const;

export interface RuleNode {
  readonly path: Path;
  /** Where problems say it is: `hooks.pre_tool_use[0].hooks[0].rules[2]`. */
  readonly where: string;
  readonly fields: Fields;
  /** The YAML of its nested conditions, as written. */
  readonly nests: readonly string[];
}

export interface RuleList {
  readonly nodes: readonly RuleNode[];
  /** Something in the list is not a rule: only the text shows it. */
  readonly isOdd: boolean;
}

export function rulesOf(tree: YamlTree, path: Path, where: string, value: unknown): RuleList {
  if (value === undefined || value === null) return { nodes: [], isOdd: false };
  if (!Array.isArray(value)) return { nodes: [], isOdd: true };
  const nodes = value.flatMap((fields: unknown, at): RuleNode[] =>
    isFields(fields)
      ? [{ path: [...path, at], where: `${where}[${at}]`, fields, nests: nestsOf(tree, [...path, at], fields) }]
      : [],
  );
  return { nodes, isOdd: nodes.length < value.length };
}

function nestsOf(tree: YamlTree, path: Path, fields: Fields): string[] {
  return NESTS.filter((key) => Object.hasOwn(fields, key)).map((key) => sourceOf(tree, [...path, key]));
}

/** A pair as it is written, without the indentation of its key. */
export function sourceOf(tree: YamlTree, path: Path): string {
  const { text } = tree;
  const pair = nodeAt(tree, path)?.pair;
  if (!pair) return "";
  const from = startOfPair(pair);
  const column = columnOf(text, from);
  const [first = "", ...rest] = text.slice(from, endOfPair(text, pair)).split(/\r?\n/);
  const dedented = (line: string) => (line.slice(0, column).trim() === "" ? line.slice(column) : line.trimStart());
  return [first, ...rest.map(dedented)].join("\n");
}
