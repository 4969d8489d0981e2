/** The answer while the pages' process is being started. */
import type { IncomingMessage, ServerResponse } from "node:http";

const AWAY = "The console's pages are restarting. This page tries again by itself.";

export function sayPagesAway(request: IncomingMessage, response: ServerResponse): void {
  const wantsPage = (request.headers.accept ?? "").includes("text/html");
  const body = wantsPage ? AWAY_PAGE : JSON.stringify({ error: { code: "pages_away", message: AWAY } });
  response.writeHead(503, {
    "content-type": wantsPage ? "text/html; charset=utf-8" : "application/json",
    "content-length": Buffer.byteLength(body),
    "retry-after": "2",
    "cache-control": "no-store",
  });
  response.end(body);
}

const AWAY_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark"><title>Quarterdeck is starting</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}</style></head>
<body><h1>One moment</h1><p>${AWAY}</p></body></html>
`;
