import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Node, sharedSecrets, startNode } from "../../e2e/fixtures/nodes.ts";
import { rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { ensureFirstRun } from "../people/index.ts";

const CONNECTIONS = 12;

let db: TestDatabase;
let node: Node;

beforeAll(async () => {
  db = await testDatabase();
  await ensureFirstRun(db.database);
  node = await startNode(db.url, sharedSecrets(), 2);
}, 300_000);
afterAll(async () => {
  await node?.stop();
  await db?.drop();
}, 60_000);

it("a connection that was handed to a gateway process that dies is closed or answered within a second", async () => {
  const [frozen = 0, ...others] = node.processesOf("gateway");
  expect(others).toHaveLength(1);
  process.kill(frozen, "SIGSTOP");
  const port = Number(new URL(node.url).port);
  let over = 0;
  let answered = 0;
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const connection = await rawConnection(port);
    connection.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    connection.answer().then(
      () => {
        answered += 1;
      },
      () => undefined,
    );
    void connection.closed.then(() => {
      over += 1;
    });
  }
  // The other one answers what comes to it; what the frozen one was handed waits.
  await expect.poll(() => answered).toBe(CONNECTIONS - 1);
  await expect.poll(() => over).toBe(CONNECTIONS - 1);
  process.kill(frozen, "SIGKILL");
  await expect.poll(() => over).toBe(CONNECTIONS);
});
