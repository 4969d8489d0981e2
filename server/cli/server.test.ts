import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ask, mutate } from "./server.ts";

const BUSY = {
  error: { json: { message: "The server has too much to do. Try again shortly.", data: { appCode: "overloaded" } } },
};
const before = { ...process.env };
let server: Server;
let busyFor = 0;
let asked = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    asked += 1;
    busyFor -= 1;
    response.writeHead(busyFor >= 0 ? 503 : 200, { "content-type": "application/json", "retry-after": "0.01" });
    response.end(JSON.stringify(busyFor >= 0 ? BUSY : { result: { data: { json: "here" } } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a server on a port
  Object.assign(process.env, { QUARTERDECK_URL: `http://127.0.0.1:${port}`, QUARTERDECK_TOKEN: "t".repeat(40) });
});
afterAll(() => {
  process.env = before;
  server.close();
});

test("a question is asked again when the server says that it is busy", async () => {
  [busyFor, asked] = [2, 0];
  expect(await ask("stats.everything", undefined, z.string())).toBe("here");
  expect(asked).toBe(3);
});

test("a change is asked for once", async () => {
  [busyFor, asked] = [1, 0];
  await expect(mutate("policies.create", {}, z.string())).rejects.toThrow("too much to do");
  expect(asked).toBe(1);
});
