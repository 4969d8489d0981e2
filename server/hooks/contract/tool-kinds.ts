/**
 * Tool kinds: the clients' names for tools with the same function. A policy selects a kind with an alternation of its names.
 * docker-agent reads that as an ordinary matcher, so an exported policy has no dependencies.
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

/** Tools that start a command and answer before it ends. A rule on commands selects them too. */
const STARTS_COMMAND = ["run_background_job", "Monitor"];

/** True for a tool with a command in its arguments. */
export const runsCommands = (name: string): boolean => toolKindOf(name) === "shell" || STARTS_COMMAND.includes(name);

const KIND_BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as ToolKind] as const)), // holds: the keys of NAMES
);

/** The kind of a tool, known by its name alone. */
export const toolKindOf = (name: string): ToolKind => KIND_BY_NAME.get(name) ?? "other";

/** The clients' names for tools of a kind; empty for MCP tools, which the servers name. */
export const toolNamesOf = (kind: ToolKind): readonly string[] =>
  kind === "mcp" || kind === "other" ? [] : NAMES[kind].split(" ");

/** The tools that a rule on a kind covers. For shells, it includes tools that only start a command. */
export const guardedNamesOf = (kind: ToolKind): readonly string[] => [
  ...toolNamesOf(kind),
  ...(kind === "shell" ? STARTS_COMMAND : []),
];

/** Names of MCP tools: `mcp__S__T` of most clients, Gemini CLI's `mcp_S_T`, Cursor's `MCP:T`, Copilot's `S/T`. */
const MCP_MATCHER = "mcp_.*|MCP:.*|[^/]+/.+";

/** A matcher for every client's tools of a kind. */
export const kindMatcher = (kind: SelectableKind): string => {
  if (kind === "mcp") return MCP_MATCHER;
  return guardedNamesOf(kind).join("|");
};

export interface KindInfo {
  readonly kind: SelectableKind;
  /** The display title: "Shell commands". */
  readonly title: string;
  /** The tool, in a sentence: "its shell". */
  readonly noun: string;
  /** Selects every client's tools of the kind. */
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

/** The kinds in the order of the form. */
export const SELECTABLE_KINDS: readonly KindInfo[] = Object.entries(WORDS).map(([name, [title, noun]]) => {
  const kind = name as SelectableKind; // holds: the keys of WORDS
  return { kind, title, noun, matcher: kindMatcher(kind) };
});

const KIND_BY_ALTERNATIVES = new Map(SELECTABLE_KINDS.map((info) => [alternativesKey(info.matcher), info]));

/** The kind that a matcher selects exclusively; null for every other matcher. The order of the names is ignored. */
export function findMatcherKind(matcher: string): KindInfo | null {
  return KIND_BY_ALTERNATIVES.get(alternativesKey(matcher)) ?? null;
}

function alternativesKey(matcher: string): string {
  return [...new Set(matcher.split("|"))].sort().join("|");
}

/** The commands in a shell call's arguments. Clients name the argument `cmd`, `command` or `commands`, and send a text or a list. */
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
