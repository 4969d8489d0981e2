import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AddressRule, addressRule } from "./address-rule.ts";
import { PrivateAddressError } from "./guarded-lookup.ts";
import { connectGuarded } from "./guarded-socket.ts";
import { createOutgoing, type OutgoingError } from "./outgoing.ts";

let server: Server;
let answer: RequestListener;
let connections: number;
let url: (path?: string, host?: string) => URL;

beforeEach(async () => {
  connections = 0;
  answer = (_request, response) => response.end("here");
  server = createServer((request, response) => answer(request, response)).on("connection", () => {
    connections += 1;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server's address, once it listens
  url = (path = "/", host = "127.0.0.1") => new URL(`http://${host}:${port}${path}`);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const LIMITS = { bytesMax: 1_000, timeoutMs: 10_000 };
const ruleOf = (list: string) => addressRule(list, "QUARTERDECK_LIST");

async function failureOf(asked: URL, rule: AddressRule, limits = LIMITS): Promise<OutgoingError> {
  const outgoing = createOutgoing(rule, limits);
  const failure = await outgoing.send(asked).catch((error: unknown) => error);
  outgoing.close();
  return failure as OutgoingError; // what `send` rejects with; a success fails the expectations on it
}

test("a private address is not connected to unless it is listed, however it is written", async () => {
  for (const host of ["127.0.0.1", "localhost", "127.1", "0x7f.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"])
    expect([host, (await failureOf(url("/", host), ruleOf("none"))).failure]).toEqual([host, "refused"]);
  expect(connections).toBe(0);
  const outgoing = createOutgoing(ruleOf("loopback"), LIMITS);
  expect((await outgoing.send(url())).body.toString()).toBe("here");
  outgoing.close();
});

test("a name is judged by the address that is connected to, not by one it had before", async () => {
  const asked: string[] = [];
  // The name passes as a text; what it is looked up as does not.
  const rule: AddressRule = {
    ...ruleOf("none"),
    refusal: () => null,
    allowsAddress: (host, address) => {
      asked.push(`${host} ${address}`);
      return ruleOf("none").allowsAddress(host, address);
    },
  };
  const failure = await failureOf(url("/", "localhost"), rule);
  expect(failure).toMatchObject({ failure: "refused", message: expect.stringContaining("QUARTERDECK_LIST") });
  expect(asked).toContain("localhost 127.0.0.1");
  expect(connections).toBe(0);
});

test("a redirect is an answer, and nobody goes where it leads", async () => {
  const paths: (string | undefined)[] = [];
  answer = (request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: "/inside" }).end();
  };
  const outgoing = createOutgoing(ruleOf("loopback"), LIMITS);
  expect((await outgoing.send(url())).status).toBe(302);
  expect(paths).toEqual(["/"]);
  outgoing.close();
});

test("an endless answer ends at its limit, and a silent one in time", async () => {
  answer = (_request, response) => {
    const more = () => {
      while (response.write("x".repeat(500)));
      response.once("drain", more);
    };
    more();
  };
  const large = await failureOf(url(), ruleOf("loopback"));
  expect(large.failure).toBe("too_large");
  expect(large.received?.length).toBeLessThanOrEqual(LIMITS.bytesMax);
  answer = () => undefined;
  expect((await failureOf(url(), ruleOf("loopback"), { ...LIMITS, timeoutMs: 50 })).failure).toBe("timed_out");
});

test("an answer that drips is over in time too", async () => {
  answer = (_request, response) => {
    response.write("x");
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  };
  expect((await failureOf(url(), ruleOf("loopback"), { ...LIMITS, timeoutMs: 100 })).failure).toBe("timed_out");
});

test("a plain connection is held to the same rule", async () => {
  const tcp = createTcpServer((socket) => socket.on("error", () => undefined).end("220 inside\r\n"));
  await once(tcp.listen(0, "127.0.0.1"), "listening");
  const { port } = tcp.address() as AddressInfo; // a TCP server's address, once it listens
  for (const host of [
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "127.1",
    "2130706433",
    "0x7f000001",
    "::1",
    "::ffff:7f00:1",
  ])
    await expect(connectGuarded(ruleOf("none"), { host, port }, { timeoutMs: 5_000 })).rejects.toThrow(
      PrivateAddressError,
    );
  const socket = await connectGuarded(ruleOf("loopback"), { host: "localhost", port }, { timeoutMs: 5_000 });
  expect(socket.remoteAddress).toBe("127.0.0.1");
  socket.destroy();
  tcp.close();
});
