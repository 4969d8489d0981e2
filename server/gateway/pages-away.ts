/** The answer while the pages' process is being started. */
import type { IncomingMessage, ServerResponse } from "node:http";

const AWAY = "The console's pages are restarting.";
/** Counts a browser's attempts at one page. The cookie identifies no person, and expires. */
const COOKIE = "quarterdeck_pages_away";
const COOKIE_SECONDS = 60;
/**
 * A page that crashes its process each time must not be retried for ever: after these attempts the browser opens the
 * overview.
 */
const TRIES = 2;
const WAIT_SECONDS = 2;
const WAIT_SECONDS_MAX = 30;

export function sayPagesAway(request: IncomingMessage, response: ServerResponse): void {
  const wantsPage = (request.headers.accept ?? "").includes("text/html");
  const tried = triesOf(request.headers.cookie);
  const waitSeconds = wantsPage ? Math.min(WAIT_SECONDS * 2 ** tried, WAIT_SECONDS_MAX) : WAIT_SECONDS;
  const body = wantsPage ? awayPage(tried, waitSeconds) : JSON.stringify(FAILURE);
  response.writeHead(503, {
    "content-type": wantsPage ? "text/html; charset=utf-8" : "application/json",
    "content-length": Buffer.byteLength(body),
    "retry-after": String(waitSeconds),
    "cache-control": "no-store",
    ...(wantsPage && {
      "set-cookie": `${COOKIE}=${tried + 1}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax`,
    }),
  });
  response.end(body);
}

const FAILURE = { error: { code: "pages_away", message: `${AWAY} Try again in ${WAIT_SECONDS} seconds.` } };

const PATTERN = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\d{1,2})(?:;|$)`);
const triesOf = (cookies: string | undefined): number => Number(PATTERN.exec(cookies ?? "")?.[1] ?? 0);

function awayPage(tried: number, waitSeconds: number): string {
  const isLost = tried >= TRIES;
  const next = isLost
    ? `This page did not load in ${TRIES} tries. The overview opens in ${waitSeconds} seconds.`
    : `This page loads again in ${waitSeconds} seconds.`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${waitSeconds}${isLost ? ";url=/" : ""}"><meta name="color-scheme" content="light dark"><title>Quarterdeck is starting</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}</style></head>
<body><h1>One moment</h1><p>${AWAY} ${next}</p></body></html>
`;
}
