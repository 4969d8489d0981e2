/** Sentences that explain why a call meets a condition or not. Pure. */
import type { ReadCall } from "../calls/call.ts";
import type { CommandFacts } from "../calls/command-facts.ts";
import type { Host } from "../calls/hosts.ts";
import type { CommandCondition, Condition, PathCondition } from "../contract/rules/schema.ts";
import {
  asList,
  type CallCondition,
  commandMatches,
  hasFlag,
  hostFits,
  named,
  pathMatches,
  unmetByCommand,
} from "../handlers/rules/evaluate.ts";
import { ACCESS_WORDS, CLASS_WORDS } from "./words.ts";

const LISTED_MAX = 6;
const SOURCE_MAX = 120;

/** `a`, `a or b`, `a, b or 3 more`. */
function orList(wanted: string | readonly string[] | undefined, say: (one: string) => string = quoted): string {
  const all = asList(wanted ?? []).map(say);
  const isLong = all.length > LISTED_MAX;
  const shown = isLong ? [...all.slice(0, LISTED_MAX - 1), `${all.length - LISTED_MAX + 1} more`] : all;
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

const quoted = (text: string): string => `"${cut(text)}"`;
const hostName = ({ name }: Host): string => name || "one that is not known";
const cut = (text: string): string => (text.length > SOURCE_MAX ? `${text.slice(0, SOURCE_MAX - 1)}…` : text);

/** The first condition that the call does not meet, as a sentence. */
export function unmetSentence(unmet: CallCondition, condition: Condition, call: ReadCall): string {
  const { command, path, mcp, sql, opaque, larger_than } = condition;
  switch (unmet) {
    case "command":
      return call.commands.length === 0 ? "The call runs no command." : unmetCommand(command ?? {}, call.commands);
    case "path":
      return call.paths.length === 0 ? "The call names no path." : `No path of the call is ${pathWords(path ?? {})}.`;
    case "host":
      if (call.hosts.length === 0) return "The call names no host.";
      return `No host of the call fits: it names ${orList(call.hosts.map(hostName))}.`;
    case "mcp":
      if (!call.mcp) return "The tool is not one of an MCP server.";
      if (!named(mcp?.server, call.mcp.server)) return `The MCP server is ${quoted(call.mcp.server)}.`;
      return `The MCP tool ${quoted(call.mcp.tool)} is not among those of the rule.`;
    case "sql":
      if (call.sql.length === 0) return "The call has no SQL statement that changes or removes.";
      if (call.sql.some(({ verb }) => named(sql?.statement, verb))) return "A WHERE narrows each such statement.";
      return `No SQL statement is ${orList(sql?.statement)}: the call has ${orList(call.sql.map(({ verb }) => verb))}.`;
    case "tool":
      return `The tool is ${quoted(call.tool)}.`;
    case "kind":
      return `The tool is of kind ${quoted(call.kind)}.`;
    case "opaque":
      if (call.opaque.length === 0) return "Every part of the call can be read.";
      return `No part of the call is opaque as ${orList(opaque === true ? [] : opaque)}.`;
    case "label": {
      const label = call.safetyLabel();
      return label === null ? "The call runs no command." : `The call's commands have the label ${quoted(label)}.`;
    }
    case "larger_than":
      return `The arguments have ${call.size} bytes, which is not more than ${larger_than}.`;
  }
}

/** The command that meets the most parts represents all commands. */
function unmetCommand(condition: CommandCondition, commands: readonly CommandFacts[]): string {
  const sameProgram = commands.filter(({ program }) => named(condition.program, program));
  if (sameProgram.length === 0) return `No command runs ${orList(condition.program)}.`;
  const order = ["subcommand", "flags", "without_flags", "argument", "without_argument"];
  const rank = (facts: CommandFacts) => {
    const place = order.indexOf(unmetByCommand(condition, facts) ?? "");
    return place === -1 ? order.length : place;
  };
  const nearest = sameProgram.reduce((best, one) => (rank(one) > rank(best) ? one : best));
  return unmetPart(condition, nearest);
}

function unmetPart(condition: CommandCondition, facts: CommandFacts): string {
  const { subcommand, flags = [], without_flags = [], argument, without_argument, target } = condition;
  const source = quoted(facts.command.source);
  switch (unmetByCommand(condition, facts)) {
    case "subcommand":
      return `${source} has no subcommand ${orList(subcommand)}.`;
    case "flags":
      return `${source} has no flag ${quoted(flags.find((flag) => !hasFlag(flag, facts)) ?? "")}.`;
    case "without_flags":
      return `${source} has the flag ${quoted(without_flags.find((flag) => hasFlag(flag, facts)) ?? "")}.`;
    case "argument":
      return `${source} has no argument ${orList(argument)}.`;
    case "without_argument":
      return `${source} has an argument that the rule leaves out: ${orList(without_argument)}.`;
    case "assignment":
      return `${source} sets no variable ${orList(condition.assignment)}.`;
    case "host":
      return facts.hosts.length === 0 ? `${source} names no host.` : `No host of ${source} fits.`;
    case "setting":
      return `${source} changes no setting ${orList(condition.setting)}.`;
    default:
      if (facts.paths.length === 0) return `${source} names no path.`;
      return `No path of ${source} is ${pathWords(target ?? {})}.`;
  }
}

/** `read or written, of class credentials`. */
function pathWords({ access, class: classes, path, not, outside }: PathCondition): string {
  const words = [
    ...(access === undefined ? [] : [orList(access, (one) => wordOf(ACCESS_WORDS, one))]),
    ...(classes === undefined ? [] : [`of class ${orList(classes, (one) => wordOf(CLASS_WORDS, one))}`]),
    ...(outside === undefined ? [] : ["outside the project"]),
    ...(path === undefined ? [] : [`under ${orList(path)}`]),
    ...(not === undefined ? [] : [`not under ${orList(not)}`]),
  ];
  return words.length === 0 ? "known" : words.join(", ");
}

const wordOf = (words: Readonly<Record<string, string>>, key: string): string => words[key] ?? key;

/** The part of the call that meets a condition, as a sentence. */
export function metSentence(condition: Condition, call: ReadCall): string {
  const { command, path, host, opaque } = condition;
  if (command) {
    const found = call.commands.find((one) => commandMatches(command, one));
    if (found) return `It matches the command ${quoted(found.command.source)}.`;
  }
  if (path) {
    const found = call.paths.find((one) => pathMatches(path, one));
    if (found) return `It matches the path ${quoted(found.path ?? found.source)}.`;
  }
  if (host) {
    const found = call.hosts.find(({ name }) => hostFits(host, name));
    if (found) return `It matches the host ${quoted(hostName(found))}.`;
  }
  if (condition.mcp && call.mcp) return `It matches the MCP tool ${quoted(call.mcp.tool)}.`;
  if (condition.sql) return "It matches an SQL statement of the call.";
  if (opaque !== undefined) {
    const found = call.opaque.find(({ kind }) => opaque === true || asList(opaque).includes(kind));
    if (found) return `It matches a part that cannot be read: ${quoted(found.source)}.`;
  }
  const label = condition.label === undefined ? null : call.safetyLabel();
  return label === null ? "The call meets every condition." : `It matches the safety label ${quoted(label)}.`;
}
