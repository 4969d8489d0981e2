import { once } from "node:events";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { StartupError } from "../platform/env.ts";
import { createLog } from "../platform/log.ts";
import { checkPort } from "./check-port.ts";
import { startGateway } from "./start.ts";

test("a taken port is one sentence with its number", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const address = squatter.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const failure: unknown = await checkPort({ host: "127.0.0.1", port }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect(String(failure)).toContain(`Port ${port} on 127.0.0.1 is taken`);
  squatter.close();
});

test("a HOST that is not this machine is said to be so", async () => {
  await expect(checkPort({ host: "192.0.2.1", port: 0 })).rejects.toThrow(/not an address of this machine/);
});

test.each([
  ["headers", "POST /api/x HTTP/1.1\r\nHost: localhost\r\n"],
  ["a body", "POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"],
])("%s that never finish arriving end in 408", async (_part, sent) => {
  const gateway = await startGateway({
    host: "127.0.0.1",
    port: 0,
    log: createLog("silent"),
    routes: (request, response) => {
      request.on("end", () => response.end()).resume();
    },
    consoleSocket: "/nowhere",
    development: false,
    requestMs: 150,
  });
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write(sent);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"code":"body_too_slow"');
  await gateway.drain(100);
});
