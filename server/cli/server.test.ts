import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";

const says = "The server is overloaded. Try again shortly.";
const busy = { error: { json: { message: says, data: { appCode: "overloaded" } } } };
const keys = { result: { data: { json: [{ id: "k", publicKey: "a public key\n" }] } } };
let server: Server;
let busyFor = 0;
let asked = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    asked += 1;
    busyFor -= 1;
    response.writeHead(busyFor >= 0 ? 503 : 200, { "content-type": "application/json", "retry-after": "0.01" });
    response.end(JSON.stringify(busyFor >= 0 ? busy : keys));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
});

function run(...args: string[]) {
  const { port } = server.address() as AddressInfo; // of a server on a port
  const env = { QUARTERDECK_URL: `http://127.0.0.1:${port}`, QUARTERDECK_TOKEN: "t".repeat(40) };
  return quarterdeck(args, tmpdir(), env);
}

test("a question is asked again when the server says that it is busy", async () => {
  [busyFor, asked] = [2, 0];
  expect(await run("audit", "keys")).toMatchObject({ code: 0, stdout: "a public key\n" });
  expect(asked).toBe(3);
});

test("a change is asked for once", async () => {
  [busyFor, asked] = [1, 0];
  expect(await run("key", "create", "--agent", "a")).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
  expect(asked).toBe(1);
});
