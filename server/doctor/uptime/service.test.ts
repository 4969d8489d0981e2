import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { createLog } from "../../platform/log.ts";
import { downtime, startUptime } from "./service.ts";

let db: TestDatabase;
beforeEach(async () => {
  db = await testDatabase();
});
afterEach(() => db.drop());

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const ran = (from: number, to: number) =>
  db.owner.query("INSERT INTO uptime VALUES ($1, $2, $3)", [randomUUID(), at(from), at(to)]);

it("is what lies between the processes that ran, whatever overlaps, and never before the first of them", async () => {
  await ran(10, 60);
  await ran(20, 30); // within the first
  await ran(50, 90);
  await ran(120, 150);
  await ran(150, 160); // a restart
  const between = (from: number, to: number) => downtime(db.database, { from: at(from), to: at(to) });
  expect(await between(0, 200)).toEqual([{ from: at(90), to: at(120) }]);
  expect(await between(100, 110)).toEqual([{ from: at(100), to: at(110) }]);
  expect(await between(0, 90)).toEqual([]);
});

it("ends when a process starts, and begins when it stops", async () => {
  await ran(10, 160);
  const uptime = startUptime({ pool: db.database.pool, log: createLog("silent") });
  await uptime.stop();
  const { rows } = await db.owner.query<{ started_at: Date; last_at: Date }>(
    "SELECT started_at, last_at FROM uptime WHERE started_at > $1",
    [at(1_000)],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.last_at.getTime()).toBeGreaterThanOrEqual(rows[0]?.started_at.getTime() ?? Number.POSITIVE_INFINITY);
  const [newest] = await downtime(db.database, { from: at(0), to: new Date(Date.now() + 60_000) });
  expect(newest).toEqual({ from: at(160), to: rows[0]?.started_at });
});
