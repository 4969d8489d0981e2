import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { flight, type Pool } from "./db.ts";

let db: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  db = await testDatabase();
  pool = db.database.pool;
  await db.owner.query("CREATE TABLE cargo (n integer PRIMARY KEY)");
});
afterAll(() => db?.drop());
beforeEach(() => db.owner.query("TRUNCATE cargo"));

const insert = (n: unknown) => ({ text: "INSERT INTO cargo VALUES ($1) RETURNING n", values: [n], name: "load" });
const cargo = async () => (await pool.query<{ n: number }>("SELECT n FROM cargo ORDER BY n")).rows.map((row) => row.n);

test("everything a flight sent is there when it has landed", async () => {
  const answer = await flight(pool, async (send) => {
    void send(insert(1));
    const { rows } = await send<{ n: number }>(insert(2));
    void send(insert(3));
    return rows[0]?.n;
  });
  expect([answer, await cargo()]).toEqual([2, [1, 2, 3]]);
});

test("one query that fails keeps the whole flight on the ground, and its own error is told", async () => {
  const lost = flight(pool, async (send) => {
    void send(insert(1));
    void send(insert("no number"));
    void send(insert(2));
  });
  await expect(lost).rejects.toThrow(/no number/);
  expect(await cargo()).toEqual([]);
});

test("a flight whose work throws is not committed, whatever is still under way", async () => {
  const lost = flight(pool, async (send) => {
    void send(insert(1));
    throw new Error("changed my mind");
  });
  await expect(lost).rejects.toThrow("changed my mind");
  expect(await cargo()).toEqual([]);
});

test("after failures the pool still flies, with the same prepared statements", async () => {
  for (let round = 0; round < 5; round += 1) {
    const lost = flight(pool, async (send) => {
      void send({ text: "SELECT 1/0" });
      void send(insert(round));
    });
    await expect(lost).rejects.toThrow(/division by zero/);
    await flight(pool, async (send) => void send(insert(round)));
  }
  expect(await cargo()).toEqual([0, 1, 2, 3, 4]);
});

test("flights side by side do not mix", async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const flown = numbers.map((n) => flight(pool, async (send) => (await send<{ n: number }>(insert(n))).rows[0]?.n));
  expect(await Promise.all(flown)).toEqual(numbers);
});
