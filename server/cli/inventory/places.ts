/**
 * The places of skills, slash commands, plugins and MCP servers of each client, as its documentation names them. `~/` is
 * the home, a path without a root is below the project.
 *
 * Sources: code.claude.com/docs (skills, slash-commands, plugins-reference, mcp), developers.openai.com/codex (skills,
 * custom-prompts, mcp), cursor.com/docs (skills, plugins, mcp), geminicli.com/docs (skills, custom-commands, extensions),
 * opencode.ai/docs (skills, commands, plugins, mcp-servers), docs.docker.com/ai/docker-agent (skills).
 */
import type { ClientName } from "../../dialects/schema.ts";

export interface CommandPlace {
  readonly folder: string;
  readonly extension: ".md" | ".toml";
}

/** Plugins as folders with a manifest, below a folder. */
export interface PluginFolders {
  readonly folder: string;
  readonly manifests: readonly string[];
  /** Folders between `folder` and a plugin. */
  readonly depth: number;
}

export interface McpPlace {
  readonly file: string;
  readonly format: "json" | "jsonc" | "toml";
  readonly key: "mcpServers" | "mcp_servers" | "mcp";
}

export interface ClientPlaces {
  /** The client is in use on the machine if one of these exists. */
  readonly marks: readonly string[];
  readonly skills: readonly string[];
  readonly commands: readonly CommandPlace[];
  readonly plugins: readonly PluginFolders[];
  readonly mcp: readonly McpPlace[];
  /** The variable that replaces the folder. */
  readonly movable?: { readonly folder: string; readonly variable: string };
}

const markdown = (...folders: string[]): CommandPlace[] => folders.map((folder) => ({ folder, extension: ".md" }));
const json = (...files: string[]): McpPlace[] => files.map((file) => ({ file, format: "jsonc", key: "mcpServers" }));

const SHARED_SKILLS = ["~/.agents/skills", ".agents/skills"];

export const PLACES = {
  "claude-code": {
    marks: ["~/.claude", ".claude", ".mcp.json"],
    skills: ["~/.claude/skills", ".claude/skills"],
    commands: markdown("~/.claude/commands", ".claude/commands"),
    // Installed plugins are in a list (installed-plugins.ts).
    plugins: [],
    mcp: json("~/.claude.json", "~/.claude/.claude.json", "/etc/claude-code/managed-mcp.json", ".mcp.json"),
    movable: { folder: "~/.claude", variable: "CLAUDE_CONFIG_DIR" },
  },
  codex: {
    marks: ["~/.codex", ".codex"],
    skills: ["~/.codex/skills", "/etc/codex/skills", ".codex/skills", ...SHARED_SKILLS],
    commands: markdown("~/.codex/prompts"),
    plugins: [{ folder: "~/.codex/plugins/cache", manifests: [".codex-plugin/plugin.json"], depth: 2 }],
    mcp: ["~/.codex/config.toml", "/etc/codex/config.toml", ".codex/config.toml"].map((file) => ({
      ...({ file, format: "toml", key: "mcp_servers" } as const),
    })),
    movable: { folder: "~/.codex", variable: "CODEX_HOME" },
  },
  cursor: {
    marks: ["~/.cursor", ".cursor"],
    skills: ["~/.cursor/skills", ".cursor/skills", ...SHARED_SKILLS],
    commands: markdown("~/.cursor/commands", ".cursor/commands"),
    plugins: [{ folder: "~/.cursor/plugins", manifests: [".cursor-plugin/plugin.json", "plugin.json"], depth: 3 }],
    mcp: json("~/.cursor/mcp.json", ".cursor/mcp.json"),
  },
  gemini: {
    marks: ["~/.gemini", ".gemini"],
    skills: ["~/.gemini/skills", ".gemini/skills", ...SHARED_SKILLS],
    commands: ["~/.gemini/commands", ".gemini/commands"].map((folder) => ({ folder, extension: ".toml" as const })),
    plugins: ["~/.gemini/extensions", ".gemini/extensions"].map((folder) => ({
      ...{ folder, manifests: ["gemini-extension.json"], depth: 0 },
    })),
    mcp: json("~/.gemini/settings.json", "/etc/gemini-cli/settings.json", ".gemini/settings.json"),
  },
  opencode: {
    marks: ["~/.config/opencode", ".opencode", "opencode.json"],
    skills: [
      ...["~/.config/opencode/skill", "~/.config/opencode/skills", ".opencode/skill", ".opencode/skills"],
      ...["~/.claude/skills", ".claude/skills", ...SHARED_SKILLS],
    ],
    commands: markdown(
      ...["~/.config/opencode/command", "~/.config/opencode/commands", ".opencode/command", ".opencode/commands"],
    ),
    // Plugins are files, and packages that the settings name (installed-plugins.ts).
    plugins: [],
    mcp: ["~/.config/opencode/opencode.json", "/etc/opencode/opencode.json", "opencode.json"].map((file) => ({
      ...({ file, format: "jsonc", key: "mcp" } as const),
    })),
    movable: { folder: "~/.config/opencode", variable: "OPENCODE_CONFIG_DIR" },
  },
  "docker-agent": {
    marks: ["~/.config/cagent", "~/.cagent"],
    skills: ["~/.codex/skills", "~/.claude/skills", ".claude/skills", ...SHARED_SKILLS],
    commands: [],
    plugins: [],
    // MCP servers and commands are in the agent's own file (agent-file.ts).
    mcp: [],
  },
} as const satisfies Partial<Record<ClientName, ClientPlaces>>;

export type InventoriedClient = keyof typeof PLACES;
// Holds: the keys of an object literal of this module.
export const INVENTORIED = Object.keys(PLACES) as [InventoriedClient, ...InventoriedClient[]];

/** Folders of plugins that are single files. */
export const OPENCODE_PLUGIN_FOLDERS = [
  ...["~/.config/opencode/plugin", "~/.config/opencode/plugins", ".opencode/plugin", ".opencode/plugins"],
] as const;
