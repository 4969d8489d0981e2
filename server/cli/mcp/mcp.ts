/**
 * The verb `mcp`: a Model Context Protocol server for one agent. It has only the agent's key. It reads what the agent
 * API shows this agent, and its only action is to ask people for approval.
 */
import { open } from "node:fs/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createQuarterdeck } from "@quarterdeck/client";
import { readAgentKey } from "../../platform/answer-mac.ts";
import { codeOf } from "../enrol/files.ts";
import { ownProcess, type ProcessContext } from "../enrol/process-context.ts";
import { Refusal } from "../refusal.ts";
import { addTools } from "./tools.ts";

export interface McpOptions {
  readonly url?: string;
  readonly keyFile?: string;
  readonly session?: string;
}

const HEADER = ".config/quarterdeck/header";
const KEY_FILE_BYTES_MAX = 1_024;
const SESSION_CHARS_MAX = 1_000;
const INSTRUCTIONS =
  "Quarterdeck gates what you do. When a call is denied, ask why_was_i_denied before you try another way; do not work around a denial. " +
  "ask_a_person asks the people who watch over you; their yes lets no call pass by itself.";

/** Serves until its client closes stdin. Errors: a `Refusal` for invalid arguments. */
export async function serveMcp(options: McpOptions, context: ProcessContext = ownProcess()): Promise<void> {
  const url = urlOf(options, context);
  const quarterdeck = createQuarterdeck({ url, key: await keyOf(options, context) });
  const { session = "" } = options;
  if (session.length > SESSION_CHARS_MAX)
    throw new Refusal(`A session's id has at most ${SESSION_CHARS_MAX} characters.`, 2);
  const server = new McpServer({ name: "quarterdeck", version: "1" }, { instructions: INSTRUCTIONS });
  addTools(server, { quarterdeck, session });
  const gone = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    server.server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await server.close();
  // Kept-alive connections would keep the process running for seconds.
  process.exit(0);
}

function urlOf({ url }: McpOptions, { environment }: ProcessContext): string {
  const found = (url ?? environment.QUARTERDECK_URL ?? `http://127.0.0.1:${environment.PORT || "3000"}`).replace(
    /\/+$/,
    "",
  );
  if (/^https?:\/\/\S+$/.test(found)) return found;
  throw new Refusal("Say where Quarterdeck is: --url https://...", 2);
}

/** A key is never an argument, because it would be visible in the process list. */
async function keyOf({ keyFile }: McpOptions, { environment, homeDirectory }: ProcessContext): Promise<string> {
  const given = keyFile === undefined ? environment.QUARTERDECK_KEY || undefined : undefined;
  const key = given ?? (await keyIn(keyFile ?? `${homeDirectory}/${HEADER}`));
  if (readAgentKey(key) !== null) return key;
  const source = given === undefined ? (keyFile ?? `~/${HEADER}`) : "QUARTERDECK_KEY";
  throw new Refusal(
    `${source} holds no agent key: one begins with qd_. Make it with quarterdeck key create, or join.`,
    2,
  );
}

/** The key, plain or as the header that hooks send. */
async function keyIn(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(KEY_FILE_BYTES_MAX), 0, KEY_FILE_BYTES_MAX, 0);
      return buffer
        .toString("utf8", 0, bytesRead)
        .trim()
        .replace(/^authorization:\s*bearer\s+/i, "");
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Refusal(`${path} cannot be read (${codeOf(error)}). Set QUARTERDECK_KEY, or give --key-file.`, 2);
  }
}
