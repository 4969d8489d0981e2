import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";

let db: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

/** A service inside that greets with what nobody outside should read. */
async function bannerServer(greeting: string) {
  const server = createServer((socket) => socket.on("error", () => undefined).end(greeting));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server's address, once it listens
  return { port, close: () => server.close() };
}

test.each([
  "SSH-2.0-inside-secret\r\n",
  "554 inside-secret\r\n",
  "220 inside-secret\r\n",
  "HTTP/1.1 400 inside-secret\r\n\r\n",
])("an error of the mail server holds no word of what greeted with %j", async (greeting) => {
  const inside = await bannerServer(greeting);
  const owner = await signedIn(gateway.url, gateway.database, gateway.admin.workspaceId, "owner");
  const email = `owner-${inside.port}@example.org`;
  const { id } = (await owner.query("access.me")).value as { id: string };
  await gateway.database.pool.query("UPDATE person SET email = $2 WHERE id = $1", [id, email]);
  const mail = { host: "127.0.0.1", port: inside.port, security: "none", user: "", from: "deck@example.org" };
  expect((await owner.mutate("installation.saveMail", mail)).status).toBe(200);
  const { status, text } = await owner.mutate("installation.testMail");
  inside.close();
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain("did not accept the message");
  expect(text).not.toContain("inside-secret");
});
