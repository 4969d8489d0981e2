import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../platform/log.ts";
import { type Gateway, startGateway } from "./start.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let directory: string;
let gateway: Gateway;
let pages: Server | undefined;
let routes: Handler;

beforeEach(async () => {
  directory = await mkdtemp("/tmp/quarterdeck-forwarder-");
  routes = (_request, response) => response.end("route");
  gateway = await startGateway({
    host: "127.0.0.1",
    port: 0,
    log: createLog("silent"),
    routes: (incoming, outgoing) => routes(incoming, outgoing),
    consoleSocket: join(directory, "pages.sock"),
    development: true,
  });
});

afterEach(async () => {
  await gateway.drain(100);
  pages?.closeAllConnections();
  pages?.close();
  pages = undefined;
  await rm(directory, { recursive: true });
});

async function servePages(handler: Handler): Promise<Server> {
  pages = createServer(handler).listen(join(directory, "pages.sock"));
  await once(pages, "listening");
  return pages;
}

const at = (path: string) => `http://127.0.0.1:${gateway.port}${path}`;

test.each(["/api/v1/x", "/api", "/healthz", "/readyz", "/metrics", "/metrics?x=1"])("%s is ours", async (path) => {
  await servePages((_request, response) => response.end("page"));
  expect(await (await fetch(at(path))).text()).toBe("route");
});

test.each(["/", "/apiary", "/policies?q=/api/", "/healthzz"])("%s is a page", async (path) => {
  await servePages((incoming, response) => response.end(`page ${incoming.url}`));
  expect(await (await fetch(at(path))).text()).toBe(`page ${path}`);
});

test("a request reaches the pages whole, without what was meant for one connection", async () => {
  await servePages((incoming, response) => {
    const { method, headers } = incoming;
    void text(incoming).then((body) => response.end(JSON.stringify({ method, headers, body })));
  });
  const asked = request(at("/form"), {
    method: "POST",
    headers: { connection: "keep-alive, x-secret-hop", "x-secret-hop": "1", "x-kept": "2" },
  });
  asked.write("half ");
  asked.end("and half");
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const seen = JSON.parse(await text(answer)) as { method: string; body: string; headers: Record<string, string> };
  expect(seen).toMatchObject({
    method: "POST",
    body: "half and half",
    headers: { "x-kept": "2", "x-forwarded-for": "127.0.0.1" },
  });
  expect(seen.headers["x-secret-hop"]).toBeUndefined();
  expect(seen.headers.host).toBe(`127.0.0.1:${gateway.port}`);
});

test("an answer streams: its first event arrives while the second does not exist yet", async () => {
  let finish: () => void = () => undefined;
  await servePages((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    finish = () => response.end("data: 2\n\n");
  });
  const answer = await fetch(at("/stream"));
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("data: 1\n\n");
  finish();
  expect((await reader?.read())?.value).toBe("data: 2\n\n");
});

test("a browser that leaves ends the work behind it", async () => {
  const left = new Promise<void>((resolve) => {
    void servePages((_request, response) => {
      response.on("close", resolve);
      response.write("forever");
    });
  });
  const leave = new AbortController();
  await fetch(at("/stream"), { signal: leave.signal });
  leave.abort();
  await left;
});

test("pages that die half way leave a broken answer, not a short one that looks whole", async () => {
  await servePages((_request, response) => {
    response.write("half");
    setImmediate(() => response.destroy());
  });
  await expect(fetch(at("/page")).then((answer) => answer.text())).rejects.toThrow();
});

test("while the pages are away a browser reads why, a program gets JSON, and the routes go on", async () => {
  const page = await fetch(at("/"), { headers: { accept: "text/html" } });
  expect(page.status).toBe(503);
  expect(page.headers.get("retry-after")).toBe("2");
  expect(await page.text()).toContain("The console's pages are restarting");
  const json = await fetch(at("/"));
  expect(((await json.json()) as { error: { code: string } }).error.code).toBe("pages_away");
  expect(await (await fetch(at("/healthz"))).text()).toBe("route");
});

test("a page that stays away is asked for twice, ever more slowly, and then the overview in its place", async () => {
  let cookie = "";
  const waits: string[] = [];
  for (let tried = 0; tried < 6; tried += 1) {
    const page = await fetch(at("/agents/1"), { headers: { accept: "text/html", cookie: `a=1; ${cookie}` } });
    cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
    waits.push(/http-equiv="refresh" content="([^"]+)"/.exec(await page.text())?.[1] ?? "");
  }
  expect(waits).toEqual(["2", "4", "8;url=/", "16;url=/", "30;url=/", "30;url=/"]);
});

test("a former address is redirected before the pages are asked, and only when it is read", async () => {
  await servePages((incoming, response) => response.end(`page ${incoming.url}`));
  const asked = (path: string, method = "GET") => fetch(at(path), { method, redirect: "manual" });
  const moved = await asked("/decisions?view=rules&range=7d");
  expect([moved.status, moved.headers.get("location")]).toEqual([308, "/policies/performance?range=7d"]);
  expect(moved.headers.get("content-security-policy")).not.toBeNull();
  expect((await asked("/halts", "HEAD")).status).toBe(308);
  expect(await (await asked("/halts", "POST")).text()).toBe("page /halts");
  expect(await (await fetch(at("/costs?view=calls"))).text()).toBe("page /spend?view=calls");
});

