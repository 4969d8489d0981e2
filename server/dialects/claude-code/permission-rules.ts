/**
 * Claude Code's permission rules as gates. A deny or an ask without an exact equivalent becomes broader or is reported. An allow
 * is imported only if it is exact.
 */
import { familyMatcher, type GateFamily, gatesOf, type PermissionGate } from "./permission-gates.ts";
import { commandPattern, hostPattern, pathPattern, wordPattern } from "./permission-patterns.ts";

export const ACTIONS = ["deny", "ask", "allow"] as const;
export type Action = (typeof ACTIONS)[number];

/** The imported form of a rule: a whole tool, gates on texts of a call, or neither. */
export type RuleForm =
  | { readonly kind: "tool"; readonly matcher: string; readonly note: string }
  | { readonly kind: "gates"; readonly gates: readonly PermissionGate[]; readonly note: string }
  | { readonly kind: "left"; readonly reason: string };

const RULE = /^([A-Za-z][A-Za-z0-9_.:*-]*)(?:\(([\s\S]*)\))?$/;
const RULE_CHARACTERS_MAX = 1_000;
const NAME_CHARACTERS_MAX = 200;
/** Rules for `Read` and `Edit` apply to every tool that reads or edits files. */
const READING = ["Read", "Grep", "Glob", "LS", "NotebookRead"];
const EDITING = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
const FILE_TOOLS = new Map([
  ["Read", READING],
  ["Edit", EDITING],
]);

export function readRule(action: Action, text: string): RuleForm {
  const [, tool, specifier] = RULE.exec(text.trim()) ?? [];
  if (tool === undefined || text.length > RULE_CHARACTERS_MAX || tool.length > NAME_CHARACTERS_MAX)
    return left("It does not read as a rule: a tool's name, and in parentheses what it is used for.");
  const stated = specifier?.trim();
  if (stated === undefined || stated === "" || stated === "*") return wholeTool(action, tool);
  if (tool.startsWith("mcp__")) return left("Rules for tools of MCP servers have no parentheses.");
  if (action === "allow")
    return left(
      "An allow for some calls of a tool stays with the client, which goes on to apply it: here it could allow more.",
    );
  return narrowed(tool, stated);
}

const left = (reason: string): RuleForm => ({ kind: "left", reason });

function wholeTool(action: Action, tool: string): RuleForm {
  const group = action === "allow" ? undefined : FILE_TOOLS.get(tool);
  if (group) return { kind: "tool", matcher: group.join("|"), note: `Every call of ${group.join(", ")}.` };
  const matcher = toolMatcher(tool);
  if (action === "allow" && tool.replace(/^mcp__[A-Za-z0-9_.-]*/, "").includes("*"))
    return left("An allow for tools by a pattern of their names stays with the client.");
  return { kind: "tool", matcher, note: noteOfTool(tool) };
}

function noteOfTool(tool: string): string {
  if (/^mcp__(?:(?!__)[^*])+(?:__[*])?$/.test(tool)) return "Every tool of the server.";
  return tool.includes("*") ? "Every call of the tools with such a name." : "Every call of the tool.";
}

/** `mcp__server` and `mcp__server__*` match all tools of a server. Elsewhere a star matches any characters. */
function toolMatcher(tool: string): string {
  const name = tool.replaceAll(".", "[.]").replaceAll("*", ".*");
  return /^mcp__(?:(?!__).)+$/.test(tool) && !tool.includes("*") ? `${name}(__.*)?` : name;
}

function narrowed(tool: string, specifier: string): RuleForm {
  if (tool === "Bash") {
    const pattern = commandPattern(specifier);
    return formOf(
      tool,
      pattern,
      "shell",
      "Any simple command of a call, also behind sudo, env or a folder's name, and its description.",
    );
  }
  if (READING.includes(tool)) return pathForm(tool, specifier, "read");
  if (EDITING.includes(tool)) return pathForm(tool, specifier, "edit");
  if (tool === "WebFetch") {
    const domain = /^domain:([\s\S]*)$/.exec(specifier)?.[1];
    if (domain === undefined) return left("Of WebFetch only rules of the form domain:NAME are known.");
    return formOf(tool, hostPattern(domain), "fetch", "The host and its subdomains, wherever the call names them.");
  }
  if (tool === "Task" || tool === "Agent") {
    return formOf(tool, wordPattern(specifier), "agent", "Any text of the call that is this name.");
  }
  return left("It is not known which calls the parentheses select. Deny or ask about the whole tool, or write a hook.");
}

const PATH_NOTE = "Every folder of the name, in capitals or not. A search that starts in a folder above does not count";

function pathForm(tool: string, specifier: string, family: "read" | "edit"): RuleForm {
  const pattern = pathPattern(specifier);
  if (pattern === null) {
    const note =
      "Every call of a tool of the kind: the pattern selects all paths. Commands of a shell are not looked at.";
    return { kind: "tool", matcher: familyMatcher(family), note };
  }
  const commands = family === "read" ? "cat, grep, scp and the like" : "rm, mv, tee and the like";
  return formOf(tool, pattern, family, `${PATH_NOTE}; in a shell, ${commands} do.`);
}

function formOf(tool: string, pattern: string | null | undefined, family: GateFamily, note: string): RuleForm {
  if (pattern === undefined)
    return left("Nothing of the pattern in parentheses can be matched here. Write a hook for it.");
  if (pattern === null)
    return { kind: "tool", matcher: toolMatcher(tool), note: "Every call of the tool: the pattern selects all." };
  return { kind: "gates", gates: gatesOf(family, pattern), note };
}
