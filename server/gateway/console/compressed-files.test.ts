/** Compressed files of a build over HTTP: to clients that read Brotli, and no other file of the machine. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCompressedFiles } from "./compressed-files.ts";

const SCRIPT = "export const answer = 42;\n".repeat(40);
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp("/tmp/quarterdeck-static-");
  await mkdir(join(folder, "static/chunks"), { recursive: true });
  await writeFile(join(folder, "static/chunks/a.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, "static/chunks/plain.js"), SCRIPT);
  await writeFile(join(folder, "secret.js.br"), brotliCompressSync("secret"));
  const handle = await createCompressedFiles(join(folder, "static"), (_request, response) => {
    response.statusCode = 418;
    response.end("next");
  });
  server = createServer((asked, response) => void handle(asked, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

/** Sends the path as it is written, unlike `fetch`. */
function get(path: string, encoding: string, method = "GET"): Promise<Reply> {
  const { port } = server.address() as AddressInfo; // a TCP server's
  return new Promise((done, fail) => {
    request({ port, path, method, headers: { "accept-encoding": encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: { ...response.headers }, body: Buffer.concat(parts) }),
      );
    })
      .on("error", fail)
      .end();
  });
}

it("serves the compressed script with its type, to be kept for good", async () => {
  const { status, headers, body } = await get("/_next/static/chunks/a.js", "gzip, deflate, br;q=0.9, zstd");
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "application/javascript; charset=UTF-8",
    "content-length": String(body.length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
});

it("answers HEAD without a body", async () => {
  const { status, headers, body } = await get("/_next/static/chunks/a.js", "br", "HEAD");
  expect([status, headers["content-encoding"], body.length]).toEqual([200, "br", 0]);
});

it.each([
  ["no coding", "identity"],
  ["gzip only", "gzip"],
  ["Brotli refused", "gzip, br;q=0"],
  ["Brotli refused in digits", "br;q=0.000"],
  ["a name that begins like it", "brotli"],
])("leaves the script to Next for a client with %s", async (_title, encoding) => {
  expect((await get("/_next/static/chunks/a.js", encoding)).status).toBe(418);
});

it.each([
  ["a file that was not compressed", "/_next/static/chunks/plain.js"],
  ["the compressed name itself", "/_next/static/chunks/a.js.br"],
  ["a path above the folder", "/_next/static/../secret.js"],
  ["an escaped path above the folder", "/_next/static/%2e%2e/secret.js"],
  ["a page", "/activity"],
])("leaves %s to Next", async (_title, path) => {
  expect((await get(path, "br")).status).toBe(418);
});

it("leaves a request that changes something to Next", async () => {
  expect((await get("/_next/static/chunks/a.js", "br", "POST")).status).toBe(418);
});

it("passes everything on without a build", async () => {
  const handle = await createCompressedFiles(join(folder, "absent"), (_request, response) => void response.end("next"));
  const own = createServer((asked, response) => void handle(asked, response));
  await new Promise<void>((done) => own.listen(0, "127.0.0.1", done));
  const { port } = own.address() as AddressInfo; // a TCP server's
  const response = await fetch(`http://127.0.0.1:${port}/_next/static/chunks/a.js`);
  expect(await response.text()).toBe("next");
  own.close();
});
