/** POSTs to the agent API over kept-alive connections, patient with a server that is away for a while. */
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../refusal.ts";
import { unreachable } from "../server.ts";

/** Long enough for a restart of the server, its database included. */
const PATIENCE_MS = 180_000;
const BACKOFF_MS_MIN = 100;
const BACKOFF_MS_MAX = 2_000;
const ANSWER_MS_MAX = 90_000;
const AGAIN = new Set([429, 502, 503, 504]);

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Poster {
  /**
   * The server's answer to `body`, asked again while it is busy or away.
   * Errors: a `Refusal` when the key is not taken, nothing ever answered, or nothing answers any more.
   */
  post(path: string, contentType: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): void;
}

export function createPoster(url: string, key: string): Poster {
  const isTls = url.startsWith("https:");
  const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 128 });
  const request = isTls ? httpsRequest : httpRequest;
  /** When anything was answered last; 0 before the first answer. */
  let heardMs = 0;

  function once(path: string, headers: Record<string, string | number>, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { method: "POST", agent, headers, timeout: ANSWER_MS_MAX }, (response) => {
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

  return {
    async post(path, contentType, body, more = {}) {
      const length = Buffer.byteLength(body);
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": contentType,
        "content-length": length,
        ...more,
      };
      const startedMs = performance.now();
      for (let pauseMs = BACKOFF_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, BACKOFF_MS_MAX)) {
        let waitMs = pauseMs;
        let why: string;
        try {
          const answer = await once(path, headers, body);
          if (answer.status === 401) throw new Refusal(says(answer) ?? "The server does not take this key.");
          heardMs = performance.now();
          if (!AGAIN.has(answer.status)) return answer;
          why = says(answer) ?? `it answers ${answer.status}`;
          waitMs = Math.max(pauseMs, retryAfterMs(answer));
        } catch (error) {
          if (error instanceof Refusal) throw error;
          why = unreachable(url, error);
          if (heardMs === 0) throw new Refusal(why);
        }
        if (performance.now() - startedMs > PATIENCE_MS)
          throw new Refusal(`Gave up after ${PATIENCE_MS / 1000} s: ${why} Replay again: nothing is stored twice.`);
        await delay(waitMs);
      }
    },
    close: () => agent.destroy(),
  };
}

function retryAfterMs({ headers }: Answer): number {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 5) * 1_000 : 0;
}

/** The sentence of an error answer. */
export function says({ body }: Answer): string | undefined {
  return errorOf(body)?.message;
}

/** The error in an answer's body, if it holds one. */
export function errorOf(body: string): { readonly code: string; readonly message: string } | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.code === "string" && typeof error.message === "string")
      return { code: error.code, message: error.message };
  } catch {
    // Not ours: whatever stands between answered.
  }
  return undefined;
}
