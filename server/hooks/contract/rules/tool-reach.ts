/**
 * Finds the rules that concern a tool: those with a condition that a call of the tool can meet. A rule that lists the tool as an
 * exception also counts, because its author decided about the tool. Pure.
 */
import { accessOf, isDatabaseTool, type McpTool, mayRunCommands } from "../../calls/call.ts";
import { extensionKindsOf } from "../../calls/extensions.ts";
import { globMatches } from "../../calls/globs.ts";
import type { PathAccess } from "../../calls/path-class-names.ts";
import { type ToolKind, toolKindOf } from "../tool-kinds.ts";
import type { Condition, McpCondition } from "./schema.ts";

/** A tool, without call arguments. */
export interface CalledTool {
  /** The client's name for the tool. */
  readonly name: string;
  readonly kind: ToolKind;
  readonly mcp: McpTool | null;
  readonly agent: string;
  readonly tags: readonly string[];
}

/** Typical names of MCP tools and unknown tools whose arguments contain an address. */
const REACHES_HOSTS = /fetch|url|http|web|browse|navigate|download|crawl|scrape|request/i;

/** False if no call of the tool can meet the condition, and the condition does not list the tool as an exception. */
export function looksAt(condition: Condition, tool: CalledTool): boolean {
  const { all, any, not } = condition;
  return (
    callMayMatch(condition, tool) &&
    isNamed(condition.agent, tool.agent) &&
    (condition.tag === undefined || tool.tags.some((tag) => isNamed(condition.tag, tag))) &&
    (all?.every((one) => looksAt(one, tool)) ?? true) &&
    (any?.some((one) => looksAt(one, tool)) ?? true) &&
    !(not !== undefined && alwaysMatches(not, tool))
  );
}

function callMayMatch(
  { command, path, host, mcp, sql, opaque, unaccepted, ...condition }: Condition,
  tool: CalledTool,
): boolean {
  const own = toolKindOf(tool.mcp?.tool ?? tool.name);
  const runs = mayRunCommands(tool.name, own);
  return (
    isNamed(condition.tool, tool.name) &&
    (condition.kind === undefined || listOf(condition.kind).includes(tool.kind)) &&
    (mcp === undefined || mcpFits(mcp, tool.mcp)) &&
    (unaccepted === undefined || extensionKindsOf(tool.name, null).size > 0) &&
    ((command === undefined && opaque === undefined && condition.label === undefined) || runs) &&
    (path === undefined || runs || accessFits(path.access, accessOf(own, tool.name))) &&
    (host === undefined || runs || own === "fetch" || (own === "other" && REACHES_HOSTS.test(tool.name))) &&
    (sql === undefined || runs || isDatabaseTool(tool.name))
  );
}

/** A tool that writes may also delete, for example with a patch; and "write" includes "delete". */
function accessFits(wanted: PathAccess | readonly PathAccess[] | undefined, access: PathAccess | null): boolean {
  if (access === null || wanted === undefined) return access !== null;
  const writes = access === "write" || access === "delete";
  return listOf(wanted).some(
    (one) => one === access || (writes && (one === "write" || (one === "delete" && access === "write"))),
  );
}

/** True if every call of the tool meets the condition, and the condition is about kinds and agents, not about listed tools. */
function alwaysMatches(condition: Condition, tool: CalledTool): boolean {
  const { kind: _kind, agent: _agent, tag: _tag, all, any, not, ...others } = condition;
  return (
    Object.values(others).every((value) => value === undefined) &&
    looksAt({ ...condition, all: undefined, any: undefined, not: undefined }, tool) &&
    (all?.every((one) => alwaysMatches(one, tool)) ?? true) &&
    (any?.some((one) => alwaysMatches(one, tool)) ?? true) &&
    (not === undefined || !looksAt(not, tool))
  );
}

const mcpFits = ({ server, tool }: McpCondition, used: McpTool | null): boolean =>
  used !== null && isNamed(server, used.server) && isNamed(tool, used.tool);

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]); // holds: no item is a list

/** True if a name or pattern matches, ignoring case. */
const isNamed = (wanted: string | readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || listOf(wanted).some((one) => one === value || globMatches(one, value));
