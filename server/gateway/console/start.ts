/**
 * The console's server, on a unix socket that the gateway forwards to. What the gateway has refused, framed or limited is not
 * looked at again; who asks and how much they may send is decided here.
 */
import { unlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { RequestHandler } from "../start.ts";

/** Longer than the forwarder keeps an idle connection, so that none is closed just as it is taken. */
const KEEP_ALIVE_MS = 60_000;
/** As much as a client may send, and what the gateway adds. */
const HEADER_BYTES_MAX = 32 * 1024;

export interface ConsoleServer {
  readonly server: Server;
  /** From here on requests are answered. */
  listen(socketPath: string, handler: RequestHandler): Promise<void>;
  /** Lets requests finish, and cuts off what is left at the limit, in milliseconds. */
  drain(limitMs: number): Promise<void>;
}

export function createConsoleServer(): ConsoleServer {
  // The gateway keeps the time of a request.
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS });
  server.maxHeadersCount = 200;
  return {
    server,
    async listen(socketPath, handler) {
      server.on("request", (request, response) => void handler(request, response));
      removeLeftOver(socketPath);
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(socketPath, () => resolve());
      });
    },
    async drain(limitMs) {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cutOff = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

/**
 * Removes the socket of a predecessor that had no time to. Without looking at it first, as `rmSync` does: Node 20 takes
 * its last look for the next one's when it resolves links, and after a socket's `pg` is loaded twice, by link and by path.
 */
function removeLeftOver(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
