/**
 * Passes requests on to a process behind a unix socket and its answers back. httpxy does the forwarding; this file
 * decides what is forwarded: a received body, framed again, and headers that the gateway vouches for.
 */
import { Agent, type ClientRequest, type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { createProxyServer } from "httpxy";
import { connectionNames } from "./request-rules.ts";
import { type ForwardedBy, isOfOneConnection, upstreamRequestHeaders } from "./upstream-request-headers.ts";

export interface Forwarded {
  readonly by: ForwardedBy;
  /** Headers that the gateway itself says. */
  readonly headers: Readonly<Record<string, string>>;
  /** The complete body; "streamed" as it arrives; null for a request without a body. */
  readonly body: Buffer | "streamed" | null;
}

export interface Forwarder {
  web(request: IncomingMessage, response: ServerResponse, forwarded: Forwarded): void;
  /** A WebSocket: the development server's hot reload. */
  upgrade(request: IncomingMessage, client: Duplex, head: Buffer, by: ForwardedBy): void;
  /** Ends WebSockets, which would never end. */
  drain(): void;
  close(): void;
}

export interface ForwarderOptions {
  readonly socketPath: string;
  /** Told of every connection whose request showed valid credentials behind the socket. */
  readonly onProven?: (socket: Socket) => void;
  /** Answers when the process behind the socket is not available. */
  sayAway(request: IncomingMessage, response: ServerResponse): void;
}

/** Shorter than the upstream keeps an idle connection, so that we never write to one that is closing. */
const IDLE_MS = 15_000;
/** Each event stream holds one for hours. Above the limit of `console-upstream.ts`. */
const CONNECTIONS_MAX = 8_192;
const RETRIES_MAX = 3;
/** Said by the upstream, and to the gateway alone: the request came with valid credentials. */
export const PROVEN_HEADER = "quarterdeck-proven";

interface Attempt {
  readonly request: IncomingMessage;
  readonly forwarded: Forwarded;
  readonly isRepeatable: boolean;
  readonly wantsClose: boolean;
  retries: number;
  asked: ClientRequest | null;
}

/**
 * True when the upstream closed an idle connection just as we used it: nothing was processed, so another connection can
 * retry.
 */
function canRepeat({ asked, isRepeatable, retries }: Attempt, error: Error): boolean {
  const isStale = "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
  return isStale && asked?.reusedSocket === true && isRepeatable && retries < RETRIES_MAX;
}

function setAnswerHeaders(answer: IncomingMessage, response: ServerResponse, attempt: Attempt | undefined): void {
  delete answer.headers[PROVEN_HEADER];
  // The rest of a body that was not waited for may be hours away.
  const isCutShort = attempt?.forwarded.body === "streamed" && answer.headers.connection === "close";
  const wantsClose = attempt?.wantsClose === true || isCutShort || response.getHeader("connection") === "close";
  for (const name of Object.keys(answer.headers)) {
    // The gateway's own header on this answer takes precedence.
    if (isOfOneConnection(name) || response.hasHeader(name)) delete answer.headers[name];
  }
  answer.headers.connection = wantsClose ? "close" : "keep-alive";
}

export function createForwarder({ socketPath, sayAway, onProven }: ForwarderOptions): Forwarder {
  const target = { socketPath };
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: IDLE_MS });
  const proxy = createProxyServer();
  const attempts = new WeakMap<object, Attempt>();
  const upgraded = new Set<Duplex>();

  proxy.on("proxyReq", (asked, _request, response) => {
    const attempt = attempts.get(response);
    if (!attempt) return;
    attempt.asked = asked;
    // A body that is too large is refused by what its headers announce, before it comes.
    if (attempt.forwarded.body === "streamed") asked.flushHeaders();
  });
  proxy.on("proxyRes", (answer, asked, response) => {
    if (!(response instanceof ServerResponse)) return;
    if (answer.headers[PROVEN_HEADER] !== undefined) onProven?.(asked.socket);
    setAnswerHeaders(answer, response, attempts.get(response));
    // The first bytes of an event stream may be a long time coming.
    process.nextTick(() => {
      if (!response.headersSent && !response.destroyed) response.flushHeaders();
    });
  });
  proxy.on("error", (error, _request, response) => {
    if (response instanceof ServerResponse) failed(error, response);
    else response?.destroy();
  });

  function failed(error: Error, response: ServerResponse): void {
    const attempt = attempts.get(response);
    if (response.headersSent || response.destroyed || !attempt) {
      // Half an answer must look broken, not finished.
      response.destroy();
      return;
    }
    if (canRepeat(attempt, error)) {
      attempt.retries += 1;
      send(response, attempt);
    } else sayAway(attempt.request, response);
  }

  function send(response: ServerResponse, attempt: Attempt): void {
    const { request, forwarded } = attempt;
    const body = forwarded.body ?? "";
    const buffer = body === "streamed" ? {} : { buffer: Readable.from(body.length === 0 ? [] : [body]) };
    proxy.web(request, response, { target, agent, ...buffer }).catch(() => response.destroy());
  }

  return {
    web(request, response, forwarded) {
      const { by, headers, body } = forwarded;
      const wantsClose = connectionNames(request.headers.connection).includes("close");
      const attempt = { request, forwarded, isRepeatable: body === null, wantsClose, retries: 0, asked: null };
      attempts.set(response, attempt);
      const announced = request.headers["content-length"];
      request.headers = upstreamRequestHeaders(request, by, headers);
      // node:http enforces the announced length of a streamed body.
      const length = body === "streamed" ? announced : body?.length;
      if (length !== undefined) request.headers["content-length"] = String(length);
      send(response, attempt);
    },
    upgrade(request, client, head, by) {
      upgraded.add(client);
      client.on("close", () => upgraded.delete(client));
      request.headers = upstreamRequestHeaders(request, by, { connection: "Upgrade", upgrade: "websocket" });
      // Holds: node:http passes its own sockets.
      proxy.ws(request, client as Socket, { target, agent: false }, head).catch(() => client.destroy());
    },
    drain() {
      for (const client of upgraded) client.destroy();
    },
    close: () => agent.destroy(),
  };
}
