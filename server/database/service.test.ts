import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { createLog } from "../platform/log.ts";
import { startDatabase } from "./service.ts";

let external: Awaited<ReturnType<typeof emptyDatabase>>;
let dataDir: string;

beforeAll(async () => {
  external = await emptyDatabase();
  dataDir = await mkdtemp("/tmp/quarterdeck-service-");
});
afterAll(async () => {
  await external.drop();
  await rm(dataDir, { recursive: true });
});

function start(databaseUrl: string) {
  return startDatabase({ databaseUrl }, createLog("silent"), { dataDir, socketDir: dataDir });
}

test("an external PostgreSQL is migrated and used as it is", async () => {
  const running = await start(external.url);
  expect(running.url).toBe(external.url);
  expect(running.status()).toEqual({ state: "running" });
  await running.stop();
});

test.each([
  ["not an address", "localhost:5432", /must be a PostgreSQL address/],
  ["another database's address", "mysql://u:hunter2@localhost/x", /must be a PostgreSQL address/],
  ["nothing listening", "postgresql://u:hunter2@127.0.0.1:1/x", /nothing listens at 127\.0\.0\.1:1/],
  [
    "an unknown host",
    "postgresql://u:hunter2@no-such-host.invalid/x",
    /the host no-such-host\.invalid is unknown|does not answer/,
  ],
])("DATABASE_URL with %s is one sentence without its password", async (_case, url, sentence) => {
  const failure = await start(url).then(String, String);
  expect(failure).toMatch(sentence);
  expect(failure).not.toContain("hunter2");
  expect(failure).not.toContain("\n");
});

test("DATABASE_URL with a database or a user that does not exist names it", async () => {
  await expect(start(external.url.replace(/\/empty_\w+/, "/nowhere"))).rejects.toThrow(
    /has no database nowhere; create it first/,
  );
  await expect(start(external.url.replace("quarterdeck@", "stranger@"))).rejects.toThrow(
    /role "stranger" does not exist|does not accept/,
  );
});

test("a server that accepts and never answers is given up on", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  await expect(start(`postgresql://u@127.0.0.1:${port}/x`)).rejects.toThrow(/does not answer/);
  silent.close();
});

test("a replica needs the primary's address beside it, and is an address itself", async () => {
  const startWith = (databaseUrl: string | undefined, databaseReadUrl: string) =>
    startDatabase({ databaseUrl, databaseReadUrl }, createLog("silent"), { dataDir, socketDir: dataDir });
  await expect(startWith(undefined, external.url)).rejects.toThrow("set both");
  await expect(startWith(external.url, "localhost:5432")).rejects.toThrow("DATABASE_READ_URL must be");
  // One that is away is no reason not to start: pages read from the primary.
  await (await startWith(external.url, "postgresql://u@127.0.0.1:1/x")).stop();
});
