/** The genuine clients: where each is installed, what enrols it, and how it is run once without a person. */
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { enrolClaudeCode } from "../../server/dialects/claude-code/enrol.ts";
import { enrolCodex } from "../../server/dialects/codex/enrol.ts";
import { enrolDockerAgent } from "../../server/dialects/docker-agent/enrol.ts";
import type { EnrolmentFile, EnrolmentOptions } from "../../server/dialects/enrolment.ts";
import { enrolGemini } from "../../server/dialects/gemini/enrol.ts";
import { enrolQwen } from "../../server/dialects/qwen/enrol.ts";

export interface ClientSetup {
  /** The home folder of a person who has nothing else in it. */
  readonly home: string;
  readonly project: string;
  readonly modelUrl: string;
}

export interface GenuineClient {
  readonly dialect: string;
  /** Its event before a tool. */
  readonly gate: string;
  /** True if it carries out a change of a call; else the call must be denied. Null where it depends on the release, and is not looked at. */
  readonly takesChanges: boolean | null;
  /** The environment variable that names the program, for a client that no package of npm installs. */
  readonly variable?: string;
  /** The folder in QUARTERDECK_CLIENTS, and the package that is installed there. */
  readonly folder: string;
  readonly packageName: string;
  readonly bin: string;
  readonly enrol: (options: EnrolmentOptions) => readonly EnrolmentFile[];
  /** True if its telemetry says what a request costs; absent where it has no telemetry that we read. */
  readonly estimates?: boolean;
  /** The price of a million tokens in its settings, in dollars, where its hooks carry the money of each request. */
  readonly price?: number;
  /** Made before the first run. */
  readonly settings?: (place: ClientSetup) => Readonly<Record<string, string>>;
  /** Laid over the settings that an enrolment writes. */
  readonly enrolled?: Readonly<Record<string, unknown>>;
  readonly args: (prompt: string, place: ClientSetup) => readonly string[];
  readonly env: (place: ClientSetup) => Readonly<Record<string, string>>;
}

const claudeCode: GenuineClient = {
  dialect: "claude-code",
  gate: "PreToolUse",
  takesChanges: true,
  folder: "claude",
  packageName: "@anthropic-ai/claude-code",
  bin: "claude",
  enrol: enrolClaudeCode,
  estimates: true,
  args: (prompt) => ["-p", prompt, "--allowedTools", "Bash"],
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
  }),
};

const gemini: GenuineClient = {
  dialect: "gemini",
  gate: "BeforeTool",
  takesChanges: true,
  folder: "gemini",
  packageName: "@google/gemini-cli",
  bin: "gemini",
  enrol: enrolGemini,
  estimates: false,
  enrolled: {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true, disableUpdateNag: true },
  },
  args: (prompt) => ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"],
  env: ({ modelUrl }) => ({
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_API_KEY: "scripted",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
};

const codex: GenuineClient = {
  dialect: "codex",
  gate: "PreToolUse",
  takesChanges: true,
  folder: "codex",
  packageName: "@openai/codex",
  bin: "codex",
  enrol: enrolCodex,
  estimates: false,
  settings: ({ modelUrl }) => ({
    ".codex/config.toml": [
      'model = "scripted"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${modelUrl}/v1"`,
      'wire_api = "responses"',
      'env_key = "OPENAI_API_KEY"',
      "request_max_retries = 0",
      "stream_max_retries = 0",
      "",
    ].join("\n"),
  }),
  args: (prompt) => [
    ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    ...["--dangerously-bypass-hook-trust", prompt],
  ],
  env: () => ({ OPENAI_API_KEY: "scripted" }),
};

const qwen: GenuineClient = {
  dialect: "qwen",
  gate: "PreToolUse",
  takesChanges: false,
  folder: "qwen",
  packageName: "@qwen-code/qwen-code",
  bin: "qwen",
  enrol: enrolQwen,
  enrolled: {
    security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true, enableAutoUpdate: false },
  },
  args: (prompt) => ["-p", prompt, "--approval-mode", "yolo"],
  // It would send what is for this machine to a proxy, too.
  env: ({ modelUrl }) => ({
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: "scripted",
    OPENAI_MODEL: "scripted",
    HTTPS_PROXY: "",
  }),
};

const DOCKER_AGENT_PRICE = 3;

