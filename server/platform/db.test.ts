import { getPriority } from "node:os";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { asAppError } from "../errors/app-error.ts";
import { openDatabase, transaction } from "./db.ts";
import { inInstallation } from "./scope.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await db.owner.query("CREATE TABLE note (text text)");
});
afterAll(() => db.drop());
beforeEach(() => db.owner.query("TRUNCATE note"));

async function notes(): Promise<number> {
  const { rows } = await db.database.pool.query<{ count: number }>("SELECT count(*)::int AS count FROM note");
  return rows[0]?.count ?? -1;
}

test("a test database is migrated and Prisma reaches it", async () => {
  expect(await db.database.prisma.workspace.count()).toBe(0);
});

test("what a transaction wrote before an error is not kept", async () => {
  const work = transaction(db.database.pool, async (client) => {
    await client.query("INSERT INTO note VALUES ('lost')");
    throw new Error("changed my mind");
  });
  await expect(work).rejects.toThrow("changed my mind");
  expect(await notes()).toBe(0);
});

test("a committed transaction is kept and hands back its result", async () => {
  expect(
    await transaction(
      db.database.pool,
      async (client) => (await client.query("INSERT INTO note VALUES ('kept')")).rowCount,
    ),
  ).toBe(1);
  expect(await notes()).toBe(1);
});

test("a connection that dies inside a transaction is an error, and the pool goes on", async () => {
  const work = transaction(db.database.pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await db.database.pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await client.query("INSERT INTO note VALUES ('too late')");
  });
  await expect(work).rejects.toThrow();
  expect(await notes()).toBe(0);
});

test("a frozen PostgreSQL becomes an error, for Prisma and for the pool, and thawed it serves again", async () => {
  const frozen = openDatabase(db.url, { connectionsMax: 1 });
  const pids = [
    (await frozen.pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows,
    await frozen.prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`,
  ].flatMap((rows) => rows.map((row) => row.pid));
  const startedAt = performance.now();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  const results = await Promise.allSettled([frozen.pool.query("SELECT 1"), frozen.prisma.workspace.count()]);
  const tookMs = performance.now() - startedAt;
  for (const pid of pids) process.kill(pid, "SIGCONT");
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  expect(tookMs).toBeLessThan(7_000);
  expect(await frozen.prisma.workspace.count()).toBe(0);
  await frozen.close();
});

test("beyond so many that wait for a connection, whoever asks is refused at once, and those who wait are served", async () => {
  const narrow = openDatabase(db.url, { connectionsMax: 2, waitingMax: 3 });
  const held = await Promise.all([narrow.pool.connect(), narrow.pool.connect()]);
  const waiting = Array.from({ length: 3 }, () => narrow.pool.query("SELECT 1 AS one"));
  const refused = await narrow.pool.query("SELECT 1").catch((error: unknown) => asAppError(error).code);
  expect(refused).toBe("database_busy");
  await expect(narrow.pool.connect()).rejects.toThrow("3 wait for a connection");
  for (const client of held) client.release();
  for (const { rows } of await Promise.all(waiting)) expect(rows).toEqual([{ one: 1 }]);
  await narrow.close();
});

test("PostgreSQL works for connections of a lower priority behind the others", async () => {
  const behind = openDatabase(db.url, { backendPriority: 7 });
  const sql = "SELECT pg_backend_pid() AS pid";
  const { rows } = await behind.pool.query<{ pid: number }>(sql);
  const prisma = await inInstallation(() => behind.prisma.$queryRawUnsafe<{ pid: number }[]>(sql));
  const { rows: usual } = await db.database.pool.query<{ pid: number }>(sql);
  const [own, through, other] = [rows, prisma, usual].map(([row]) => getPriority(row?.pid));
  expect([own, through]).toEqual([7, 7]);
  expect(other).toBe(getPriority());
  await behind.close();
});
