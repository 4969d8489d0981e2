/** Requests to the console over one connection, bounded in time and in size. */

import { Agent, type ClientRequest, type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { plainLine } from "../platform/plain-line.ts";
import { ConsoleAway, causeOf } from "./errors.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Each header by its lower-case name, with every value that was sent. */
  readonly distinct: Readonly<NodeJS.Dict<string[]>>;
  readonly body: Buffer;
}

export interface Asked {
  readonly method: "GET" | "POST";
  /** From the root: `/api/v1/policy`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The time limit from the first byte sent to the last one received. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface ConsoleClient {
  /** Errors: `ConsoleAway` when there is no whole answer in time. */
  ask(asked: Asked): Promise<Answer>;
  /** Lets the process end. */
  close(): void;
}

const CONNECT_MS = 3_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** A client of the console at `url` for the agent with this bearer. It uses no proxy and follows no redirect. */
export async function openConsole(url: string, bearer: string): Promise<ConsoleClient> {
  const isTls = url.startsWith("https:");
  const https = isTls ? await import("node:https") : undefined;
  const agent = https ? new https.Agent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const begin = https ? https.request : plainRequest;

  return {
    close: () => agent.destroy(),
    ask({ method, path, headers, body, timeoutMs, signal }) {
      return new Promise((resolve, reject) => {
        const length = body ? { "content-length": String(body.length) } : {};
        const sent = begin(`${url}${path}`, {
          method,
          agent,
          headers: { ...headers, ...length, authorization: `Bearer ${bearer}` },
          ...(signal && { signal }),
        });
        const limits = limitTime(sent, timeoutMs);
        const fail = (error: unknown) => {
          limits.forget();
          reject(new ConsoleAway(`The console at ${url} cannot be reached (${causeOf(error)}).`));
        };
        sent.on("error", fail);
        sent.on("response", (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk);
            else sent.destroy(new Error("its answer is larger than 16 MiB"));
          });
          response.on("error", fail);
          response.on("end", () => {
            limits.forget();
            const { statusCode: status = 0, headers, headersDistinct: distinct } = response;
            resolve({ status, headers, distinct, body: Buffer.concat(chunks) });
          });
        });
        sent.end(body);
      });
    },
  };
}

function limitTime(sent: ClientRequest, timeoutMs: number): { forget(): void } {
  const end = (why: string) => sent.destroy(new Error(why));
  const whole = setTimeout(() => end(`no answer within ${timeoutMs / 1_000} s`), timeoutMs);
  const connecting = setTimeout(() => end(`no connection within ${CONNECT_MS / 1_000} s`), CONNECT_MS);
  sent.on("socket", (socket) => {
    if (!socket.connecting) clearTimeout(connecting);
    else socket.once("connect", () => clearTimeout(connecting));
  });
  return {
    forget() {
      clearTimeout(whole);
      clearTimeout(connecting);
    },
  };
}

/** The message of an answer that is no success, for people. */
export function refusalOf({ status, body }: Answer): string {
  let message = "";
  try {
    const error: unknown = JSON.parse(body.toString("utf8")).error?.message;
    if (typeof error === "string") message = ` ${plainLine(error)}`;
  } catch {
    // Not ours, perhaps a proxy's.
  }
  return `The console answered with HTTP ${status}.${message}`;
}

/** The code of a refusal of the console's own. */
export function errorCodeIn(body: Buffer): string | undefined {
  try {
    const code: unknown = JSON.parse(body.toString("utf8")).error?.code;
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}

/** True if the status means that the console cannot answer now. */
export function isAwayStatus(status: number): boolean {
  return status === 429 || status >= 500;
}
