/**
 * Tool kinds: the names that clients give to tools that do the same. A policy selects a kind by the alternation of its names, which
 * is a matcher as docker-agent reads it, so that an exported policy needs nothing else.
 */

export const TOOL_KINDS = ["shell", "read", "write", "edit", "search", "fetch", "mcp", "agent", "other"] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];
/** The kinds that a policy can select. */
export type SelectableKind = Exclude<ToolKind, "other">;

const NAMES: Readonly<Record<Exclude<SelectableKind, "mcp">, string>> = {
  shell:
    "Bash PowerShell Shell bash powershell shell run_shell_command exec_command shell_command local_shell run_commands",
  read: "Read TabRead read read_file read_many_files read_files view view_image",
  write: "Write TabWrite write write_file create",
  edit: "Edit MultiEdit NotebookEdit edit replace apply_patch editor edit_file",
  search: "Grep Glob LS grep glob list list_directory grep_search search_file_content search_codebase",
  fetch: "WebFetch WebSearch webfetch web_fetch google_web_search fetch_web_content web_search fetch",
  agent: "Agent Task task spawn_agent transfer_task",
};

/** Tools that start a command and answer before it ends: a rule on commands selects them, too. */
const STARTS_COMMAND = ["run_background_job", "Monitor"];

/** True for a tool whose arguments hold a command. */
export const runsCommands = (name: string): boolean => toolKindOf(name) === "shell" || STARTS_COMMAND.includes(name);

const KIND_BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as ToolKind] as const)), // holds: the keys of NAMES
);

/** The kind of a tool that is known by its name alone. */
export const toolKindOf = (name: string): ToolKind => KIND_BY_NAME.get(name) ?? "other";

/** The names that clients give to tools of a kind; none for tools of MCP servers, whose names are the servers'. */
export const toolNamesOf = (kind: ToolKind): readonly string[] =>
  kind === "mcp" || kind === "other" ? [] : NAMES[kind].split(" ");

/** The tools that a rule on tools of a kind holds: for shells, those that only start a command as well. */
export const guardedNamesOf = (kind: ToolKind): readonly string[] => [
  ...toolNamesOf(kind),
  ...(kind === "shell" ? STARTS_COMMAND : []),
];

/** Names of MCP tools: `mcp__S__T` of most clients, Gemini CLI's `mcp_S_T`, Cursor's `MCP:T`, Copilot's `S/T`. */
const MCP_MATCHER = "mcp_.*|MCP:.*|[^/]+/.+";

/** Selects the tools of a kind, of every client. */
export const kindMatcher = (kind: SelectableKind): string => {
  if (kind === "mcp") return MCP_MATCHER;
  return guardedNamesOf(kind).join("|");
};

export interface KindInfo {
  readonly kind: SelectableKind;
  /** For people: "Shell commands". */
  readonly title: string;
  /** The tool, in a sentence: "its shell". */
  readonly noun: string;
  /** Selects the tools of the kind of every client. */
  readonly matcher: string;
}

const WORDS: Readonly<Record<SelectableKind, readonly [title: string, noun: string]>> = {
  shell: ["Shell commands", "shell"],
  write: ["File writes", "file write"],
  edit: ["File edits", "file edit"],
  read: ["File reads", "file read"],
  search: ["Searches", "search"],
  fetch: ["Web requests", "web request"],
  mcp: ["MCP tools", "MCP"],
  agent: ["Sub-agents", "sub-agent"],
};

/** In the order that a form offers them. */
export const SELECTABLE_KINDS: readonly KindInfo[] = Object.entries(WORDS).map(([name, [title, noun]]) => {
  const kind = name as SelectableKind; // holds: the keys of WORDS
  return { kind, title, noun, matcher: kindMatcher(kind) };
});

const KIND_BY_ALTERNATIVES = new Map(SELECTABLE_KINDS.map((info) => [alternativesKey(info.matcher), info]));

/** The kind that a matcher selects and nothing else; null for every other matcher. The order of the names says nothing. */
export function findMatcherKind(matcher: string): KindInfo | null {
  return KIND_BY_ALTERNATIVES.get(alternativesKey(matcher)) ?? null;
}

function alternativesKey(matcher: string): string {
  return [...new Set(matcher.split("|"))].sort().join("|");
}

/** The commands in a shell call's arguments: clients call the argument `cmd`, `command` or `commands`, and hand over a text or a list. */
export function listCommandTexts({ cmd, command, commands }: Readonly<Record<string, unknown>>): string[] {
  const listed = Array.isArray(commands) ? commands : [commands];
  return [cmd, command, ...listed].map(commandText).filter((text) => text !== null);
}

/** A list is one command with its arguments. */
function commandText(argument: unknown): string | null {
  if (typeof argument === "string") return argument;
  if (!Array.isArray(argument)) return null;
  return argument.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
}