/** Without a version the file has the form that every supported release reads. */
const dockerAgent: GenuineClient = {
  dialect: "docker-agent",
  gate: "pre_tool_use",
  takesChanges: null,
  folder: "docker-agent",
  packageName: "docker-agent",
  bin: "docker-agent",
  variable: "QUARTERDECK_DOCKER_AGENT",
  enrol: enrolDockerAgent,
  price: DOCKER_AGENT_PRICE,
  settings: ({ modelUrl }) => ({
    "agent.yaml": stringify({
      models: {
        scripted: {
          ...{ provider: "openai", model: "scripted", base_url: `${modelUrl}/v1`, token_key: "SCRIPTED_KEY" },
          provider_opts: { api_type: "openai_chatcompletions" },
          cost: { input: DOCKER_AGENT_PRICE, output: DOCKER_AGENT_PRICE },
        },
      },
      agents: {
        root: {
          ...{ model: "scripted", description: "Scripted.", instruction: "Run what is asked." },
          toolsets: [{ type: "shell" }],
        },
      },
    }),
  }),
  args: (prompt, { home }) => ["run", "--exec", "--yolo", join(home, "agent.yaml"), prompt],
  env: () => ({ SCRIPTED_KEY: "scripted", TELEMETRY_ENABLED: "false", SHELL: "/bin/sh" }),
};

export const CLIENTS: readonly GenuineClient[] = [claudeCode, gemini, codex, qwen, dockerAgent];

/** The program of a client; null where it is not installed. */
export async function programOf({ folder, bin, variable }: GenuineClient, clients: string): Promise<string | null> {
  const path =
    variable === undefined ? join(clients, folder, "node_modules", ".bin", bin) : (process.env[variable] ?? "");
  if (path === "") return null;
  return access(path).then(
    () => path,
    () => null,
  );
}

/** The hooks of an enrolment: only the gate's where no other may decide, and with another command where one is given. */
export interface Enrolled {
  readonly isGateOnly: boolean;
  readonly commandOf: ((event: string, own: string) => string) | null;
}

/** Writes what the enrolment of a person says, below `home`. */
export async function enrol(client: GenuineClient, options: EnrolmentOptions, place: ClientSetup, enrolled: Enrolled) {
  const files = client.enrol(options).map(({ path, mode, content }) => {
    if (path.endsWith(".yaml")) return { path, mode, content: stringify(eventsOf(parse(content), client, enrolled)) };
    if (!path.endsWith(".json")) return { path, mode, content };
    const settings = { ...JSON.parse(content), ...client.enrolled };
    settings.hooks = hooksOf(settings.hooks, client, enrolled);
    return { path, mode, content: JSON.stringify(settings, null, 2) };
  });
  const own = Object.entries(client.settings?.(place) ?? {}).map(([path, content]) => ({ path, mode: 0o600, content }));
  const written = new Map<string, string>();
  // Its own settings first: an enrolment goes below them.
  for (const { path, mode, content } of [...own, ...files]) {
    const file = join(place.home, path.replace(/^~\//, ""));
    const text = `${written.get(file) ?? ""}${content}`;
    written.set(file, text);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text, { mode });
  }
}

type Groups = Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;

function hooksOf(groups: Groups, { gate }: GenuineClient, { isGateOnly, commandOf }: Enrolled): Groups {
  const kept = Object.entries(groups).filter(([event]) => !isGateOnly || event === gate);
  return Object.fromEntries(
    kept.map(([event, list]) => [
      event,
      list.map((group) => ({
        ...group,
        hooks: group.hooks.map((hook) => ({ ...hook, ...(commandOf && { command: commandOf(event, hook.command) }) })),
      })),
    ]),
  );
}

type Handler = { readonly command?: string; readonly hooks?: readonly Handler[] };

/** The same for a file whose events stand at its top, each with hooks or with groups of them. */
function eventsOf(
  events: Readonly<Record<string, readonly Handler[]>>,
  { gate }: GenuineClient,
  { isGateOnly, commandOf }: Enrolled,
): object {
  const kept = Object.entries(events).filter(([event]) => !isGateOnly || event === gate);
  const inForce = (event: string, handler: Handler): Handler => ({
    ...handler,
    ...(handler.hooks && { hooks: handler.hooks.map((one) => inForce(event, one)) }),
    ...(commandOf && handler.command !== undefined && { command: commandOf(event, handler.command) }),
  });
  return Object.fromEntries(kept.map(([event, list]) => [event, list.map((one) => inForce(event, one))]));
}
