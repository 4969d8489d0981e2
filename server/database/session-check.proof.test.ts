import { mkdtemp, rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { startPooler } from "../../e2e/fixtures/pgbouncer.ts";
import { openDatabase } from "../platform/db.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { startDatabase } from "./service.ts";

const WORKSPACE = "00000000-0000-4000-8000-000000000001";

let external: Awaited<ReturnType<typeof emptyDatabase>>;
let dataDir: string;

beforeEach(async () => {
  external = await emptyDatabase();
  dataDir = await mkdtemp("/tmp/quarterdeck-sessions-");
});
afterEach(async () => {
  await external?.drop();
  await rm(dataDir, { recursive: true });
});

const start = (databaseUrl: string) =>
  startDatabase({ databaseUrl }, createLog("silent"), { dataDir, socketDir: dataDir });

test.each(["transaction", "statement"] as const)(
  "a pooler that lends sessions by the %s is refused, with what to do, and nothing is migrated",
  async (mode) => {
    const pooler = await startPooler(external.url, mode);
    try {
      const failure = await start(pooler.url).then(String, String);
      expect(failure).toMatch(/^StartupError: .*pool_mode = session.* connect to PostgreSQL directly\.$/);
      expect(failure).not.toContain("\n");
      const database = openDatabase(external.url, { connectionsMax: 1 });
      const { rows } = await database.pool.query("SELECT to_regclass('dispatch') AS found");
      await database.close();
      expect(rows).toEqual([{ found: null }]);
    } finally {
      await pooler.stop();
    }
  },
);

test("a pooler that keeps a session to one client is used, and every query keeps its scope", async () => {
  const pooler = await startPooler(external.url, "session");
  try {
    const running = await start(pooler.url);
    const database = openDatabase(running.url, { connectionsMax: 2 });
    const { rows } = await inWorkspace(WORKSPACE, () =>
      database.pool.query("SELECT current_setting('quarterdeck.workspace') AS scope"),
    );
    expect(rows).toEqual([{ scope: WORKSPACE }]);
    await database.close();
    await running.stop();
  } finally {
    await pooler.stop();
  }
});
