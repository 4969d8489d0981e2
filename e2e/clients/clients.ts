/** The genuine clients: where each is installed, what enrols it, and how it is run once without a person. */
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { enrolClaudeCode } from "../../server/dialects/claude-code/enrol.ts";
import { enrolCodex } from "../../server/dialects/codex/enrol.ts";
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
  /** True if it carries out a change of a call; else the call must be denied. */
  readonly takesChanges: boolean;
  /** The folder in QUARTERDECK_CLIENTS, and the package that is installed there. */
  readonly folder: string;
  readonly packageName: string;
  readonly bin: string;
  readonly enrol: (options: EnrolmentOptions) => readonly EnrolmentFile[];
  /** True if its telemetry says what a request costs; absent where it has no telemetry that we read. */
  readonly estimates?: boolean;
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

export const CLIENTS: readonly GenuineClient[] = [claudeCode, gemini, codex, qwen];

/** The program of a client; null where it is not installed. */
export async function programOf({ folder, bin }: GenuineClient, clients: string): Promise<string | null> {
  const path = join(clients, folder, "node_modules", ".bin", bin);
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
