/**
 * Limits the connections of one address that have not shown valid credentials yet. Connections with valid credentials
 * do not count, and neither do those of the operator's own proxies, which carry the requests of many clients.
 */
import type { Socket } from "node:net";
import { clientKey } from "./client-key.ts";

export interface ConnectionLimit {
  /** False when the connection is one too many; it should be destroyed. */
  accept(socket: Socket): boolean;
  /** Valid credentials came over this connection. */
  prove(socket: Socket): void;
}

export const UNPROVEN_OF_ONE_MAX = 512;

export function createConnectionLimit(
  isProxy: (address: string) => boolean = () => false,
  max = UNPROVEN_OF_ONE_MAX,
): ConnectionLimit {
  const unproven = new Map<string, number>();
  const counted = new WeakMap<Socket, string>();

  function leave(socket: Socket): void {
    const key = counted.get(socket);
    if (key === undefined) return;
    counted.delete(socket);
    const left = (unproven.get(key) ?? 1) - 1;
    if (left === 0) unproven.delete(key);
    else unproven.set(key, left);
  }

  return {
    accept(socket) {
      const address = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, "") ?? "";
      if (isProxy(address)) return true;
      const key = clientKey(address === "" ? null : address);
      const count = unproven.get(key) ?? 0;
      if (count >= max) return false;
      unproven.set(key, count + 1);
      counted.set(socket, key);
      socket.once("close", () => leave(socket));
      return true;
    },
    prove: leave,
  };
}
