/**
 * The client for all outgoing HTTP to addresses from people or other servers. An address is checked against its rule
 * when it is entered and again when its name is resolved. It follows no redirects, and limits the answer's size and
 * time.
 */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { timeLimit } from "@quarterdeck/hooks/contract/time-limit";
import { type AddressRule, hostOf } from "./address-rule.ts";
import { guardedLookup, PrivateAddressError } from "./guarded-lookup.ts";

export interface OutgoingLimits {
  /** Limit for the body of an answer. */
  readonly bytesMax: number;
  /** Limit from the lookup to the answer's last byte. */
  readonly timeoutMs: number;
  /** Certificates in PEM that a server's certificate must descend from; those of the system when absent. */
  readonly ca?: string | undefined;
}

export interface OutgoingRequest {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** False: the answer's body is thrown away unread. */
  readonly isBodyWanted?: boolean;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface Outgoing {
  /** A redirect is an answer like any other. Errors: an `OutgoingError`, or the reason of the request's own signal. */
  send(url: URL, request?: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Closes the idle connections. */
  close(): void;
}

export type OutgoingFailure = "refused" | "unreachable" | "too_large" | "timed_out";

/** The reason for a failed request. The message is a sentence without its subject ("could not be reached ..."). */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly failure: OutgoingFailure;
  /** The system's own code, such as ECONNREFUSED; "" without one. */
  readonly code: string;
  /** The bytes that had arrived when the answer became too large. */
  readonly received: Buffer | null;

  constructor(failure: OutgoingFailure, message: string, more: { code?: string; received?: Buffer } = {}) {
    super(message);
    this.failure = failure;
    this.code = more.code ?? "";
    this.received = more.received ?? null;
  }
}

const SOCKET_IDLE_MS = 60_000;

export function createOutgoing(rule: AddressRule, limits: OutgoingLimits): Outgoing {
  // Connections are shared within one rule only.
  const shared = { keepAlive: true, maxFreeSockets: 8, timeout: SOCKET_IDLE_MS };
  const agents = {
    http: new HttpAgent(shared),
    https: new HttpsAgent({ ...shared, ...(limits.ca && { ca: limits.ca }) }),
  };

  async function send(url: URL, request: OutgoingRequest = {}): Promise<OutgoingAnswer> {
    const refusal = rule.refusal(url);
    if (refusal !== null) throw new OutgoingError("refused", refusal);
    const { signal, isBodyWanted = true } = request;
    signal?.throwIfAborted();
    const deadline = timeLimit(limits.timeoutMs);
    const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
    try {
      const response = await responseTo(url, request, {
        agent: url.protocol === "https:" ? agents.https : agents.http,
        lookup: guardedLookup(rule, hostOf(url)),
        signal: ending,
      });
      const status = response.statusCode ?? 0;
      const headers = headersOf(response);
      if (isBodyWanted) return { status, headers, body: await bodyOf(response, limits.bytesMax) };
      response.destroy();
      return { status, headers, body: Buffer.alloc(0) };
    } catch (error) {
      if (error instanceof OutgoingError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (deadline.aborted) throw new OutgoingError("timed_out", "did not answer in time");
      throw unreachable(error);
    }
  }

  return {
    send,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function responseTo(
  url: URL,
  { method = "GET", headers, body }: OutgoingRequest,
  options: Pick<RequestOptions, "agent" | "lookup" | "signal">,
): Promise<IncomingMessage> {
  const all: RequestOptions = {
    ...options,
    method,
    // A compressed answer could exceed the limit after decoding.
    headers: {
      ...headers,
      "accept-encoding": "identity",
      ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
    },
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? httpsRequest(url, all) : httpRequest(url, all);
    request.on("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

async function bodyOf(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) {
      response.destroy();
      const received = Buffer.concat(parts);
      throw new OutgoingError("too_large", `the answer is larger than ${bytesMax} bytes`, { received });
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers.set(name, String(value));
  return headers;
}

function unreachable(error: unknown): OutgoingError {
  if (error instanceof PrivateAddressError) return new OutgoingError("refused", error.message);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const says = UNREACHABLE.get(code) ?? `could not be reached (${code || "connection lost"})`;
  return new OutgoingError("unreachable", says, { code });
}

const UNREACHABLE = new Map([
  ["ECONNREFUSED", "could not be reached: nothing listens at this address"],
  ["ENOTFOUND", "could not be reached: its name is not known"],
  ["ECONNRESET", "closed the connection before it had answered"],
]);
