/** The files in which each client reads its hooks: enrolments write them, drills read them. */
import type { EnrolledClient, EnrolmentScope } from "./schema.ts";

/** `jsonc`: the client reads comments in its JSON. `env`: lines of NAME=value. */
export type SettingsFormat = "json" | "jsonc" | "toml" | "env";

/** In the home folder (`~/`), absolute, or in the project's folder. An enrolment writes the first. */
type Paths = readonly [string, ...string[]];

export interface ClientFiles {
  /** JSON without comments when absent. A path that ends in .toml is TOML. */
  readonly format?: "jsonc";
  readonly user: Paths;
  /** Absent when the client has no such settings. */
  readonly project?: Paths;
  readonly managed?: Paths;
  /** The folder of the user's settings, with the variables that move it; the first that is set counts. */
  readonly movable?: { readonly folder: string; readonly variables: readonly string[] };
}

export const CLIENT_FILES = {
  /** Every .yaml and .yml file of `hooks.d` is read, and the settings before them. An agent's own file is at a path of the user's choice. */
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
  /** Every .json file of these folders is read. */
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

/** Our plugin of opencode, which loads every plugin of the first two folders; settings name the managed one. */
export const OPENCODE_PLUGINS = {
  user: "~/.config/opencode/plugin/quarterdeck.js",
  project: ".opencode/plugin/quarterdeck.js",
  managed: "/etc/opencode/quarterdeck.js",
} as const satisfies Readonly<Record<EnrolmentScope, string>>;

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder to which variables of the environment move the user's settings of a client; null where they are at home. */
export function movedFolder(client: EnrolledClient, environment: Variables): string | null {
  const { movable }: ClientFiles = CLIENT_FILES[client];
  return movable?.variables.map((name) => environment[name]).find((value) => value) ?? null;
}
