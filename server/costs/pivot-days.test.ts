import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { countDaysIn } from "../../e2e/fixtures/time-zone.ts";
import * as ledger from "./ledger/service.ts";
import { pivot, sumOf } from "./pivot.ts";
import type { Dimension } from "./schema.ts";

let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(() => rig.close());

const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
const pool = () => rig.db.database.pool;
const inZone = (fromDay: string, timeZone: string) => countDaysIn(pool(), owner.workspaceId, fromDay, timeZone);
async function call(at: string, cost = 1, session = "s") {
  const text = JSON.stringify({ session_id: session, model_id: "a/m", agent_name: "ada", cost });
  const record = recordOf(owner, "after_llm_call", text, { occurredAt: new Date(at) });
  await rig.recorder.record(record, false);
  return { occurredAt: record.occurredAt, id: record.id };
}
const grouped = (by: Dimension, split: Dimension | null = null, range = ALL) =>
  pivot(rig.db.database, owner.workspaceId, { ...range, by, split });
const days = async (range = ALL) =>
  (await grouped("day", null, range)).lines.map(({ name, ledger: { calls } }) => [name, calls]);

test.each([
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59.999Z"],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59.999Z"],
  ["Asia/Kolkata", "2026-10-25", "2026-10-24T18:30:00Z", "2026-10-25T18:29:59.999Z"],
  ["America/New_York", "2026-10-25", "2026-10-25T04:00:00Z", "2026-10-26T03:59:59.999Z"],
])("a day in %s has its calls: %s", async (timeZone, day, first, last) => {
  await inZone("2026-01-01", timeZone);
  const shifted = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();
  await call(shifted(first, -1));
  for (const at of [first, shifted(first, 40 * 60_000), last]) await call(at);
  await call(shifted(last, 1));
  const found = await days();
  expect(found.map(([, calls]) => calls)).toEqual([1, 3, 1]);
  expect(found[1]?.[0]).toBe(day);
  for (const by of ["model", "session"] as const) {
    const { lines } = await grouped(by, "day");
    expect(lines[0]?.parts.map(({ name, ledger: { calls } }) => [name, calls]).sort()).toEqual([...found].sort());
  }
});

test("days come to the whole, also over a change of the zone, with corrections, and where a range begins and ends within a day", async () => {
  await inZone("2026-11-10", "Europe/Berlin");
  await inZone("2026-11-18", "Asia/Kolkata");
  let first: Awaited<ReturnType<typeof call>> | undefined;
  for (let at = Date.parse("2026-11-07T00:13:00Z"); at < Date.parse("2026-11-21"); at += 47 * 60_000) {
    const made = await call(new Date(at).toISOString(), 2);
    first ??= made;
  }
  if (!first) throw new Error("no call");
  const actor = { kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" };
  const world = { db: rig.db.database, bus: rig.bus };
  await ledger.correct(world, actor, { call: first, usd: "0.5", reason: "invoice", corrects: null });
  const ranges = [ALL, { from: new Date("2026-11-09T21:17:00Z"), to: new Date("2026-11-17T18:45:00Z") }];
  for (const range of ranges) {
    const { total, lines } = await grouped("day", null, range);
    expect(sumOf(lines)).toEqual({ ...total, previous: null });
    expect(total.ledger).toEqual((await grouped("model", null, range)).total.ledger);
    const { rows } = await pool().query<{ day: string; calls: number }>(
      `SELECT quarterdeck_day_of($1, occurred_at)::text AS day, count(*)::int AS calls FROM llm_call
       WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3 GROUP BY 1 ORDER BY 1 DESC`,
      [owner.workspaceId, range.from, range.to],
    );
    expect(lines.map(({ name, ledger: { calls } }) => ({ day: name, calls }))).toEqual(rows);
  }
}, 60_000);

test("days before the first zone stay UTC's, and the last of them ends at its midnight", async () => {
  await inZone("2026-11-10", "America/New_York");
  for (const at of ["2026-11-08T23:59:00Z", "2026-11-09T00:00:00Z", "2026-11-10T04:59:00Z", "2026-11-10T05:00:00Z"])
    await call(at);
  expect(await days()).toEqual([
    ["2026-11-10", 1],
    ["2026-11-09", 2],
    ["2026-11-08", 1],
  ]);
});
