/** Converts schema issues about rules to plain sentences, each at its key. */
import type { z } from "zod";
import { didYouMean } from "../did-you-mean.ts";
import { ruleShapeExample } from "../shape-examples.ts";
import {
  commandCondition,
  hostCondition,
  mcpCondition,
  pathCondition,
  type Rule,
  rule,
  sqlCondition,
} from "./schema.ts";

type Path = readonly (string | number)[];
type Issue = z.core.$ZodIssue;

export interface RuleProblem {
  /** The path below the hook; begins with "rules". */
  readonly at: Path;
  readonly message: string;
}

const RULE_KEYS = Object.keys(rule.shape) as (keyof Rule)[]; // holds: the keys of the rule's own shape
const OF_RULES_ONLY: ReadonlySet<string> = new Set(["deny", "ask", "allow", "mark"]);
const CONDITION_KEYS = RULE_KEYS.filter((key) => !OF_RULES_ONLY.has(key));
const KEYS: Readonly<Record<string, readonly string[]>> = {
  command: Object.keys(commandCondition.shape),
  path: Object.keys(pathCondition.shape),
  target: Object.keys(pathCondition.shape),
  host: Object.keys(hostCondition.shape),
  mcp: Object.keys(mcpCondition.shape),
  sql: Object.keys(sqlCondition.shape),
};

/** The problems behind a schema issue. `given` is the value at the issue's path. */
export function ruleIssueProblems(issue: Issue, given: unknown): RuleProblem[] {
  return flatIssues(issue, [], given).flatMap(([one, at, value]): RuleProblem[] => {
    const message = messageOf(one, at, value);
    if (typeof message === "string") return [{ at, message }];
    return message.map(([key, text]) => ({ at: [...at, key], message: text }));
  });
}

/** For a union, selects the issues of the intended branch: the list branch for a list, else the first branch for the value's type. */
function flatIssues(issue: Issue, before: Path, root: unknown): [Issue, Path, unknown][] {
  const at = [...before, ...stepsOf(issue.path)];
  const value = valueAt(root, stepsOf(issue.path));
  if (issue.code !== "invalid_union") return [[issue, at, value]];
  const branches = leaves(issue);
  const meant = branches.find((branch) => !branch.some((one) => one.path.length === 0 && isOtherType(one, value)));
  if (meant) return meant.flatMap((one) => flatIssues(one, at, value));
  return [[issue, at, value]];
}

/** The branches of a union, including those of nested unions. */
function leaves(issue: Issue): Issue[][] {
  if (issue.code !== "invalid_union") return [[issue]];
  const branches: readonly Issue[][] = issue.errors;
  return branches.flatMap((branch) => {
    const [only, ...more] = branch;
    return only?.code === "invalid_union" && only.path.length === 0 && more.length === 0 ? leaves(only) : [branch];
  });
}

function isOtherType(issue: Issue, value: unknown): boolean {
  if (issue.code === "invalid_type") return true;
  return issue.code === "invalid_value" && issue.values.every((one) => typeof one !== typeof value);
}

/** The message for an issue; for unknown keys, one for each key. */
function messageOf(issue: Issue, at: Path, value: unknown): string | [string, string][] {
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key): [string, string] => [key, unknownKey(key, at)]);
    case "invalid_value":
      return valueMessage(issue.values.map(String), at, value);
    case "invalid_union":
      return unionMessage(issue);
    case "invalid_type":
      return issue.expected === "object"
        ? `must be a mapping, such as ${ruleShapeExample(at)}`
        : `must be ${TYPES[issue.expected] ?? "another value"}`;
    case "too_big":
      return sizeMessage(issue.origin, `at most ${issue.maximum}`);
    case "too_small":
      return issue.minimum === 1 && issue.origin !== "number"
        ? issue.origin === "string"
          ? "must not be empty"
          : "must have at least one entry"
        : sizeMessage(issue.origin, `at least ${issue.minimum}`);
    default:
      return issue.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  number: "a whole number",
  int: "a whole number",
};

function sizeMessage(origin: string, bound: string): string {
  if (origin === "string") return `must have ${bound} characters`;
  return origin === "array" ? `must have ${bound} entries` : `must be ${bound}`;
}

function unionMessage(issue: Issue): string {
  const [first] = leaves(issue).flat();
  if (first?.code === "invalid_value" && first.values.includes(true)) return "must be true, or a list of kinds";
  return "must be a text, or a list of texts";
}

function unknownKey(key: string, at: Path): string {
  const known = keysAt(at);
  if (OF_RULES_ONLY.has(key) && known === CONDITION_KEYS)
    return `unknown key: ${key} belongs to the rule, not to a condition in it`;
  const near = didYouMean(key, known);
  return `unknown key${near === "" ? ` (known: ${known.join(", ")})` : near}`;
}

/** The valid keys of the mapping at a path: `rules`, an index in the list, then conditions. */
function keysAt(at: Path): readonly string[] {
  const last = at.at(-1);
  if (typeof last === "string" && Object.hasOwn(KEYS, last)) return KEYS[last] ?? [];
  return at.length === 2 ? RULE_KEYS : CONDITION_KEYS;
}

/** The message for a value that is not one of the known ones. */
function valueMessage(values: readonly string[], at: Path, value: unknown): string {
  const noun = nounOf(at);
  if (values.length === 1) return `must be ${values.join()}`;
  if (typeof value !== "string") return `must be one of ${values.join(", ")}`;
  const near = didYouMean(value, values);
  return `there is no ${noun} called "${value.slice(0, 60)}"${near === "" ? ` (known: ${values.join(", ")})` : near}`;
}

function nounOf(at: Path): string {
  const names = at.filter((step) => typeof step === "string");
  switch (names.at(-1)) {
    case "class":
      return names.at(-2) === "host" ? "class of hosts" : "class of paths";
    case "access":
      return "access";
    case "kind":
      return "kind of tool";
    case "label":
      return "safety label";
    default:
      return "kind of opaque part";
  }
}

const stepsOf = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  // Holds: only looks up the members of an object.
  for (const step of path) value = isObject(value) ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
  return value;
}
