/** Conditions that no call meets. Reports only certain cases. */
import { mcpToolOf } from "../../calls/call.ts";
import type { CommandCondition, Condition, PathCondition } from "../rules/schema.ts";
import { TOOL_KINDS, type ToolKind, toolKindOf } from "../tool-kinds.ts";
import { listMatcherNames, selectsAll } from "./matchers.ts";
import type { HookPath } from "./policy.ts";

interface Impossible {
  /** Below the condition. */
  readonly at: HookPath;
  readonly reason: string;
}

type Kinds = ReadonlySet<ToolKind>;
const ALL: Kinds = new Set(TOOL_KINDS);
/** The kinds of tools whose arguments are read as commands: shells, and tools with names that suggest commands. */
const WITH_COMMANDS: Kinds = new Set(["shell", "mcp", "other"]);
const WITH_PATHS: Kinds = new Set(["shell", "read", "write", "edit", "search", "mcp", "other"]);

/** The reason why no call of a tool that the matcher selects can meet a condition; null if one may. */
export function impossibleBecause(
  condition: Condition,
  matcher: string | undefined,
  marks: ReadonlySet<string>,
): Impossible | null {
  return impossible(condition, kindsOfMatcher(matcher), marks, "the matcher");
}

function impossible(condition: Condition, before: Kinds, marks: ReadonlySet<string>, by: string): Impossible | null {
  let kinds = before;
  let narrowedBy = by;
  for (const [key, possible, noun] of kindsByKey(condition)) {
    const left = new Set([...kinds].filter((kind) => possible.has(kind)));
    if (left.size === 0) return { at: [key], reason: `no tool that ${narrowedBy} selects has ${noun}` };
    if (left.size < kinds.size) narrowedBy = `\`${key}\``;
    kinds = left;
  }
  const { command, path, after, all = [], any = [], not } = condition;
  const own = (command && inCommand(command)) ?? (path && inPath(path, ["path"])) ?? null;
  if (own) return own;
  if (after !== undefined && !marks.has(after))
    return { at: ["after"], reason: `no rule of this policy sets the mark "${after}"` };
  if (not && Object.keys(not).length === 0) return { at: ["not"], reason: "every call meets the empty condition" };
  for (const [index, one] of all.entries()) {
    const found = impossible(one, kinds, marks, narrowedBy);
    if (found) return { ...found, at: ["all", index, ...found.at] };
  }
  const found = any.map((one) => impossible(one, kinds, marks, narrowedBy));
  const [first] = found;
  if (!first || found.some((one) => one === null)) return null;
  return { ...first, at: any.length === 1 ? ["any", 0, ...first.at] : ["any"] };
}

function* kindsByKey({ kind, tool, command, label, mcp, path }: Condition): Iterable<[string, Kinds, string]> {
  if (kind !== undefined) yield ["kind", new Set(listOf(kind)), "this kind"];
  if (tool !== undefined) yield ["tool", new Set(listOf(tool).flatMap((name) => [...kindsOfName(name)])), "this name"];
  if (mcp) yield ["mcp", new Set(["mcp"]), "an MCP server"];
  if (command) yield ["command", WITH_COMMANDS, "a command"];
  if (label !== undefined) yield ["label", WITH_COMMANDS, "a command"];
  if (path) yield ["path", WITH_PATHS, "a path"];
}

function kindsOfName(name: string): Kinds {
  if (/[*?[]/.test(name)) return ALL;
  const kind = toolKindOf(name);
  // A client may report in a separate field that a tool belongs to an MCP server.
  if (kind !== "other") return new Set([kind, "mcp"]);
  return mcpToolOf(name) ? new Set(["mcp"]) : ALL;
}

/** The kinds of the names in a plain list; all kinds for a pattern. */
function kindsOfMatcher(matcher: string | undefined): Kinds {
  const names = selectsAll(matcher) || matcher === undefined ? null : listMatcherNames(matcher);
  return names === null ? ALL : new Set(names.flatMap((name) => [...kindsOfName(name)]));
}

function inCommand(condition: CommandCondition): Impossible | null {
  const { flags = [], without_flags = [], target } = condition;
  const bare = new Set(flags.map((flag) => flag.replace(/^-+/, "")));
  const both = without_flags.find((flag) => bare.has(flag.replace(/^-+/, "")));
  if (both !== undefined)
    return { at: ["command", "without_flags"], reason: `the flag "${both}" is wanted and excluded` };
  const wanted = listOf(condition.argument ?? []);
  const excluded = listOf(condition.without_argument ?? []);
  const [only] = wanted;
  if (only !== undefined && wanted.every((one) => excluded.includes(one)))
    return { at: ["command", "without_argument"], reason: `the argument "${only}" is wanted and excluded` };
  return target ? inPath(target, ["command", "target"]) : null;
}

function inPath(condition: PathCondition, at: HookPath): Impossible | null {
  const classes = listOf(condition.class ?? []);
  const isInside = classes.length > 0 && classes.every((one) => one === "project" || one === "temporary");
  if (condition.outside === "project" && isInside)
    return { at: [...at, "class"], reason: "outside excludes the project and temporary folders" };
  const [first] = listOf(condition.path ?? []);
  if (first !== undefined && listOf(condition.path ?? []).every((one) => listOf(condition.not ?? []).includes(one)))
    return { at: [...at, "not"], reason: `the path "${first}" is wanted and excluded` };
  return null;
}

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);
