import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type RawConnection, rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { asAppError } from "../errors/app-error.ts";
import { type BodyLimits, createBodyReader } from "./body.ts";

let server: Server | undefined;

async function reading(limits: Partial<BodyLimits>): Promise<number> {
  const bodies = createBodyReader({ bytesMax: 1_000, deadlineMs: 5_000, bytesHeldMax: 10_000, ...limits });
  const listening = createServer((request, response) => {
    bodies.read(request).then(
      (body) => response.end(body),
      (error: unknown) => {
        const { status, code } = asAppError(error);
        response.writeHead(status, { "content-length": code.length }).end(code);
      },
    );
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return (listening.address() as AddressInfo).port; // a TCP server's address, once it listens
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function begin(port: number, length: number, body: string): Promise<RawConnection> {
  const connection = await rawConnection(port);
  connection.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`);
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
});
