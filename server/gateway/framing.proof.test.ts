/**
 * Every way to frame a request, sent by hand at the public port in front of a console that counts what it sees. Whatever is
 * sent, the console sees the requests that were meant and no other, and the next visitor gets an answer of their own.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FRAMINGS, type Framing, HIDDEN, LENGTH } from "../../e2e/fixtures/framings.ts";
import { createLog } from "../platform/log.ts";
import { createBodyBudgets } from "./body.ts";
import { type Gateway, startGateway } from "./start.ts";

/** Many repetitions, in another order each time: `npm run test:long`. */
const ROUNDS = process.env.QUARTERDECK_LONG === "1" ? 40 : 1;
const VISITORS = 3;
const ANSWER_MS = 5_000;

interface Seen {
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
}

let directory: string;
let gateway: Gateway;
let console: Server;
let seen: Seen[] = [];
let broken = 0;
const bodies = createBodyBudgets();

beforeAll(async () => {
  directory = await mkdtemp("/tmp/quarterdeck-framing-");
  console = createServer(async (request, response) => {
    const entry = { request: `${request.method} ${request.url}`, headers: request.headers };
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    seen.push(body.length > 0 ? { ...entry, request: `${entry.request} ${body.length}` } : entry);
    response.end(request.url);
  });
  console.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A connection that the gateway gave up is no broken framing.
    if (error.code?.startsWith("HPE_")) broken += 1;
    socket.destroy();
  });
  console.listen(join(directory, "pages.sock"));
  await once(console, "listening");
  gateway = await startGateway({
    host: "127.0.0.1",
    port: 0,
    log: createLog("silent"),
    routes: (_request, response) => void response.end("route"),
    consoleSocket: join(directory, "pages.sock"),
    development: false,
    bodies,
  });
});
afterAll(async () => {
  await gateway.drain(100);
  console.closeAllConnections();
  console.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  seen = [];
  broken = 0;
});

/** The text as it is sent: addresses and lengths filled in. */
function filled(text: string): string {
  const host = `127.0.0.1:${gateway.port}`;
  const { length } = HIDDEN.replaceAll("@host", host);
  return text.replaceAll("@chunk", length.toString(16)).replaceAll(LENGTH, String(length)).replaceAll("@host", host);
}

/** Sends it and waits for what must come of it. Answers the statuses. */
async function attack({ sends, answers, leaves }: Framing): Promise<readonly number[]> {
  const socket = connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const done = new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no answer, only: ${JSON.stringify(text)}`)), ANSWER_MS);
    const over = () => {
      clearTimeout(limit);
      resolve();
    };
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (statuses().length >= answers.length && answers.length > 0) over();
    });
    socket.on("end", over).on("close", over).on("error", over);
  });
  await once(socket, "connect");
  for (const part of sends) {
    await new Promise((resolve) => socket.write(Buffer.from(filled(part), "latin1"), resolve));
    // A piece of its own for the reader, too.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (leaves === "finish") socket.end();
  if (leaves === "reset") socket.resetAndDestroy();
  await done;
  socket.destroy();
  return statuses();
}

let visits = 0;
/** Asks as a visitor who has nothing to do with it. Answers the path that was asked and what came back. */
async function visit(): Promise<{ path: string; answer: string }> {
  visits += 1;
  const path = `/visitor/${visits}`;
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`);
  return { path, answer: await response.text() };
}

async function hold(framing: Framing): Promise<void> {
  // A connection to the console that is kept and shared.
  const visitors = [await visit()];
  const statuses = await attack(framing);
  for (let index = 0; index < VISITORS; index += 1) visitors.push(await visit());
  for (const { path, answer } of visitors) expect(answer).toBe(path);
  const others = seen.filter(({ request }) => !request.startsWith("GET /visitor/"));
  // Requests of one connection go on side by side; only their answers have an order.
  const requests = others.map(({ request }) => request).sort();
  const wanted = framing.seen.map(filled).sort();
  if (framing.isRaced) expect(wanted.slice(0, requests.length)).toEqual(requests);
  else expect(requests).toEqual(wanted);
  expect(statuses).toEqual(framing.answers);
  expect(broken).toBe(0);
  expect(seen.length).toBe(visitors.length + others.length);
  for (const [name, value] of Object.entries(framing.headers ?? {})) {
    const found = others[0]?.headers[name];
    if (value === null) expect(found, name).toBeUndefined();
    else expect(found, name).toContain(filled(value));
  }
}

describe("at the public port", () => {
  test.each(FRAMINGS.map((framing) => [framing.name, framing] as const))("%s", async (_name, framing) => {
    await hold(framing);
  });

  test("after all of them no body is counted any more", async () => {
    await expect.poll(() => bodies.held("stranger")).toBe(0);
    expect((await visit()).answer).toBe(`/visitor/${visits}`);
  });

  test("in whatever order, and while visitors come and go", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const shuffled = FRAMINGS.map((framing) => ({ framing, at: Math.random() })).sort((a, b) => a.at - b.at);
      for (const { framing } of shuffled) {
        seen = [];
        const [, ...answers] = await Promise.all([attack(framing), visit(), visit(), visit()]);
        for (const { path, answer } of answers) expect(answer, framing.name).toBe(path);
      }
    }
    expect(broken).toBe(0);
  }, 600_000);
});
