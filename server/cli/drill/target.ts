/** The place of a drill: the client, the folders of its files, and the console with the key that its hooks use. */
import { resolve } from "node:path";
import { headerPath } from "../../dialects/index.ts";
import { CLIENT_NAMES, type ClientName, clientTitle, type EnrolledClient } from "../../dialects/schema.ts";
import type { Console } from "../agent-request.ts";
import type { ProcessContext } from "../enrol/process-context.ts";
import { projectFolder, type ScopeOptions, scopeOf } from "../enrol/scope.ts";
import { ownKeyOf } from "../own-key.ts";
import { Refusal } from "../refusal.ts";
import { findClaudeCodeHooks } from "./clients/claude-code.ts";
import { findClineHooks } from "./clients/cline.ts";
import { findCodexHooks } from "./clients/codex.ts";
import { findCopilotHooks } from "./clients/copilot.ts";
import { findCursorHooks } from "./clients/cursor.ts";
import { dockerAgentHooks } from "./clients/docker-agent.ts";
import type { FindHooks } from "./clients/find-hooks.ts";
import { findGeminiHooks } from "./clients/gemini.ts";
import { findOpencodeHooks } from "./clients/opencode.ts";
import { findQwenHooks } from "./clients/qwen.ts";
import type { ClientFolders } from "./configured-hook.ts";
import { readText } from "./settings-file.ts";

export interface DrillOptions extends ScopeOptions {
  /** A docker-agent agent file, whose hooks come before the user's, and one of its agents. */
  readonly config?: string;
  readonly agent?: string;
  readonly url?: string;
  readonly outage?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export interface DrillTarget {
  readonly client: ClientName;
  readonly title: string;
  readonly folders: ClientFolders;
  /** The client's working directory. */
  readonly directory: string;
  readonly findHooks: FindHooks;
  /**
   * True for the hooks of an agent's own file, which read the key from the environment; an enrolment's hooks read its
   * file.
   */
  readonly prefersVariable: boolean;
}

const FINDERS: Readonly<Record<Exclude<EnrolledClient, "docker-agent">, FindHooks>> = {
  "claude-code": findClaudeCodeHooks,
  codex: findCodexHooks,
  copilot: findCopilotHooks,
  cursor: findCursorHooks,
  gemini: findGeminiHooks,
  qwen: findQwenHooks,
  cline: findClineHooks,
  opencode: findOpencodeHooks,
};

/** Errors: a `Refusal` for invalid arguments. */
export function drillTarget(name: string, asked: DrillOptions, context: ProcessContext): DrillTarget {
  const client = CLIENT_NAMES.find((known) => known === name);
  if (client === undefined)
    throw new Refusal(`There is no client ${JSON.stringify(name.slice(0, 40))}. Known: ${CLIENT_NAMES.join(", ")}.`, 2);
  const { homeDirectory: home, workingDirectory } = context;
  const project = projectFolder(asked, workingDirectory);
  const { config, agent } = asked;
  if (client !== "docker-agent" && config !== undefined) throw new Refusal("--config is for docker-agent.", 2);
  if (config === undefined && agent !== undefined) throw new Refusal("--agent goes with --config.", 2);
  const file = config === undefined ? null : { path: resolve(workingDirectory, config), agent };
  const scope = scopeOf(client, asked);
  return {
    ...{ client, title: clientTitle(client), folders: { scope, home, project } },
    directory: scope === "project" ? project : workingDirectory,
    findHooks: client === "docker-agent" ? dockerAgentHooks(file) : FINDERS[client],
    prefersVariable: file !== null,
  };
}

const HOOKS_URL = /(https?:\/\/[A-Za-z0-9.:[\]_~/-]+?)\/api\/v1\/(?:hooks|drills)(?:\/|")/;

/** The address in the texts of hooks that ask a console. */
export const consoleUrlIn = (texts: readonly string[]): string | undefined =>
  texts.map((text) => HOOKS_URL.exec(text)?.[1]).find((url) => url !== undefined);

/**
 * The console and the key that the hooks use. Null without a key: no hook on this machine could ask.
 * Errors: a `Refusal` for an invalid address.
 */
export async function findConsole(
  { client, folders, prefersVariable }: DrillTarget,
  asked: Pick<DrillOptions, "url">,
  { environment }: Pick<ProcessContext, "environment">,
  hookTexts: readonly string[],
): Promise<Console | null> {
  const owner = { scope: folders.scope === "managed" ? "managed" : "user", keyOf: ownKeyOf(client, folders) } as const;
  const ofHooks = await headerKey(headerPath(owner, folders.home));
  const ofEnvironment = environment.QUARTERDECK_KEY || undefined;
  const key = prefersVariable ? (ofEnvironment ?? ofHooks) : (ofHooks ?? ofEnvironment);
  if (key === undefined) return null;
  const given = asked.url ?? (environment.QUARTERDECK_URL || consoleUrlIn(hookTexts));
  const url = (given ?? `http://127.0.0.1:${environment.PORT || "3000"}`).replace(/\/+$/, "");
  if (!/^https?:\/\/\S+$/.test(url)) throw new Refusal("Say where Quarterdeck is: --url https://...", 2);
  return { url, key };
}

async function headerKey(path: string): Promise<string | undefined> {
  const text = await readText(path);
  return /^authorization:\s*bearer\s+(\S+)\s*$/i.exec(text?.trim() ?? "")?.[1];
}
