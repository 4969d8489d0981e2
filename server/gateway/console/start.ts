/**
 * The console's server, on a unix socket that the gateway forwards to. It does not repeat the gateway's checks of
 * framing and limits; it authenticates the request and limits the body.
 */
import { unlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { RequestHandler } from "../start.ts";

/** Longer than the forwarder keeps an idle connection, so that none is closed just as it is used. */
const KEEP_ALIVE_MS = 60_000;
/** The limit for clients, plus the gateway's own headers. */
const HEADER_BYTES_MAX = 32 * 1024;

export interface ConsoleServer {
  readonly server: Server;
  /** Starts answering requests. */
  listen(socketPath: string, handler: RequestHandler): Promise<void>;
  /** Lets requests finish, and aborts the rest at the limit, in milliseconds. */
  drain(limitMs: number): Promise<void>;
}

export function createConsoleServer(): ConsoleServer {
  // The gateway enforces the time limit of a request.
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
 * Removes the socket of a killed predecessor. `rmSync` would stat it first: Node 20 caches that result when it resolves
 * links, and then loads `pg` twice, by link and by path.
 */
function removeLeftOver(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
