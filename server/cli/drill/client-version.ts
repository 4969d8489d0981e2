/** The version of the client that is installed here, as it says itself; null where it cannot be asked. */
import { execFile } from "node:child_process";
import type { ClientName } from "../../dialects/schema.ts";

const PROGRAMS: Readonly<Record<ClientName, string>> = {
  "docker-agent": "docker-agent",
  "claude-code": "claude",
  codex: "codex",
  copilot: "copilot",
  cursor: "cursor-agent",
  gemini: "gemini",
  qwen: "qwen",
  cline: "cline",
  opencode: "opencode",
};
const LIMIT_MS = 5_000;
const VERSION = /\d+\.\d+[0-9A-Za-z.+-]{0,30}/;

export function clientVersion(
  client: ClientName,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  // Holds: Next demands NODE_ENV of its own programs, and this one is another's.
  const env = { ...environment } as NodeJS.ProcessEnv;
  const options = { env, timeout: LIMIT_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024 } as const;
  return new Promise((resolve) => {
    const child = execFile(PROGRAMS[client], ["--version"], options, (_error, stdout) =>
      resolve(VERSION.exec(stdout)?.[0] ?? null),
    );
    child.stdin?.end();
  });
}
