import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Database, openDatabase } from "../platform/db.ts";
import { INSTALLATION } from "../platform/scope.ts";
import { asAppError } from "./app-error.ts";

let db: TestDatabase;
let narrow: Database;

beforeAll(async () => {
  db = await testDatabase();
  narrow = openDatabase(db.url, { connectionsMax: 2, outside: INSTALLATION });
});
afterAll(async () => {
  await narrow?.close();
  await db?.drop();
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => asAppError(error).code,
  );

describe("a database that is there", () => {
  it("and ends a statement for its time is not away", async () => {
    const client = await narrow.pool.connect();
    try {
      await client.query("SET statement_timeout = 50");
      expect(await codeOf(client.query("SELECT pg_sleep(10)"))).toBe("query_too_slow");
    } finally {
      client.release(true);
    }
    const slow = narrow.prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe("SET LOCAL statement_timeout = 50");
      await tx.$queryRawUnsafe("SELECT pg_sleep(10)");
    });
    expect(await codeOf(slow)).toBe("query_too_slow");
  });

  it("and does not get a lock in time is busy", async () => {
    const [holder, waiter] = await Promise.all([narrow.pool.connect(), narrow.pool.connect()]);
    try {
      await holder.query("BEGIN; LOCK TABLE agent");
      await waiter.query("SET lock_timeout = 50");
      expect(await codeOf(waiter.query("SELECT 1 FROM agent"))).toBe("database_busy");
    } finally {
      holder.release(true);
      waiter.release(true);
    }
  });

  it("and does not come to a transaction's end in time is busy", async () => {
    const slow = narrow.prisma.$transaction(
      async (tx) => {
        await tx.$queryRawUnsafe("SELECT pg_sleep(0.1)::text");
        await tx.$queryRawUnsafe("SELECT 1");
      },
      { timeout: 50 },
    );
    expect(await codeOf(slow)).toBe("database_busy");
  });

  it("and takes no writes any more, because another server is the primary now, is away", async () => {
    const client = await narrow.pool.connect();
    try {
      await client.query("SET default_transaction_read_only = on");
      expect(await codeOf(client.query("CREATE TABLE late ()"))).toBe("database_away");
    } finally {
      client.release(true);
    }
    const written = narrow.prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe("SET TRANSACTION READ ONLY");
      await tx.$executeRawUnsafe("CREATE TABLE late ()");
    });
    expect(await codeOf(written)).toBe("database_away");
  });

  it("and has no connection left is busy, whoever asks", async () => {
    const [one, two] = await Promise.all([narrow.pool.connect(), narrow.pool.connect()]);
    // Prisma's own pool is half as wide. It asks nothing before somebody waits for it.
    const sleeping = narrow.prisma.$queryRawUnsafe("SELECT pg_sleep(4.8)::text").then(() => undefined);
    const codes = await Promise.all([
      codeOf(narrow.pool.query("SELECT 1")),
      codeOf(narrow.prisma.$queryRawUnsafe("SELECT 1")),
      codeOf(narrow.prisma.$transaction((tx) => tx.$queryRawUnsafe("SELECT 1"), { maxWait: 50 })),
    ]);
    expect(codes).toEqual(["database_busy", "database_busy", "database_busy"]);
    await sleeping;
    one.release();
    two.release();
  });
});

describe("a database that is not there", () => {
  it("is away, whoever asks", async () => {
    const nowhere = openDatabase("postgresql://nobody@127.0.0.1:1/none", { outside: INSTALLATION });
    const asked = [nowhere.pool.query("SELECT 1"), nowhere.prisma.$queryRawUnsafe("SELECT 1")];
    expect(await Promise.all(asked.map(codeOf))).toEqual(["database_away", "database_away"]);
    await nowhere.close();
  });

  it("and holds a socket whose queue is full is away", async () => {
    const folder = mkdtempSync(join(tmpdir(), "full-"));
    const listen = `require("net").createServer().listen({path: process.argv[1], backlog: 1}, () => console.log("on"))`;
    const stopped = spawn(process.execPath, ["-e", listen, join(folder, ".s.PGSQL.5432")]);
    await once(stopped.stdout, "data");
    stopped.kill("SIGSTOP");
    const full = openDatabase(`postgresql:///none?host=${folder}&user=nobody`, { outside: INSTALLATION });
    try {
      const asked = Array.from({ length: 8 }, () => codeOf(full.pool.query("SELECT 1")));
      expect(await Promise.race(asked)).toBe("database_away");
      stopped.kill("SIGKILL");
      expect(new Set(await Promise.all(asked))).toEqual(new Set(["database_away"]));
    } finally {
      stopped.kill("SIGKILL");
      await full.close();
      rmSync(folder, { recursive: true });
    }
  });
});

it("an error of our own is no database's", () => {
  expect(asAppError(new Error("x")).code).toBe("internal");
  expect(asAppError("x").code).toBe("internal");
  expect(asAppError(null).code).toBe("internal");
});
