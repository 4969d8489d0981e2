/** Reads a tool call once into its effects. A part that cannot be read is opaque, never harmless. Pure. */
import { listCommandTexts, runsCommands, type ToolKind, toolKindOf } from "../contract/tool-kinds.ts";
import { type CallPath, type CommandFacts, commandFacts } from "./command-facts.ts";
import { type Host, hostOf } from "./hosts.ts";
import { FILES_MAX, filesAtMost, patchPaths } from "./patch.ts";
import type { PathAccess, PathClass } from "./path-class-names.ts";
import { absolutePath, classesOf, type PathPlace } from "./path-classes.ts";
import { labelOfTexts } from "./safety/label.ts";
import type { SafetyLabel } from "./safety/label-names.ts";
import { readProgram, readScript } from "./shell/read-script.ts";
import type { Opaque, ShellCommand, ShellReading } from "./shell/shell-reading.ts";
import { fromPowerShell } from "./shell/windows.ts";
import { EMPTYING, LENGTH_MAX as SQL_LENGTH_MAX, type SqlStatement, STATEMENTS_MAX, sqlStatements } from "./sql.ts";

export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

export interface ReadCall {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly commands: readonly CommandFacts[];
  /** The same commands by their program. */
  readonly commandsByProgram: ReadonlyMap<string, readonly CommandFacts[]>;
  /** Paths from the call's own fields and from its commands. */
  readonly paths: readonly CallPath[];
  /** The classes that at least one path has. */
  readonly pathClasses: ReadonlySet<PathClass>;
  readonly hosts: readonly Host[];
  readonly mcp: McpTool | null;
  /** Statements of database tools and of the command lines of databases. */
  readonly sql: readonly SqlStatement[];
  readonly opaque: readonly Opaque[];
  /** Bytes of the arguments as JSON in UTF-8. */
  readonly size: number;
  /** The safety label of its commands; null for a tool that runs no commands. Computed on first use. */
  readonly safetyLabel: () => SafetyLabel | null;
}

export interface CallInput {
  readonly tool: string;
  /** The arguments: an object, or one text. */
  readonly input: unknown;
  readonly place: PathPlace;
  /** Server and tool, if the client sends them in fields of their own. */
  readonly mcp?: McpTool | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Nested arguments, such as a list of edits. */
const DEPTH_MAX = 32;
/** In one list or object. */
const TEXTS_MAX = 50_000;

export function readCall(given: CallInput): ReadCall {
  return new Reading(given);
}

/** Computed on first use where only few rules need it. */
class Reading implements ReadCall {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly mcp: McpTool | null;
  readonly commands: readonly CommandFacts[];
  readonly #given: CallInput;
  readonly #known: ToolKind;
  readonly #fields: Fields;
  readonly #readings: readonly ShellReading[];
  #byProgram: ReadonlyMap<string, readonly CommandFacts[]> | undefined;
  #own: readonly CallPath[] | undefined;
  #paths: readonly CallPath[] | undefined;
  #pathClasses: ReadonlySet<PathClass> | undefined;
  #hosts: readonly Host[] | undefined;
  #sql: ReturnType<typeof sqlIn> | undefined;
  #opaque: readonly Opaque[] | undefined;
  #size: number | undefined;
  #label: { readonly value: SafetyLabel | null } | undefined;

  constructor(given: CallInput) {
    const { tool, input, place } = given;
    this.tool = tool;
    this.#given = given;
    this.mcp = given.mcp ?? mcpToolOf(tool);
    this.#known = toolKindOf(this.mcp?.tool ?? tool);
    this.kind = this.mcp ? "mcp" : this.#known;
    this.#fields = fieldsOf(input);
    this.#readings = shellReadings(tool, this.#known, this.#fields, input);
    this.commands = commandsOf(this.#readings).map((command) => commandFacts(command, place));
  }

  get commandsByProgram(): ReadonlyMap<string, readonly CommandFacts[]> {
    this.#byProgram ??= byProgram(this.commands);
    return this.#byProgram;
  }

  /** From the call's own fields. */
  get #ownPaths(): readonly CallPath[] {
    const { tool, input, place } = this.#given;
    this.#own ??= ownPaths(this.#known, tool, input, place);
    return this.#own;
  }

