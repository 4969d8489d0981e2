/** POSTs to the agent API over kept-alive connections, patient with a server that is away for a while. */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, exchange, unreachable } from "../exchange.ts";
import { Refusal } from "../refusal.ts";

/** Long enough for a restart of the server, its database included. */
const PATIENCE_MS = 180_000;
const BACKOFF_MS_MIN = 100;
const BACKOFF_MS_MAX = 2_000;
const ANSWER_MS_MAX = 90_000;
const AGAIN = new Set([429, 502, 503, 504]);

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
  /** True after a first answer: a server that answered before may be restarting. */
  let isFound = false;

  return {
    async post(path, contentType, body, more = {}) {
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": contentType,
        ...more,
      };
      const startedMs = performance.now();
      for (let pauseMs = BACKOFF_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, BACKOFF_MS_MAX)) {
        let waitMs = pauseMs;
        let why: string;
        try {
          const answer = await exchange(`${url}${path}`, {
            method: "POST",
            headers,
            body,
            agent,
            timeoutMs: ANSWER_MS_MAX,
          });
          if (answer.status === 401) throw new Refusal(says(answer) ?? "The server does not take this key.");
          isFound = true;
          if (!AGAIN.has(answer.status)) return answer;
          why = says(answer) ?? `it answers ${answer.status}`;
          waitMs = Math.max(pauseMs, retryAfterMs(answer));
        } catch (error) {
          if (error instanceof Refusal) throw error;
          why = unreachable(url, error);
          isFound ||= !isAbsent(error);
          if (!isFound) throw new Refusal(why);
        }
        if (performance.now() - startedMs > PATIENCE_MS)
          throw new Refusal(`Gave up after ${PATIENCE_MS / 1000} s: ${why} Replay again: nothing is stored twice.`);
        await delay(waitMs);
      }
    },
    close: () => agent.destroy(),
  };
}

/** True if no server listens there; false if a connection was interrupted. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && ABSENT.has(String(error.code));
}
const ABSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]);

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
    // Not our answer: a proxy in between sent it.
  }
  return undefined;
}
