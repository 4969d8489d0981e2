import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RawConnection, rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { asAppError } from "../errors/app-error.ts";
import { BODY_LIMITS, type BodyBudgets, createBodyBudgets, type SenderLimits } from "./body.ts";

let server: Server | undefined;
let budgets: BodyBudgets;
let held: { promise: Promise<void>; resolve: () => void };

beforeEach(() => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  held = { promise, resolve };
});

/** Of strangers; each request stays under way until it is told to be answered, when `holds`. */
async function reading(limits: Partial<SenderLimits>): Promise<number> {
  const stranger = { ...BODY_LIMITS.stranger, bytesMax: 1_000, deadlineMs: 5_000, bytesHeldMax: 10_000, ...limits };
  const bodies = createBodyBudgets({ ...BODY_LIMITS, stranger });
  budgets = bodies;
  const listening = createServer((request, response) => {
    const lease = bodies.lease("stranger", request.headers["x-holder"]?.toString() ?? "one");
    lease
      .read(request)
      .then(
        async (body) => {
          if (request.url === "/held") await held.promise;
          response.end(body);
        },
        (error: unknown) => {
          const { status, code } = asAppError(error);
          response.writeHead(status, { "content-length": code.length }).end(code);
        },
      )
      .finally(() => lease.release());
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return (listening.address() as AddressInfo).port; // a TCP server's address, once it listens
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function begin(
  port: number,
  length: number,
  body: string,
  { path = "/", holder = "one" } = {},
): Promise<RawConnection> {
  const connection = await rawConnection(port);
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Holder: ${holder}\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
  return connection;
}

describe("bodies", () => {
  it("arrive whole, in however many pieces", async () => {
    const connection = await begin(await reading({}), 6, "ab");
    for (const piece of ["c", "d", "ef"]) {
      await new Promise((resolve) => setImmediate(resolve));
      connection.write(piece);
    }
    expect((await connection.answer()).body).toBe("abcdef");
  });

  it("that are announced as empty are not waited for", async () => {
    expect((await (await begin(await reading({}), 0, "")).answer()).body).toBe("");
  });

  it("all together hold no more than there is room for, and make room when they are done", async () => {
    const port = await reading({ bytesHeldMax: 1_500 });
    const first = await begin(port, 1_000, "a".repeat(900));
    const second = await begin(port, 1_000, "b".repeat(900));
    const [refused, waiting] = await Promise.race([
      second.answer().then((answer) => [answer, first] as const),
      first.answer().then((answer) => [answer, second] as const),
    ]);
    expect([refused.status, refused.body]).toEqual([503, "overloaded"]);
    waiting.write("c".repeat(100));
    expect((await waiting.answer()).status).toBe(200);
    expect((await (await begin(port, 1_000, "d".repeat(1_000))).answer()).status).toBe(200);
  });

  it("are counted until their request is done with, and no longer", async () => {
    const port = await reading({ bytesHeldMax: 1_500 });
    const first = await begin(port, 900, "a".repeat(900), { path: "/held" });
    await expect.poll(() => budgets.held("stranger")).toBe(900);
    const second = await (await begin(port, 900, "b".repeat(900), { holder: "two" })).answer();
    expect([second.status, second.body]).toEqual([503, "overloaded"]);
    held.resolve();
    expect((await first.answer()).status).toBe(200);
    expect(budgets.held("stranger")).toBe(0);
    expect((await (await begin(port, 900, "c".repeat(900), { holder: "two" })).answer()).status).toBe(200);
  });

  it("of one sender leave room for the others", async () => {
    const port = await reading({ bytesHeldOfOneMax: 1_000 });
    await begin(port, 1_000, "a".repeat(800));
    await expect.poll(() => budgets.held("stranger")).toBe(800);
    const again = await (await begin(port, 300, "b".repeat(300))).answer();
    expect([again.status, again.body]).toEqual([429, "busy"]);
    expect((await (await begin(port, 1_000, "c".repeat(1_000), { holder: "two" })).answer()).status).toBe(200);
  });

  it("of one sender are so many at once, though nothing of them has come", async () => {
    const port = await reading({ bodiesOfOneMax: 2 });
    const waiting = [await begin(port, 10, ""), await begin(port, 10, "")];
    await expect.poll(async () => (await (await begin(port, 1, "x")).answer()).status).toBe(429);
    expect((await (await begin(port, 1, "x", { holder: "two" })).answer()).status).toBe(200);
    for (const connection of waiting) connection.socket.destroy();
    await expect.poll(async () => (await (await begin(port, 1, "x")).answer()).status).toBe(200);
  });

  it("that do not arrive give back what they held", async () => {
    const port = await reading({ deadlineMs: 100 });
    const slow = await begin(port, 1_000, "a".repeat(900));
    expect((await slow.answer()).body).toBe("body_too_slow");
    const gone = await begin(port, 1_000, "a".repeat(900));
    await expect.poll(() => budgets.held("stranger")).toBe(900);
    gone.socket.resetAndDestroy();
    await expect.poll(() => budgets.held("stranger")).toBe(0);
  });
});