  get paths(): readonly CallPath[] {
    this.#paths ??= [...this.#ownPaths, ...this.commands.flatMap(({ paths }) => paths)];
    return this.#paths;
  }

  get pathClasses(): ReadonlySet<PathClass> {
    this.#pathClasses ??= new Set(this.paths.flatMap(({ classes }) => [...classes]));
    return this.#pathClasses;
  }

  get hosts(): readonly Host[] {
    this.#hosts ??= [...ownHosts(this.#fields), ...this.commands.flatMap(({ hosts }) => hosts)];
    return this.#hosts;
  }

  get sql(): readonly SqlStatement[] {
    return this.#statements.statements;
  }

  get #statements(): ReturnType<typeof sqlIn> {
    this.#sql ??= sqlIn(this.tool, this.#given.input, this.commands);
    return this.#sql;
  }

  get opaque(): readonly Opaque[] {
    const read = () => this.#readings.flatMap(({ opaque }) => [...opaque]);
    this.#opaque ??= this.#isCut ? [...read(), TOO_LONG] : read();
    return this.#opaque;
  }

  get #isCut(): boolean {
    const { isTooDeep, filesAtMost: own } = extentOf(this.#given.input);
    if (isTooDeep || this.#statements.isCut || this.commands.some(({ isCut }) => isCut)) return true;
    return own >= FILES_MAX && this.#ownPaths.length >= FILES_MAX;
  }

  get size(): number {
    this.#size ??= new TextEncoder().encode(JSON.stringify(this.#given.input) ?? "").length;
    return this.#size;
  }

  safetyLabel(): SafetyLabel | null {
    this.#label ??= { value: this.#readLabel() };
    return this.#label.value;
  }

  #readLabel(): SafetyLabel | null {
    const hasCommands = runsCommands(this.tool) || mayRunCommands(this.tool, this.#known);
    return hasCommands ? labelOfTexts(commandTexts(this.#fields, this.#given.input)) : null;
  }
}

const TOO_LONG: Opaque = {
  kind: "too_long",
  reason: "The arguments are longer, deeper or more than what is read.",
  source: "",
};

/** Every text that a client may run; null for a text in a form that only some clients read. */
function commandTexts(fields: Fields, input: unknown): (string | null)[] {
  if (typeof input === "string") return [input];
  const texts: (string | null)[] = listCommandTexts(fields);
  const { commands } = fields;
  const isRead = !Array.isArray(commands) || commands.every((one) => typeof one === "string" || Array.isArray(one));
  const others = [...SHELL_FIELDS, ...ARGUMENT_FIELDS].filter((name) => !TEXT_FIELDS.has(name));
  return isRead && others.every((name) => fields[name] === undefined) ? texts : [...texts, null];
}

function byProgram(commands: readonly CommandFacts[]): ReadonlyMap<string, readonly CommandFacts[]> {
  const found = new Map<string, CommandFacts[]>();
  for (const command of commands) {
    const same = found.get(command.program);
    if (same) same.push(command);
    else found.set(command.program, [command]);
  }
  return found;
}

/** All commands as one list: each still points at the command that launches it. */
function commandsOf(readings: readonly ShellReading[]): ShellCommand[] {
  const all: ShellCommand[] = [];
  for (const { commands } of readings) {
    const start = all.length;
    for (const command of commands)
      all.push(start === 0 || command.parent === null ? command : { ...command, parent: command.parent + start });
  }
  return all;
}

/** `mcp__S__T`, Gemini CLI's `mcp_S_T`, Cursor's `MCP:T`, Copilot's `S/T`. */
export function mcpToolOf(name: string): McpTool | null {
  const [, server, tool] =
    /^mcp__(.+?)__(.+)$/.exec(name) ?? /^mcp_([^_]+)_(.+)$/.exec(name) ?? /^([^/\s]+)\/([^/\s]+)$/.exec(name) ?? [];
  if (server !== undefined && tool !== undefined) return { server, tool };
  return name.startsWith("MCP:") ? { server: "", tool: name.slice("MCP:".length) } : null;
}

function fieldsOf(input: unknown): Fields {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as Fields) : {};
}

const SHELL_FIELDS = ["command", "cmd", "commands", "script", "commandLine", "CommandLine", "argv"] as const;
const ARGUMENT_FIELDS = ["args", "arguments", "argv"] as const;
/** The fields of `listCommandTexts`. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(["cmd", "command", "commands"]);
/** Names that servers tend to give to tools that run commands. */
const RUNS_COMMANDS =
  /bash|shell|terminal|exec(?:ute)?_?(?:command|cmd|script)?$|run_?(?:command|cmd|script|shell|process)|command|powershell|monitor/i;

/** True if the arguments of the tool are read as commands. `kind` is that of the tool's own name, without its server. */
export const mayRunCommands = (tool: string, kind: ToolKind): boolean =>
  kind === "shell" || (kind !== "edit" && kind !== "write" && RUNS_COMMANDS.test(tool));

/** Every command in a call's arguments: a text, a list of texts, a program with its arguments. */
function shellReadings(tool: string, kind: ToolKind, fields: Fields, input: unknown): ShellReading[] {
  if (!mayRunCommands(tool, kind)) return [];
  const isPowerShell = /powershell|pwsh/i.test(tool);
  const scriptOf = (text: string): ShellReading => readScript(isPowerShell ? fromPowerShell(text) : text);
  if (typeof input === "string") return [scriptOf(input)];
  const readings: ShellReading[] = [];
  for (const name of SHELL_FIELDS) {
    const value = fields[name];
    const given = ARGUMENT_FIELDS.map((one) => fields[one]).find((one) => Array.isArray(one)) as
      | readonly unknown[]
      | undefined;
    if (typeof value === "string" && given !== undefined) readings.push(readProgram([value, ...given.map(asText)]));
    else if (typeof value === "string") readings.push(scriptOf(value));
    else if (Array.isArray(value) && name === "commands")
      readings.push(...value.map((one) => (typeof one === "string" ? scriptOf(one) : commandIn(one))));
    else if (Array.isArray(value)) readings.push(readProgram(value.map(asText)));
  }
  return readings;
}

function commandIn(one: unknown): ShellReading {
  if (Array.isArray(one)) return readProgram(one.map(asText));
  const { command, args, cmd } = fieldsOf(one);
  const program = command ?? cmd;
  if (typeof program === "string")
    return Array.isArray(args) ? readProgram([program, ...args.map(asText)]) : readScript(program);
  return {
    commands: [],
    opaque: [
      { kind: "unreadable", reason: "A command has a form that cannot be read.", source: asText(one).slice(0, 200) },
    ],
  };
}

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const PATH_FIELDS =
  /^(?:(?:absolute_?|relative_?|target_?|source_?|destination_?|old_?|new_?|notebook_?|workspace_?)?(?:file_?)?(?:path|paths|name|filename|file|files|dir_path|directory|folder)|(?:source|destination|src|dst|dest|uri|cwd)|target_file|file_?path|filePath)$/i;
const NO_FILE = /^(?:name|uri|cwd|directory|dir_path|folder)$/i;

function ownPaths(kind: ToolKind, tool: string, input: unknown, place: PathPlace): CallPath[] {
  const access = accessOf(kind, tool);
  if (access === null) return [];
  const paths: CallPath[] = [];
  const add = (path: string, used: PathAccess) =>
    paths.push({ source: path, path: absolutePath(path, place), access: used, classes: classesOf(path, place) });
  for (const [name, text] of textsIn(input)) {
    for (const { path, access: used } of patchPaths(text)) add(path, used);
    if (
      name !== "" &&
      PATH_FIELDS.test(name) &&
      !(NO_FILE.test(name) && access !== "read") &&
      text !== "" &&
      text.length < 4_096 &&
      !/[\n\r]/.test(text)
    )
      add(text.replace(/^file:\/\//, ""), access);
  }
  return paths;
}

const WRITES = /write|edit|create|patch|replace|insert|append|update|save|upload_file|rename|move|copy|mkdir|put/i;
const DELETES = /delete|remove|unlink|rmdir|trash/i;
const READS = /read|view|open|cat|get_file|list|glob|search|grep|find|download|stat|tree/i;

/** The access of a file tool. For a tool of an MCP server, the words of its name decide. Null for tools without files. */
export function accessOf(kind: ToolKind, tool: string): PathAccess | null {
  switch (kind) {
    case "read":
    case "search":
      return "read";
    case "write":
    case "edit":
      return DELETES.test(tool) ? "delete" : "write";
    case "shell":
    case "fetch":
    case "agent":
      return null;
    default:
      return DELETES.test(tool) ? "delete" : WRITES.test(tool) ? "write" : READS.test(tool) ? "read" : null;
  }
}

interface Extent {
  /** Nested deeper than the limit, or with more parts in one place. */
  isTooDeep: boolean;
  /** An upper bound of the files that the arguments name. */
  filesAtMost: number;
}

function extentOf(value: unknown, extent: Extent = { isTooDeep: false, filesAtMost: 0 }, depth = 0): Extent {
  if (typeof value === "string") extent.filesAtMost += 1 + filesAtMost(value);
  else if (typeof value === "object" && value !== null) {
    const inner = Array.isArray(value) ? value : Object.values(value);
    if (depth >= DEPTH_MAX || inner.length > TEXTS_MAX) extent.isTooDeep = true;
    else for (const one of inner) extentOf(one, extent, depth + 1);
  }
  return extent;
}

/** Every text in the arguments with the name of its field; a text in a list has the list's name. */
function* textsIn(value: unknown, name = "", depth = 0): Generator<readonly [name: string, text: string]> {
  if (typeof value === "string") yield [name, value];
  else if (depth >= DEPTH_MAX || typeof value !== "object" || value === null) return;
  else if (Array.isArray(value)) for (const one of value.slice(0, TEXTS_MAX)) yield* textsIn(one, name, depth + 1);
  else
    for (const [key, one] of Object.entries(value))
      yield* textsIn(one, key === "name" && name !== "" ? name : key, depth + 1);
}

/** Every address in the arguments. */
function ownHosts(fields: Fields): Host[] {
  const hosts: Host[] = [];
  const names = new Set<string>();
  for (const [name, text] of textsIn(fields)) {
    if (text.length > 8_192 || SHELL_FIELDS.some((one) => one === name)) continue;
    const isAddress = /^(?:url|urls|uri|href|link|endpoint|host|hostname|domain|website|address)$/i.test(name);
    const host = hostOf(text, isAddress);
    if (host && !names.has(host.name)) {
      names.add(host.name);
      hosts.push(host);
    }
    // A prompt may contain addresses, as in Gemini's web_fetch.
    else if (name === "prompt")
      for (const [url] of text.matchAll(/https?:\/\/[^\s"'<>)]+/g)) {
        const found = hostOf(url);
        if (found) hosts.push(found);
      }
  }
  return hosts;
}

const DATABASE_TOOL =
  /sql|query|database|postgres|mysql|maria|mongo|redis|supabase|migrat|drop-|clickhouse|snowflake|bigquery|\bdb\b/i;
const DATABASE_PROGRAM =
  /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|cockroach|duckdb|clickhouse(?:-client)?|mongo(?:sh)?|redis-cli|usql|pgcli|mycli|litecli|dropdb|bq|snowsql)$/;

/** True if the arguments of the tool are read as statements. */
export const isDatabaseTool = (tool: string): boolean => DATABASE_TOOL.test(tool);

function sqlIn(tool: string, input: unknown, commands: readonly CommandFacts[]) {
  const texts: string[] = [];
  if (DATABASE_TOOL.test(tool)) for (const [, text] of textsIn(input)) texts.push(text);
  for (const { program, command } of commands) {
    if (!DATABASE_PROGRAM.test(program)) continue;
    if (program === "dropdb") texts.push("drop database");
    texts.push(...command.args.map(({ script }) => script));
    if (command.stdin.kind === "text") texts.push(command.stdin.text);
  }
  const emptied =
    DATABASE_TOOL.test(tool) &&
    /drop[-_]?(?:collection|database|table|index)|truncate|delete[-_]?(?:all|many|database|collection)/i.test(tool);
  let isCut = false;
  const statements: SqlStatement[] = texts.flatMap((text) => {
    const found = sqlStatements(text);
    isCut ||= text.length > SQL_LENGTH_MAX || found.length >= STATEMENTS_MAX;
    return [...found, ...(EMPTYING.test(text) ? [{ verb: "empty", hasWhere: false, source: text.slice(0, 100) }] : [])];
  });
  if (emptied) statements.push({ verb: "empty", hasWhere: false, source: tool });
  return { statements, isCut };
}
