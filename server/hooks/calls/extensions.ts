/** The extensions that a call uses: a skill or slash command that it loads, or an MCP server, and the plugin of either. Pure. */
import type { ExtensionKind } from "../contract/extension-kinds.ts";
import { mcpToolOf } from "./call.ts";

/** Tools that load a skill, and the arguments that name it. */
export const SKILL_TOOLS: ReadonlySet<string> = new Set([
  "Skill",
  "skill",
  "activate_skill",
  "read_skill",
  "run_skill",
]);
export const SKILL_ARGUMENTS = ["skill", "skill_name", "name", "command"] as const;
/** Claude Code's tool that runs a slash command: `/deploy production`. */
const COMMAND_TOOL = "SlashCommand";

/** The name of the skill or slash command that a call loads; null for another call, empty if it names none. */
export function loadedSkill(tool: string, input: unknown): string | null {
  if (tool !== COMMAND_TOOL && !SKILL_TOOLS.has(tool)) return null;
  const fields = (typeof input === "object" && input !== null ? input : {}) as Readonly<Record<string, unknown>>;
  const named = SKILL_ARGUMENTS.map((key) => fields[key]).find((value) => typeof value === "string" && value !== "");
  const [name = ""] = (typeof named === "string" ? named : "").trim().split(/\s/);
  return name.replace(/^\//, "");
}

/** The kinds of extensions that a call can use. Empty for a tool of the client itself. */
export function extensionKindsOf(tool: string, input: unknown): ReadonlySet<ExtensionKind> {
  const skill = loadedSkill(tool, input);
  if (skill !== null) return new Set(skill.includes(":") ? ["skill", "command", "plugin"] : ["skill", "command"]);
  return new Set(mcpToolOf(tool) === null ? [] : ["mcp_server", "plugin"]);
}

/** An extension that an agent's machine has reported. */
export interface KnownExtension {
  readonly kind: ExtensionKind;
  readonly client: string;
  /** As it was reported, and as its folder or file is called. */
  readonly names: readonly string[];
  readonly isAccepted: boolean;
}

/** Clients whose tools of MCP servers have the server's name before an underscore, without another mark. */
const UNMARKED: ReadonlySet<string> = new Set(["opencode", "docker-agent"]);

/**
 * The kinds of extensions that the call uses in a version that is not accepted. An extension that is not known counts
 * as not accepted. Extensions with the same name count together.
 */
export function unacceptedBy(
  { tool, input }: { readonly tool: string; readonly input: unknown },
  known: readonly KnownExtension[],
): ReadonlySet<ExtensionKind> {
  const skill = loadedSkill(tool, input);
  if (skill !== null) return unacceptedOf(skillsNamed(skill, known), extensionKindsOf(tool, input));
  const used = known.filter((one) => isUsedBy(tool, one));
  return used.length === 0 && mcpToolOf(tool) === null
    ? NONE
    : unacceptedOf(used, new Set<ExtensionKind>(["mcp_server", "plugin"]));
}

const NONE: ReadonlySet<ExtensionKind> = new Set();

const unacceptedOf = (
  used: readonly KnownExtension[],
  ifUnknown: ReadonlySet<ExtensionKind>,
): ReadonlySet<ExtensionKind> =>
  used.length === 0 ? ifUnknown : new Set(used.filter(({ isAccepted }) => !isAccepted).map(({ kind }) => kind));

/** `plugin:skill` is a skill of a plugin, or a slash command in a folder. */
function skillsNamed(name: string, known: readonly KnownExtension[]): KnownExtension[] {
  const colon = name.indexOf(":");
  const plugin = colon > 0 ? name.slice(0, colon) : null;
  return known.filter(
    ({ kind, names }) =>
      ((kind === "skill" || kind === "command") && names.includes(name)) ||
      (kind === "plugin" && plugin !== null && names.includes(plugin)),
  );
}

/** Clients replace other characters of a server's name. */
const toolText = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_");

function isUsedBy(tool: string, { kind, client, names }: KnownExtension): boolean {
  if (kind === "plugin") return names.some((name) => tool.startsWith(`mcp__plugin_${toolText(name)}_`));
  if (kind !== "mcp_server") return false;
  // Cursor does not name the server of a tool: any of them may be it.
  if (tool.startsWith("MCP:")) return client === "cursor";
  return names.some((name) => {
    const text = toolText(name);
    return (
      tool.startsWith(`mcp__${text}__`) ||
      tool.startsWith(`mcp_${text}_`) ||
      tool.startsWith(`${name}/`) ||
      (UNMARKED.has(client) && tool.startsWith(`${text}_`))
    );
  });
}
