import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Actor, ClientInfo } from "./actor.ts";

const USER_AGENT_MAX = 256;
/** No real chain of proxies is longer; further entries are forged. */
const HOPS_MAX = 16;

/** Where a browser's request comes from: its address, and the name it gives itself. */
export type ReadClientInfo = (request: Pick<IncomingMessage, "headers" | "socket">) => ClientInfo;

/**
 * Reads the client's address from the connection. Behind a proxy of the operator, it is the last address in
 * X-Forwarded-For that is not such a proxy: a client can forge everything before it.
 */
export function createClientInfoReader(isProxy: (address: string) => boolean): ReadClientInfo {
  return ({ headers, socket }) => {
    let address = plain(socket.remoteAddress ?? "");
    const told = String(headers["x-forwarded-for"] ?? "").split(",");
    for (let hop = 0; hop < HOPS_MAX && isProxy(address); hop += 1) {
      const before = plain((told.pop() ?? "").trim());
      if (isIP(before) === 0) break;
      address = before;
    }
    const name = headers["user-agent"];
    const userAgent = name === undefined ? null : truncateText(name, USER_AGENT_MAX, "");
    return { ip: address === "" ? null : address, userAgent };
  };
}

/** Adds the client info to a person; returns any other actor unchanged. */
export function placed(actor: Actor | null, from: ClientInfo): Actor | null {
  return actor?.kind === "person" ? { ...actor, from } : actor;
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
