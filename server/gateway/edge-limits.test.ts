/** The bounds on what one client holds open, at a running server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type RawConnection, rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { STREAM_LIMITS } from "../access/streams.ts";
import { BODY_LIMITS, divideBodyLimits } from "./body.ts";
import { UNPROVEN_OF_ONE_MAX } from "./connection-limit.ts";

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

describe("streams of changes", () => {
  async function listen(path = "events.changes") {
    const ending = new AbortController();
    const response = await fetch(`${server.url}/api/trpc/${path}?input=${encodeURIComponent('{"json":{}}')}`, {
      headers: { authorization: `Bearer ${server.secrets.adminToken}`, accept: "text/event-stream" },
      signal: ending.signal,
    });
    return { status: response.status, text: () => response.text(), close: () => ending.abort() };
  }

  it("are as many as a session may have; one more is refused in words, until one is closed", async () => {
    const open = await Promise.all(Array.from({ length: STREAM_LIMITS.ofSessionMax }, () => listen()));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await listen();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("This session has 32 streams open already");
    // Escaped.
    expect((await listen("events%2Echange%73")).status).toBe(429);
    open.pop()?.close();
    const next = async () => {
      const tried = await listen();
      if (tried.status === 200) open.push(tried);
      return tried.status;
    };
    await expect.poll(next).toBe(200);
    expect(await next()).toBe(429);
    for (const { close } of open) close();
    await expect.poll(next).toBe(200);
    for (const { close } of open) close();
  }, 60_000);
});

describe("connections of one address that showed no credentials", () => {
  /** Whoever else asked one would be turned away meanwhile. */
  let server: TestGateway;
  beforeAll(async () => {
    server = await testGateway(db.url);
  });
  afterAll(() => server?.stop());

  const ask = (connection: RawConnection, path: string, headers = "") =>
    connection.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${headers}\r\n`);

  it("are as many as it may have; those that showed some do not count, and a place that was left is free", async () => {
    const open: RawConnection[] = [];
    try {
      for (let index = 0; index < UNPROVEN_OF_ONE_MAX; index += 1) open.push(await rawConnection(server.port));
      const [first, second] = open;
      if (!first || !second) throw new Error("no connection was opened");
      const tooMany = await rawConnection(server.port);
      ask(tooMany, "/healthz");
      await tooMany.closed;
      await expect(tooMany.answer()).rejects.toThrow();
      // Those that are in are answered; one that shows a key makes room for another.
      ask(second, "/healthz");
      expect((await second.answer()).status).toBe(200);
      const key = await server.agent("proven");
      ask(first, "/api/v1/policy", `Authorization: Bearer ${key}\r\n`);
      expect((await first.answer()).status).toBe(200);
      const next = await rawConnection(server.port);
      open.push(next);
      ask(next, "/healthz");
      expect((await next.answer()).status).toBe(200);
      const again = await rawConnection(server.port);
      ask(again, "/healthz");
      await again.closed;
      second.socket.destroy();
      const answered = async () => {
        const tried = await rawConnection(server.port);
        open.push(tried);
        ask(tried, "/healthz");
        return tried.answer().then(
          ({ status }) => status,
          () => "closed",
        );
      };
      await expect.poll(answered).toBe(200);
    } finally {
      for (const { socket } of open) socket.destroy();
    }
  }, 120_000);
});

it("one of several processes has its part of what bodies may hold, and room for one whole body", () => {
  const { agent, stranger } = divideBodyLimits(BODY_LIMITS, 4);
  expect(agent).toMatchObject({ bytesHeldMax: BODY_LIMITS.agent.bytesHeldMax / 4, bodiesOfOneMax: 256 });
  expect(agent.bytesMax).toBe(BODY_LIMITS.agent.bytesMax);
  expect(stranger.bodiesOfOneMax).toBe(8);
  expect(divideBodyLimits(BODY_LIMITS, 1_000).agent.bytesHeldOfOneMax).toBe(BODY_LIMITS.agent.bytesMax);
});