test("an upgrade is passed on both ways", async () => {
  const server = await servePages(() => undefined);
  server.on("upgrade", (_request, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.pipe(socket);
  });
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write("GET /_next/hmr HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  const [head] = (await once(socket, "data")) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /);
  socket.write("echo");
  const [echo] = (await once(socket, "data")) as [Buffer];
  expect(echo.toString()).toBe("echo");
  socket.destroy();
});

test("an upgrade to anything but a page's WebSocket, or under another name, is refused", async () => {
  await servePages(() => undefined);
  for (const [path, host] of [
    ["/api/v1/policy", "localhost"],
    ["/_next/hmr", "evil.example"],
  ]) {
    const socket = connect(gateway.port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
  }
});

test("a connection that the pages closed while it was idle costs nobody an answer", async () => {
  const server = await servePages((_request, response) => response.end("page"));
  for (let round = 0; round < 20; round += 1) {
    expect(await (await fetch(at("/"))).text()).toBe("page");
    server.closeIdleConnections();
  }
});

test("a client that closes its connection is not kept waiting on it", async () => {
  await servePages((_request, response) => response.end("page"));
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toContain("page");
});

test("a page's policy lets no inline script run but by its nonce", async () => {
  await servePages((_request, response) => response.end("page"));
  const policy = (await fetch(at("/"))).headers.get("content-security-policy") ?? "";
  const scripts = policy.split("; ").find((rule) => rule.startsWith("script-src")) ?? "";
  expect(scripts).toMatch(/^script-src 'self' 'nonce-[\w-]{22}'/);
  expect(scripts).not.toContain("unsafe-inline");
  expect(policy).toContain("default-src 'self'");
});

test("every answer carries the security headers, ours and the pages'", async () => {
  await servePages((_request, response) => response.end("page"));
  for (const path of ["/", "/api/x"]) {
    const { headers } = await fetch(at(path));
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
});

test("a page is given its path without the query, which a client cannot choose", async () => {
  await servePages(({ headers }, response) => response.end(String(headers["x-page-path"])));
  const answer = await fetch(at("/docs/halts?q=1"), { headers: { "x-page-path": "/agents" } });
  expect(await answer.text()).toBe("/docs/halts");
});

test("a page's inline scripts run by a nonce of their own, which a client cannot choose", async () => {
  const told: { policy: unknown; nonce: unknown }[] = [];
  await servePages(({ headers }, response) => {
    told.push({ policy: headers["content-security-policy"], nonce: headers["x-nonce"] });
    response.end("page");
  });
  const chosen = { "content-security-policy": "script-src 'nonce-chosen'", "x-nonce": "chosen" };
  const first = await fetch(at("/"), { headers: chosen });
  const second = await fetch(at("/"));
  const policies = [first, second].map(({ headers }) => headers.get("content-security-policy"));
  expect(told.map(({ policy }) => policy)).toEqual(policies);
  expect(new Set(told.map(({ nonce }) => nonce)).size).toBe(2);
  for (const [index, policy] of policies.entries()) {
    expect(policy).toContain(`script-src 'self' 'nonce-${told[index]?.nonce}'`);
    expect(policy).not.toContain("chosen");
  }
});

test("an answer that is no page may do nothing in a browser", async () => {
  const { headers } = await fetch(at("/api/x"));
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
});

test("a route's bug is a plain 500, and the next request is served", async () => {
  routes = () => {
    throw new Error("a bug");
  };
  const failed = await fetch(at("/api/x"));
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain("a bug");
  routes = (_request, response) => response.end("fine");
  expect(await (await fetch(at("/api/x"))).text()).toBe("fine");
});

test("what is not HTTP is refused in JSON", async () => {
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write("HELO there\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ error: { code: "bad_request" } });
});

test("headers above the limit are refused by name", async () => {
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write(`GET /api/x HTTP/1.1\r\nHost: x\r\nX-Big: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
});

test("a connection that asks without reading is cut, and queues nothing more for the pages", async () => {
  let asked = 0;
  await servePages(() => {
    asked += 1;
  });
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write("GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5_000));
  socket.resume();
  await new Promise<void>((resolve) => socket.on("error", () => undefined).on("close", () => resolve()));
  expect(asked).toBeLessThanOrEqual(64);
});

test("a drain lets a request finish and takes no new one", async () => {
  let finish: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    routes = (_request, response) => {
      finish = () => response.end("finished");
      resolve();
    };
  });
  const slow = fetch(at("/api/slow")).then((answer) => answer.text());
  await arrived;
  const drained = gateway.drain(5_000);
  await expect(fetch(at("/api/new"))).rejects.toThrow();
  finish();
  expect(await slow).toBe("finished");
  await drained;
});

test("a drain does not wait for connections that ask nothing", async () => {
  const idle = connect(gateway.port, "127.0.0.1");
  await once(idle, "connect");
  await fetch(at("/api/x")); // leaves its connection open for a next request
  const closed = once(idle, "close");
  await gateway.drain(60_000);
  await closed;
});

test("a drain cuts off what does not end", async () => {
  routes = (_request, response) => {
    response.write("forever");
  };
  const answer = await fetch(at("/api/stream"));
  await gateway.drain(50);
  await expect(answer.text()).rejects.toThrow();
});
