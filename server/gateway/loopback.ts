import type { IncomingMessage } from "node:http";
import { isLoopbackAddress, nameOf } from "./hosts.ts";

/** Headers that a proxy in front adds. Their absence proves nothing: nginx adds them only where it is configured to. */
const BY_A_PROXY = /^(?:x-forwarded(?:-.+)?|forwarded|via|x-real-ip|x-client-ip)$/;

/**
 * True if this machine itself asks a server that only this machine can reach: bound to loopback, known by a loopback address,
 * not through a proxy, and not by a page that had its name pointed here. Where people reach the server from elsewhere, a
 * request from loopback is as likely theirs, through a proxy that does not say so.
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
