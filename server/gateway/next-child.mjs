/**
 * The pages' process: Next as a custom server on a unix socket. Its own process, so that rendering never holds up an agent.
 * Plain JavaScript, so that nothing is compiled before it starts.
 *
 * Started by pages.ts with the socket's path; ends when the gateway does, because their channel breaks.
 */
import { unlinkSync } from "node:fs";
import { createServer } from "node:http";
import next from "next";

const [socketPath = "", mode = ""] = process.argv.slice(2);
const dev = mode === "development";

// The gateway decides when we end; a Ctrl-C in its terminal is its business.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("disconnect", () => process.exit(0));

const server = createServer();
server.keepAliveTimeout = 60_000;
const app = next({ dev, dir: process.cwd(), httpServer: server, customServer: true, quiet: !dev });
await app.prepare();
const handle = app.getRequestHandler();
const upgrade = app.getUpgradeHandler();
server.on("request", (request, response) => void handle(request, response));
// Next listens for upgrades itself, but only after its first request; a page that reconnects may come before that.
server.on("upgrade", (request, socket, head) => {
  if (server.listenerCount("upgrade") === 1) void upgrade(request, socket, head);
});

removeLeftOver(socketPath);
server.listen(socketPath, () => {
  // The gateway may have gone while we got ready.
  if (process.connected) process.send("ready", () => undefined);
});

/**
 * Removes the socket of a predecessor that had no time to. Without looking at it first, as `rmSync` does: Node 20 takes
 * its last look for the next one's when it resolves links, and after a socket's `pg` is loaded twice, by link and by path.
 */
function removeLeftOver(path) {
  try {
    unlinkSync(path);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
