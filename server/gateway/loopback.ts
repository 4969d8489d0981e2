import type { IncomingMessage } from "node:http";

const NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether this machine itself asks: not through a proxy, and not a page that had its name pointed at us. */
export function isLoopback(request: IncomingMessage): boolean {
  const from = request.socket.remoteAddress ?? "";
  const isLocal = from === "::1" || /^(::ffff:)?127\./.test(from);
  const { headers } = request;
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  return isLocal && !isForwarded && NAMES.has(host);
}
