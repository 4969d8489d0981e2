import type { IncomingMessage } from "node:http";
import type { Actor, Whence } from "./actor.ts";

const USER_AGENT_MAX = 256;

/** Where a browser's request comes from: the address of its connection, and the name it gives itself. */
export function whenceOf(request: Pick<IncomingMessage, "headers" | "socket">): Whence {
  const address = request.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  const name = request.headers["user-agent"];
  return { ip: address ?? null, userAgent: name === undefined ? null : name.slice(0, USER_AGENT_MAX) };
}

/** A person with the place they ask from; everybody else as they are. */
export function placed(actor: Actor | null, request: Pick<IncomingMessage, "headers" | "socket">): Actor | null {
  return actor?.kind === "person" ? { ...actor, from: whenceOf(request) } : actor;
}
