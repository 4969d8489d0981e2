/**
 * The headers of a request as an upstream gets them: without hop-by-hop headers, and without headers that only the
 * gateway may set.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { connectionNames } from "./request-rules.ts";

/** RFC 9110, 7.6.1; each connection frames messages again. */
const ONE_CONNECTION = new Set([
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers that Next or our pages trust because only the gateway may set them. */
const INTERNAL =
  /^(?:forwarded|via|next-resume|content-security-policy.*|x-(?:forwarded|real-ip|client-ip|nonce|middleware|nextjs|invoke|matched|now|vercel|prerender|original|rewrite|http-method).*)$/;

export interface ForwardedBy {
  /** The client's address. */
  readonly address: string | null;
  /** As the client's browser wrote it. */
  readonly protocol: "http" | "https";
}

/** `own` are the gateway's own headers, which override the client's. */
export function upstreamRequestHeaders(
  { headers }: IncomingMessage,
  { address, protocol }: ForwardedBy,
  own: Readonly<Record<string, string>>,
): IncomingHttpHeaders {
  const named = new Set(connectionNames(headers.connection));
  const kept = Object.entries(headers).filter(
    ([name]) => !ONE_CONNECTION.has(name) && !INTERNAL.test(name) && !named.has(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...(address === null ? {} : { "x-forwarded-for": address }),
    ...(headers.host === undefined ? {} : { "x-forwarded-host": headers.host }),
    "x-forwarded-proto": protocol,
    ...own,
  };
}

/** Headers of an upstream's answer that concern its connection and not the client's. */
export function isOfOneConnection(name: string): boolean {
  return name !== "content-length" && ONE_CONNECTION.has(name);
}
