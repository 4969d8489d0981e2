/** The files that each client reads its hooks from. Enrolments write them and drills read them. */
import type { EnrolledClient, EnrolmentScope } from "./schema.ts";

/** `jsonc`: the client reads comments in its JSON. `env`: lines of NAME=value. */
export type SettingsFormat = "json" | "jsonc" | "toml" | "env";

/** Paths in the home folder (`~/`), absolute, or in the project's folder. An enrolment writes the first one. */
type Paths = readonly [string, ...string[]];

export interface ClientFiles {
  /** JSON without comments when absent. A path that ends in .toml is TOML. */
  readonly format?: "jsonc";
  readonly user: Paths;
  /** Absent if the client has no project settings. */
  readonly project?: Paths;
  readonly managed?: Paths;
  /** The folder of the user's settings, and the variables that change it; the first one that is set counts. */
  readonly movable?: { readonly folder: string; readonly variables: readonly string[] };
}

export const CLIENT_FILES = {
  /**
   * docker-agent reads every .yaml and .yml file of `hooks.d`, and the settings before them. The user chooses the path of an agent
   * file.
   */
  "docker-agent": {
    user: ["~/.config/cagent/hooks.d/50-quarterdeck.yaml", "~/.config/cagent/config.yaml"],
    movable: { folder: "~/.config/cagent", variables: ["DOCKER_AGENT_CONFIG_DIR", "CAGENT_CONFIG_DIR"] },
  },
  "claude-code": {
    user: ["~/.claude/settings.json"],
    project: [".claude/settings.json", ".claude/settings.local.json"],
    managed: ["/etc/claude-code/managed-settings.json"],
  },
  codex: {
    user: ["~/.codex/hooks.json", "~/.codex/config.toml"],
    project: [".codex/hooks.json", ".codex/config.toml"],
    managed: ["/etc/codex/requirements.toml"],
  },
  /** Copilot reads every .json file of these folders. */
  copilot: { user: ["~/.copilot/hooks/quarterdeck.json"], project: [".github/hooks/quarterdeck.json"] },
  cursor: { user: ["~/.cursor/hooks.json"], project: [".cursor/hooks.json"], managed: ["/etc/cursor/hooks.json"] },
  gemini: {
    format: "jsonc",
    user: ["~/.gemini/settings.json"],
    project: [".gemini/settings.json"],
    managed: ["/etc/gemini-cli/settings.json"],
  },
  qwen: {
    format: "jsonc",
    user: ["~/.qwen/settings.json"],
    project: [".qwen/settings.json"],
    managed: ["/etc/qwen-code/settings.json"],
  },
  /** A folder with a program for each event. */
  cline: { user: ["~/.cline/hooks"] },
  opencode: {
    format: "jsonc",
    user: ["~/.config/opencode/opencode.json"],
    project: ["opencode.json"],
    managed: ["/etc/opencode/opencode.json"],
  },
} as const satisfies Readonly<Record<EnrolledClient, ClientFiles>>;

/** Our opencode plugin. opencode loads every plugin in the first two folders; the settings name the managed one. */
export const OPENCODE_PLUGINS = {
  user: "~/.config/opencode/plugin/quarterdeck.js",
  project: ".opencode/plugin/quarterdeck.js",
  managed: "/etc/opencode/quarterdeck.js",
} as const satisfies Readonly<Record<EnrolmentScope, string>>;

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder that environment variables set for a client's user settings; null for the default in the home folder. */
export function movedFolder(client: EnrolledClient, environment: Variables): string | null {
  const { movable }: ClientFiles = CLIENT_FILES[client];
  return movable?.variables.map((name) => environment[name]).find((value) => value) ?? null;
}
