import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Database, flight, openDatabase, transaction } from "./db.ts";
import { uuidv7 } from "./ids.ts";
import { eachWithin, inInstallation, inWorkspace } from "./scope.ts";

const A = uuidv7();
const B = uuidv7();
const PERSON = uuidv7();

let at: TestDatabase;
/** As a server holds it: outside of every scope there is nothing. Each pool has one connection. */
let db: Database;
beforeAll(async () => {
  at = await testDatabase();
  db = openDatabase(at.url, { connectionsMax: 1 });
  const { prisma } = at.database;
  await prisma.person.create({ data: { id: PERSON, name: "ada" } });
  for (const id of [A, B]) {
    await prisma.workspace.create({ data: { id, name: id } });
    await prisma.membership.create({ data: { workspaceId: id, personId: PERSON, role: "owner" } });
  }
});
afterAll(async () => {
  await db?.close();
  await at?.drop();
});
beforeEach(async () => {
  await at.database.prisma.policy.deleteMany();
  for (const workspaceId of [A, B])
    await at.database.prisma.policy.create({ data: { workspaceId, id: uuidv7(), name: `of ${workspaceId}` } });
});

/** Whose policies a query without any condition finds. */
const seen = async () => (await db.pool.query<{ name: string }>("SELECT name FROM policy ORDER BY name")).rows;
const of = (...ids: readonly string[]) => ids.toSorted().map((id) => ({ name: `of ${id}` }));
const insert = (workspaceId: string) =>
  db.pool.query("INSERT INTO policy (workspace_id, id, name) VALUES ($1, $2, 'new')", [workspaceId, uuidv7()]);

describe("a query that names no workspace", () => {
  test("finds the rows of its scope, of all in the installation's, and outside it fails", async () => {
    expect(await inWorkspace(A, seen)).toEqual(of(A));
    expect(await inWorkspace(B, seen)).toEqual(of(B));
    expect(await inInstallation(seen)).toEqual(of(A, B));
    await expect(seen()).rejects.toThrow(/outside of every scope/);
  });

  test("changes nothing of another workspace", async () => {
    await inWorkspace(A, () => db.pool.query("UPDATE policy SET name = 'taken'"));
    await inWorkspace(A, () => db.pool.query("DELETE FROM policy"));
    expect(await inInstallation(seen)).toEqual(of(B));
  });
});

test("nothing is put into another workspace, moved there, or written outside of every scope", async () => {
  const isRefused = { code: "42501", message: expect.stringContaining("row-level security") };
  await expect(inWorkspace(A, () => insert(B))).rejects.toMatchObject(isRefused);
  await expect(insert(A)).rejects.toThrow(/outside of every scope/);
  const move = () => db.pool.query("UPDATE policy SET workspace_id = $1", [B]);
  await expect(inWorkspace(A, move)).rejects.toMatchObject(isRefused);
  await inWorkspace(A, () => insert(A));
  expect(await inWorkspace(B, seen)).toEqual(of(B));
});

describe("two requests on one connection", () => {
  test("never see each other's rows, however they take turns", async () => {
    const asked = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? B : A));
    const answers = await Promise.all(asked.map((id) => inWorkspace(id, seen)));
    expect(answers).toEqual(asked.map((id) => of(id)));
  });

  test("keep apart in transactions and flights, also after one was rolled back", async () => {
    const failing = (id: string) =>
      inWorkspace(id, () =>
        transaction(db.pool, async (client) => {
          await client.query("SELECT name FROM policy");
          throw new Error("undone");
        }).catch(() => undefined),
      );
    const broken = (id: string) =>
      inWorkspace(id, () => transaction(db.pool, (client) => client.query("SELECT 1 / 0")).catch(() => undefined));
    const landed = (id: string) =>
      inWorkspace(id, () =>
        flight(db.pool, (send) => send<{ name: string }>({ text: "SELECT name FROM policy" })).then(({ rows }) => rows),
      );
    const answers = await Promise.all([
      failing(A),
      inWorkspace(B, seen),
      broken(B),
      inWorkspace(A, seen),
      failing(B),
      landed(A),
      broken(A),
      landed(B),
    ]);
    expect(answers.filter(Array.isArray)).toEqual([of(B), of(A), of(A), of(B)]);
  });

  test("a transaction keeps the scope it began in, past a savepoint too", async () => {
    const names = await inWorkspace(A, () =>
      transaction(db.pool, async (client) => {
        await client.query("SAVEPOINT here");
        await client.query("ROLLBACK TO SAVEPOINT here");
        return inWorkspace(B, () => client.query("SELECT name FROM policy"));
      }),
    );
    expect(names.rows).toEqual(of(A));
    expect(await inWorkspace(B, seen)).toEqual(of(B));
  });

  test("are apart through Prisma, in one tick, one by one and in transactions", async () => {
    const { prisma } = db;
    const first = (id: string) => inWorkspace(id, () => prisma.policy.findFirst({ where: { name: `of ${id}` } }));
    const many = (id: string) => inWorkspace(id, () => prisma.policy.findMany({ select: { name: true } }));
    const wide = openDatabase(at.url, { connectionsMax: 8 });
    const within = (id: string) =>
      inWorkspace(id, () =>
        wide.prisma.$transaction(async (tx) => {
          // The same question in the same tick is where Prisma gathers them.
          const found = await tx.policy.findUnique({
            where: { workspaceId_name: { workspaceId: id, name: `of ${id}` } },
          });
          return [found?.name, (await tx.policy.findMany()).length];
        }),
      );
    const [a, b] = await Promise.all([first(A), first(B)]);
    expect([a?.workspaceId, b?.workspaceId]).toEqual([A, B]);
    expect(await Promise.all([many(A), many(B), many(A)])).toEqual([of(A), of(B), of(A)]);
    try {
      expect(await Promise.all([within(A), within(B)])).toEqual([
        [`of ${A}`, 1],
        [`of ${B}`, 1],
      ]);
    } finally {
      await wide.close();
    }
  });
});

test("an answer whose scope PostgreSQL did not confirm is an error", async () => {
  const client = await db.pool.connect();
  try {
    await expect(inWorkspace("no uuid", () => client.query("SELECT name FROM policy"))).rejects.toThrow();
    // A byte that no setting can hold: what was told fails, and the query behind it would run in the scope before.
    await inWorkspace(A, () => client.query("SELECT 1"));
    await expect(inWorkspace("\u0000", () => client.query("SELECT name FROM policy"))).rejects.toThrow(/0x00/);
    expect((await inWorkspace(B, () => client.query("SELECT name FROM policy"))).rows).toEqual(of(B));
  } finally {
    client.release();
  }
});

test("a stream stays in the scope it is made in, whoever asks for its next part", async () => {
  async function* names() {
    yield await seen();
    yield await seen();
  }
  const parts: unknown[] = [];
  const enter = <T>(work: () => T) => inWorkspace(A, work);
  for await (const part of inWorkspace(B, () => eachWithin(enter, names()))) parts.push(part);
  expect(parts).toEqual([of(A), of(A)]);
});
