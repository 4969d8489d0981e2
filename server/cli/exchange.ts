/**
 * One HTTP request and its complete answer. Uses node:http, because fetch keeps its connection, and so the process,
 * alive for seconds.
 */
import { type Agent, type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asked {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Whose connections to use; without one, the connection ends with the answer. */
  readonly agent?: Agent;
}

/** Errors: those of the connection, and a timeout. */
export function exchange(url: string, { method, headers, body = "", timeoutMs, agent }: Asked): Promise<Answer> {
  const request = url.startsWith("https:") ? tlsRequest : plainRequest;
  const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
  return new Promise((resolve, reject) => {
    const options = { method, agent: agent ?? false, headers: { ...headers, ...length }, timeout: timeoutMs };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The reason that nothing answered at `url`, and what to do. */
export function unreachable(url: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === undefined) return `The server at ${url} did not answer: ${String(error)}.`;
  return `No server answers at ${url}${code === "ECONNREFUSED" ? "" : ` (${code})`}. Start the server, or set QUARTERDECK_URL.`;
}
