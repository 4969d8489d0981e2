/**
 * The `fetch` that providers are asked with: one request over node's own HTTP, whose address is checked when the name is
 * looked up and not before, whose answer is bounded, and which follows no redirect. An aborted one is closed at once.
 */
import { lookup as systemLookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { type AddressRule, hostOf } from "./address.ts";
import { ProviderFault } from "./fault.ts";

/** A judge's answer is a few lines; this leaves room for a model that thinks aloud. */
export const REPLY_BYTES_MAX = 1024 * 1024;

export interface Transport {
  readonly fetch: typeof fetch;
  /** Ends the connections that are kept open. */
  close(): void;
}

/** Errors of its `fetch`: a `ProviderFault`, or the signal's own reason. */
export function createTransport(rule: AddressRule): Transport {
  const shared = { keepAlive: true, maxFreeSockets: 8, timeout: 60_000 };
  const agents = { http: new HttpAgent(shared), https: new HttpsAgent(shared) };

  async function ask(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const refusal = rule.refusal(url);
    if (refusal !== null) throw new ProviderFault("provider_error", refusal);
    const { signal } = init;
    signal?.throwIfAborted();
    const response = await sent(url, init, { agents, lookup: guardedLookup(rule, hostOf(url)) });
    const body = await bodyOf(response, signal ?? null);
    const status = response.statusCode ?? 502;
    if (status >= 300 && status < 400)
      throw new ProviderFault("provider_error", `answered with a redirect (HTTP ${status}), which is not followed`);
    const type = response.headers["content-type"] ?? "";
    if (status < 300 && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
      throw new ProviderFault(
        "provider_error",
        `answered with ${type === "" ? "no content type" : short(type)}, not JSON`,
      );
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) headers.set(name, String(value));
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers });
  }

  return {
    fetch: ask,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Means {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  readonly lookup: LookupFunction;
}

function sent(
  url: URL,
  { method = "GET", headers, body, signal }: RequestInit,
  means: Means,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const options: RequestOptions = {
    method,
    // What is compressed could be small on the way and large here.
    headers: { ...Object.fromEntries(new Headers(headers)), "accept-encoding": "identity", accept: "application/json" },
    agent: isSecure ? means.agents.https : means.agents.http,
    lookup: means.lookup,
    ...(signal ? { signal } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    request.on("response", resolve);
    request.on("error", (error) => reject(signal?.aborted ? reasonOf(signal) : unreachable(error)));
    request.end(typeof body === "string" ? body : undefined);
  });
}

async function bodyOf(response: IncomingMessage, signal: AbortSignal | null): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > REPLY_BYTES_MAX) {
        response.destroy();
        const start = Buffer.concat(parts).toString("utf8");
        throw new ProviderFault("too_large", `the answer is larger than ${REPLY_BYTES_MAX} bytes`, { reply: start });
      }
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    throw signal?.aborted ? reasonOf(signal) : unreachable(error);
  }
  return Buffer.concat(parts);
}

/** Looks a name up and leaves only addresses that may be asked: a name that moves between two looks gains nothing. */
export function guardedLookup(rule: AddressRule, host: string): LookupFunction {
  return (name, options, done) => {
    systemLookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const allowed = addresses.filter(({ address }) => rule.allowsAddress(host, address));
      const first = allowed[0];
      if (!first) return done(new PrivateAddressError(), []);
      if (options.all) return done(null, allowed);
      return done(null, first.address, first.family);
    });
  };
}

class PrivateAddressError extends Error {
  constructor() {
    super("its name leads to a private address, which QUARTERDECK_ALLOW_PRIVATE_MODELS does not list");
  }
}

function unreachable(error: unknown): ProviderFault {
  if (error instanceof PrivateAddressError)
    return new ProviderFault("provider_error", error.message, { isUnbilled: true });
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new ProviderFault(
    "provider_error",
    UNREACHABLE.get(code) ?? `could not be reached (${code || "connection lost"})`,
    {
      isWorthRetrying: !code.startsWith("CERT_") && !UNTRUSTED.has(code) && code !== "ENOTFOUND",
      isUnbilled: code === "ECONNREFUSED" || code === "ENOTFOUND",
    },
  );
}

const UNREACHABLE = new Map([
  ["ECONNREFUSED", "could not be reached: nothing listens at this address"],
  ["ENOTFOUND", "could not be reached: its name is not known"],
  ["ECONNRESET", "closed the connection before it had answered"],
]);
const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const reasonOf = (signal: AbortSignal): unknown => signal.reason ?? new DOMException("aborted", "AbortError");
const short = (text: string): string => text.slice(0, 80);
