import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Actor, ClientInfo } from "./actor.ts";

const USER_AGENT_MAX = 256;
/** No chain of proxies is longer; whoever writes more writes it himself. */
const HOPS_MAX = 16;

/** Where a browser's request comes from: its address, and the name it gives itself. */
export type ReadClientInfo = (request: Pick<IncomingMessage, "headers" | "socket">) => ClientInfo;

/**
 * The address is the connection's. Where that is a proxy of the operator's, it is the last one in X-Forwarded-For that is
 * no such proxy: what stands before it anybody can have written.
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

/** A person with the place they ask from; everybody else as they are. */
export function placed(actor: Actor | null, from: ClientInfo): Actor | null {
  return actor?.kind === "person" ? { ...actor, from } : actor;
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
