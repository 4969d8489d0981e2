/**
 * Requests that are refused before routing: ambiguous ones, which another parser could read differently, and those for
 * another host. node:http has already refused broken framing.
 */
import type { IncomingMessage } from "node:http";
import { AppError } from "../errors/app-error.ts";
import type { HostRule } from "./hosts.ts";

/** Headers that Connection may not declare to be meant for one connection only. */
const END_TO_END = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "origin",
  "transfer-encoding",
]);
/** Headers that decide where a message ends or who receives it: one of each. */
const SINGLE = ["host", "content-length", "transfer-encoding", "authorization", "content-type", "origin"];

/** Errors: `ambiguous_request`, `unknown_host`. The connection should not be used again after either. */
export function refuseAmbiguous(request: IncomingMessage, hosts: HostRule): void {
  const { url = "", headers } = request;
  if (!url.startsWith("/") || url.includes("#"))
    throw refused("The request target must be a path such as /api/v1/policy.");
  for (const name of SINGLE) {
    const lines = request.headersDistinct[name]?.length ?? 0;
    if (lines > 1) throw refused(`Send one ${name} header.`);
  }
  if (headers.host === undefined || headers.host === "") throw refused("Send a Host header.");
  for (const name of connectionNames(headers.connection)) {
    if (END_TO_END.has(name) || name.startsWith("x-forwarded-"))
      throw refused(`Connection names ${name}, which is meant for the server and not for one connection.`);
  }
  refuseEncoding(request);
  if (!hosts.allows(headers.host, request.socket.localAddress)) throw new AppError("unknown_host");
}

function refuseEncoding({ headers, httpVersion }: IncomingMessage): void {
  const encoding = headers["transfer-encoding"];
  if (encoding === undefined) return;
  if (httpVersion === "1.0") throw refused("HTTP/1.0 has no Transfer-Encoding.");
  if (encoding.toLowerCase() !== "chunked") throw refused("The only Transfer-Encoding that is read is chunked.");
  if (headers["content-length"] !== undefined) throw refused("Send either Content-Length or Transfer-Encoding.");
}

/** The header names that a Connection header lists, in lower case. */
export function connectionNames(connection: string | undefined): readonly string[] {
  return (connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
}

/** Other protocols that are offered (h2c) are passed over, as HTTP allows. Errors: `ambiguous_request`. */
export function refuseWebSocket({ headers }: IncomingMessage): void {
  const offered = (headers.upgrade ?? "").toLowerCase().split(",");
  if (offered.some((protocol) => protocol.trim().startsWith("websocket")))
    throw refused("No WebSocket is served here.");
}

const refused = (says: string): AppError => new AppError("ambiguous_request", undefined, { says });
