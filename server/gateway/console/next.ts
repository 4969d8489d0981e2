/** The pages: Next as a custom server in the console's process. */
import type { Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import next from "next";
import { z } from "zod";
import type { RequestHandler } from "../start.ts";
import { createCompressedFiles } from "./compressed-files.ts";

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
  return dev ? handle : createCompressedFiles(join(PROJECT, await buildFolder(), "static"), handle);
}

const config = z.object({ default: z.object({ distDir: z.string() }) });

/** The folder of the build, as Next's own configuration has it. */
async function buildFolder(): Promise<string> {
  return config.parse(await import(pathToFileURL(join(PROJECT, "next.config.mjs")).href)).default.distDir;
}
