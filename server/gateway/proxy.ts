/**
 * Passes a request on to the pages (Next, behind a unix socket) and their answer back, streaming both ways.
 * When the pages are away it says so in plain words; it decides nothing else.
 */
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { PagePolicy } from "./security-headers.ts";

export interface PagesProxy {
  /** Next finds the nonce for its scripts in the policy, our own code beside it. */
  web(incoming: IncomingMessage, outgoing: ServerResponse, page: PagePolicy): void;
  /** A WebSocket: the development server's hot reload. */
  upgrade(incoming: IncomingMessage, client: Duplex, head: Buffer): void;
  close(): void;
}

/** Fewer than the seconds Next keeps an idle connection, so that we never write into one it is just closing. */
const IDLE_MS = 15_000;

export function pagesProxy(socketPath: string): PagesProxy {
  const agent = new Agent({ keepAlive: true, maxSockets: 128, timeout: IDLE_MS });
  const upgraded = new Set<Duplex>();

  function ask(incoming: IncomingMessage, keepUpgrade: boolean, page?: PagePolicy) {
    const told = page && { "content-security-policy": page.policy, "x-nonce": page.nonce };
    return request({
      socketPath,
      agent: keepUpgrade ? new Agent() : agent,
      method: incoming.method,
      path: incoming.url,
      // Whatever a client says of a policy itself is overwritten.
      headers: { ...requestHeaders(incoming, keepUpgrade), ...told },
      setHost: false,
    });
  }

  return {
    web: function pass(incoming, outgoing, page) {
      const asked = ask(incoming, false, page);
      asked.setTimeout(0);
      asked.on("response", (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, responseHeaders(answer.headers));
        outgoing.flushHeaders(); // an event stream's first bytes may be a long time coming
        answer.pipe(outgoing);
        // Half an answer must look broken, not finished.
        answer.on("error", () => outgoing.destroy());
      });
      asked.on("error", (error: NodeJS.ErrnoException) => {
        const hasBody =
          incoming.headers["content-length"] !== undefined || incoming.headers["transfer-encoding"] !== undefined;
        // Next closed an idle connection just as we took it: nothing was processed, so ask again on another.
        if (asked.reusedSocket && error.code === "ECONNRESET" && !hasBody && !outgoing.headersSent)
          pass(incoming, outgoing, page);
        else if (outgoing.headersSent) outgoing.destroy();
        else if (!outgoing.destroyed) sayAway(incoming, outgoing);
      });
      outgoing.on("close", () => asked.destroy());
      incoming.pipe(asked);
    },

    upgrade(incoming, client, head) {
      const asked = ask(incoming, true);
      client.on("error", () => asked.destroy());
      asked.on("upgrade", (answer, server: Socket, serverHead) => {
        upgraded.add(client);
        client.on("close", () => {
          upgraded.delete(client);
          server.destroy();
        });
        client.on("error", () => server.destroy());
        server.on("error", () => client.destroy());
        server.on("close", () => client.destroy());
        client.write(statusLine(answer));
        if (serverHead.length > 0) client.write(serverHead);
        if (head.length > 0) server.write(head);
        server.pipe(client).pipe(server);
      });
      // Refused: we tell the client in one line and hang up.
      asked.on("response", (answer) => {
        answer.resume();
        client.end(
          `HTTP/1.1 ${answer.statusCode ?? 502} Not upgraded\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
      });
      asked.on("error", () => client.destroy());
      asked.end();
    },

    close() {
      for (const client of upgraded) client.destroy();
      agent.destroy();
    },
  };
}

/** Meant for one connection only (RFC 9110, 7.6.1); the other side speaks for itself. */
const HOP_BY_HOP = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(
    String(headers.connection ?? "")
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)));
}

function requestHeaders(incoming: IncomingMessage, keepUpgrade: boolean): OutgoingHttpHeaders {
  const headers = endToEnd(incoming.headers);
  const before = incoming.headers["x-forwarded-for"];
  const from = incoming.socket.remoteAddress ?? "";
  headers["x-forwarded-for"] = before === undefined ? from : `${String(before)}, ${from}`;
  headers["x-forwarded-proto"] ??= "http";
  if (keepUpgrade) Object.assign(headers, { connection: "Upgrade", upgrade: incoming.headers.upgrade });
  // A body without a length goes on as chunks; without either there is none, and Node must not invent one.
  else if (incoming.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  return headers;
}

function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return endToEnd(headers);
}

function statusLine(answer: IncomingMessage): string {
  const pairs = [];
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    pairs.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}\r\n`);
  }
  return `HTTP/1.1 101 ${answer.statusMessage ?? "Switching Protocols"}\r\n${pairs.join("")}\r\n`;
}

const AWAY = "The console's pages are restarting. Agents are served meanwhile; this page tries again by itself.";

function sayAway(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const wantsPage = (incoming.headers.accept ?? "").includes("text/html");
  const body = wantsPage ? AWAY_PAGE : JSON.stringify({ error: { code: "pages_away", message: AWAY } });
  outgoing.writeHead(503, {
    "content-type": wantsPage ? "text/html; charset=utf-8" : "application/json",
    "content-length": Buffer.byteLength(body),
    "retry-after": "2",
    "cache-control": "no-store",
  });
  outgoing.end(body);
}

const AWAY_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark"><title>Quarterdeck is starting</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}</style></head>
<body><h1>One moment</h1><p>${AWAY}</p></body></html>
`;
