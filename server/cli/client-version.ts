/** The version that the installed client reports; null if it cannot be asked. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLIENT_FILES, type ClientFiles } from "../dialects/index.ts";
import type { ClientName } from "../dialects/schema.ts";

type Words = readonly [program: string, ...args: string[]];

/** The commands that print a client's version; the first one that succeeds counts. */
const QUESTIONS: Readonly<Record<ClientName, readonly Words[]>> = {
  "docker-agent": [
    ["docker-agent", "version"],
    ["docker", "agent", "version"],
    ["cagent", "version"],
  ],
  "claude-code": [["claude", "--version"]],
  codex: [["codex", "--version"]],
  copilot: [["copilot", "--version"]],
  cursor: [["cursor-agent", "--version"]],
  gemini: [["gemini", "--version"]],
  qwen: [["qwen", "--version"]],
  cline: [["cline", "--version"]],
  opencode: [["opencode", "--version"]],
};
const LIMIT_MS = 5_000;
const VERSION = /\d+\.\d+[0-9A-Za-z.+-]{0,30}/;

type Environment = Readonly<Record<string, string | undefined>>;

export async function clientVersion(client: ClientName, environment: Environment): Promise<string | null> {
  const { movable }: ClientFiles = CLIENT_FILES[client];
  if (movable === undefined) return firstAnswer(QUESTIONS[client], environment);
  // At any start docker-agent writes a mark into its settings' folder: a question leaves that folder as it is.
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-version-"));
  try {
    const moved = Object.fromEntries(movable.variables.map((name) => [name, folder]));
    return await firstAnswer(QUESTIONS[client], { ...environment, ...moved });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstAnswer(questions: readonly Words[], environment: Environment): Promise<string | null> {
  for (const words of questions) {
    const version = await askVersion(words, environment);
    if (version !== null) return version;
  }
  return null;
}

function askVersion([program, ...args]: Words, environment: Environment): Promise<string | null> {
  // Holds: Next demands NODE_ENV of its own programs, and this one is another's. A question is no use of docker-agent that it should report.
  const env = { ...environment, TELEMETRY_ENABLED: "false" } as unknown as NodeJS.ProcessEnv;
  const options = { env, timeout: LIMIT_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (_error, stdout) => resolve(VERSION.exec(stdout)?.[0] ?? null));
    child.stdin?.end();
  });
}
