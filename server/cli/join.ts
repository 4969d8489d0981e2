/** The verb `join`: exchanges an enrolment token for this machine's own key, and puts it where `enrol` looks for it. */
import { createReadStream } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { join as joinPath } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { joinedView, joinRequest } from "../agents/enrolment-token-schema.ts";
import type { EnrolledClient } from "../dialects/schema.ts";
import { splitAgentKey } from "../platform/answer-mac.ts";
import { inheritedEnvironment } from "../platform/env.ts";
import { plainLine } from "../platform/plain-line.ts";
import { codeOf, makeFolder, replaceFile } from "./enrol/files.ts";
import { type Answer, exchange, unreachable } from "./exchange.ts";
import { freeKeyFolder } from "./own-key.ts";
import { print, printError } from "./print.ts";
import { Refusal } from "./refusal.ts";

export interface JoinOptions {
  readonly url?: string;
  /** A file, or - for stdin: an argument would be seen by everyone who lists processes. */
  readonly tokenFile: string;
  readonly name?: string;
}

const TOKEN_BYTES_MAX = 1_024;
const CALL_MS_MAX = 30_000;
const TRIES_MAX = 5;
const RETRY_S_MAX = 5;
const failed = z.looseObject({ error: z.looseObject({ message: z.string().max(2_000) }) });

/** Prints the name of the new agent. Errors: a `Refusal`; nothing is written then. */
export async function join(options: JoinOptions): Promise<void> {
  const { name, path, address } = await joinMachine(options);
  print(`${plainLine(name)}\n`);
  printError(`quarterdeck: The key is in ${path}. Go on with: quarterdeck enrol CLIENT --url ${address}\n`);
}

export interface JoinedMachine {
  readonly name: string;
  /** The file that holds the key. */
  readonly path: string;
  readonly address: string;
}

/**
 * Exchanges the token and keeps the key: as the machine's, or as the client's own where the machine has one.
 * Errors: a `Refusal`; nothing is written then.
 */
export async function joinMachine(
  { url, tokenFile, name }: JoinOptions,
  client?: EnrolledClient,
): Promise<JoinedMachine> {
  const environment = inheritedEnvironment();
  const address = (url ?? environment.QUARTERDECK_URL ?? "").replace(/\/+$/, "");
  if (!/^https?:\/\/\S+$/.test(address)) throw new Refusal("Say where Quarterdeck is: --url https://...", 2);
  const wanted = joinRequest.pick({ name: true }).safeParse({ name: name ?? hostname() });
  if (!wanted.success) throw new Refusal(`${wanted.error.issues[0]?.message ?? "This is no name."} Give --name.`, 2);
  const home = environment.HOME ?? homedir();
  // Before the token is used: what cannot be kept must not be made.
  const folder = joinPath(home, await freeKeyFolder(home, client));
  await makeFolder(folder, 0o700).catch((error: unknown) => {
    throw new Refusal(`${folder} cannot be made (${codeOf(error)}), and the token was not used.`);
  });
  const joined = await ask(address, await readToken(tokenFile), wanted.data.name);
  const { bearer, answerKey } = splitAgentKey(joined.key);
  const keep = (file: string, text: string) =>
    replaceFile(file, { text: `${text}\n`, mode: 0o600, owner: null }).catch((error: unknown) => {
      throw new Refusal(
        `${joined.name} joined, but ${file} cannot be written (${codeOf(error)}), so its key is lost. Retire and remove it under Agents, then join again.`,
      );
    });
  // The header last: enrol takes a machine that has it for one that joined.
  if (answerKey !== null) await keep(joinPath(folder, "answer-key"), answerKey);
  const path = joinPath(folder, "header");
  await keep(path, `Authorization: Bearer ${bearer}`);
  return { name: joined.name, path, address };
}

async function ask(address: string, token: string, name: string): Promise<z.infer<typeof joinedView>> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const user = joinRequest.shape.os_user.safeParse(systemUser());
  const body = JSON.stringify({ name, ...(user.success && { os_user: user.data }) });
  for (let tries = 1; ; tries += 1) {
    const answer = await exchange(`${address}/api/v1/join`, {
      method: "POST",
      headers,
      body,
      timeoutMs: CALL_MS_MAX,
    }).catch((error: unknown) => {
      throw new Refusal(unreachable(address, error));
    });
    if (answer.status === 201) return readJoined(address, answer);
    // The server is overloaded or has no database. If it created the agent all the same, the next attempt reports that
    // the name is taken.
    if (answer.status !== 503 || tries === TRIES_MAX) throw new Refusal(sentenceOf(address, answer));
    await setTimeout(Math.min(Number(answer.headers["retry-after"]) || 1, RETRY_S_MAX) * 1_000);
  }
}

/** Undefined where the operating system knows no name for the user, as in some containers. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function readJoined(address: string, { body }: Answer): z.infer<typeof joinedView> {
  const read = joinedView.safeParse(parsed(body));
  if (!read.success) throw new Refusal(`What answers at ${address} is not Quarterdeck.`);
  return read.data;
}

function sentenceOf(address: string, { status, body }: Answer): string {
  const said = failed.safeParse(parsed(body)).data?.error.message;
  return said === undefined ? `The server at ${address} answered ${status}.` : plainLine(said);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readToken(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    const source = file === "-" ? process.stdin : createReadStream(file, { end: TOKEN_BYTES_MAX });
    for await (const chunk of source) {
      chunks.push(Buffer.from(chunk));
      if (chunks.reduce((sum, { length }) => sum + length, 0) > TOKEN_BYTES_MAX) break;
    }
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${codeOf(error)}).`);
  }
  const token = Buffer.concat(chunks).toString("utf8").trim();
  if (/^qdj_[0-9A-Za-z]+$/.test(token)) return token;
  const source = file === "-" ? "Stdin" : file;
  throw new Refusal(`${source} holds no enrolment token: it is one line that begins with qdj_.`, 2);
}
