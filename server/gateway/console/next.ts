/** The pages: Next as a custom server in the console's process. */
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import next from "next";
import type { RequestHandler } from "../start.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

export interface NextOptions {
  /** Next adds its own listeners to it: hot reload. */
  readonly server: Server;
  readonly development: boolean;
}

/** Resolves when pages can be rendered. */
export async function startNext({ server, development: dev }: NextOptions): Promise<RequestHandler> {
  const app = next({ dev, dir: PROJECT, httpServer: server, customServer: true, quiet: !dev });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgrade = app.getUpgradeHandler();
  // Next listens for upgrades itself, but only after its first request; a page that reconnects may come before that.
  server.on("upgrade", (request, socket, head) => {
    if (server.listenerCount("upgrade") === 1) void upgrade(request, socket, head);
  });
  return handle;
}
