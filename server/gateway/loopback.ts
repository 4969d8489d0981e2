import type { IncomingMessage } from "node:http";
import { isLoopbackAddress, nameOf } from "./hosts.ts";

/** Headers that a proxy adds. Their absence proves nothing: nginx adds them only if configured. */
const BY_A_PROXY = /^(?:x-forwarded(?:-.+)?|forwarded|via|x-real-ip|x-client-ip)$/;

/**
 * True if the request comes from this machine itself and the server is reachable only from this machine: bound to
 * loopback, addressed by a loopback address, not through a proxy, and not from a page with DNS rebinding. If people
 * reach the server from elsewhere, a request from loopback may be theirs, through a proxy that does not identify
 * itself.
 */
export function isDirectLoopbackRequest(
  { socket, headers }: IncomingMessage,
  { url, machine }: { readonly url: string; readonly machine: { readonly host: string } },
): boolean {
  const from = (socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
  const isForwarded = Object.keys(headers).some((name) => BY_A_PROXY.test(name));
  const isOursAlone = isLoopbackHost(machine.host) && isLoopbackHost(new URL(url).host);
  return isOursAlone && isLoopbackAddress(from) && !isForwarded && isLoopbackHost(headers.host ?? "");
}

function isLoopbackHost(host: string): boolean {
  // HOST may be an IPv6 address without brackets.
  const name = host === "::1" ? host : nameOf(host);
  return name !== null && (name === "localhost" || isLoopbackAddress(name));
}
