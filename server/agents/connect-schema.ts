/** The line that connects a machine: pasted once, it joins with a one-use token and shows the console a first event. */
import { z } from "zod";
import { ENROLLED_CLIENT_NAMES } from "../dialects/schema.ts";
import { agentName } from "./schema.ts";

/** The clients of the page, the most common first; `http` is a program of one's own. */
export const CONNECTED_CLIENTS = [
  "claude-code",
  "docker-agent",
  ...ENROLLED_CLIENT_NAMES.filter((name) => name !== "claude-code" && name !== "docker-agent"),
  "http",
] as const;
export const connectedClient = z.enum(CONNECTED_CLIENTS);
export type ConnectedClient = z.infer<typeof connectedClient>;

/** The life of the token in a line, in hours. */
export const CONNECT_HOURS = 1;

const connectParts = z.strictObject({
  client: connectedClient,
  /** The address of the server, as the machine reaches it. Only signs that no shell reads as its own. */
  url: z.string().regex(/^https?:\/\/[\w.:[\]~/-]+$/, "This address cannot be part of a command."),
  name: agentName,
  token: z.string().regex(/^qdj_[0-9A-Za-z]+$/),
});
export type ConnectParts = z.infer<typeof connectParts>;

/** A shell command of one line. The token is an argument of no program, so that no list of processes shows it. */
export function connectLine(parts: ConnectParts): string {
  const { client, url, name, token } = connectParts.parse({ ...parts, url: parts.url.replace(/\/+$/, "") });
  return client === "http" ? httpLine(url, name, token) : programLine(client, url, name, token);
}

/** The same for a page: the line, or the sentence that explains why there is none. */
export const tryConnectLine = (
  parts: ConnectParts,
): { readonly line: string | null; readonly problem: string | null } => {
  const { success, error } = connectParts.safeParse({ ...parts, url: parts.url.replace(/\/+$/, "") });
  return success
    ? { line: connectLine(parts), problem: null }
    : { line: null, problem: error.issues[0]?.message ?? "There is no line for these values." };
};

function programLine(client: string, url: string, name: string, token: string): string {
  const program = "quarterdeck-enrol.mjs";
  return `curl -fsSO ${url}/${program} && echo ${token} | node ${program} connect ${client} --name '${name}' --url ${url}`;
}

/** Joins, prints the key once, on that machine, and asks about a first command. */
function httpLine(url: string, name: string, token: string): string {
  const json = "-H 'Content-Type: application/json'";
  const join = `echo 'Authorization: Bearer ${token}' | curl -fsS ${url}/api/v1/join -H @- ${json} -d '{"name":"${name}"}'`;
  const key = `QUARTERDECK_KEY=$(${join} | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')`;
  const question = `{"session_id":"first","tool_name":"shell","tool_use_id":"first-1","tool_input":{"cmd":"ls"}}`;
  const ask = `echo "Authorization: Bearer $QUARTERDECK_KEY" | curl -fsS ${url}/api/v1/hooks/pre_tool_use -H @- ${json} -d '${question}'`;
  return `${key} && ${ask} && echo && echo "export QUARTERDECK_KEY=$QUARTERDECK_KEY"`;
}

const NAMES_TRIED = 1_000;

/** A free name for an agent of this client: `claude-code`, then `claude-code-2`. */
export function proposedAgentName(client: ConnectedClient, taken: ReadonlySet<string>): string {
  const base = client === "http" ? "http-agent" : client;
  for (let number = 2; taken.has(base) && number < NAMES_TRIED; number += 1)
    if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
  return base;
}
