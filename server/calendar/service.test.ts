import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig } from "../../e2e/fixtures/recording-rig.ts";
import { countDaysIn } from "../../e2e/fixtures/time-zone.ts";
import { listDayStarts } from "./repository.ts";
import { TIME_ZONES } from "./schema.ts";
import * as calendar from "./service.ts";

const HOUR = 3_600_000;
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(() => rig.close());

const pool = () => rig.db.database.pool;
const startsOf = async (...days: string[]) =>
  (await listDayStarts(pool(), owner.workspaceId, days)).map(({ starts_at }) => starts_at);
const dayOf = async (at: Date | string) =>
  (await pool().query<{ day: string }>("SELECT quarterdeck_day_of($1, $2)::text AS day", [owner.workspaceId, at]))
    .rows[0]?.day;

describe("a day", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25],
    ["Asia/Kolkata", "2026-03-29", "2026-03-28T18:30:00Z", 24],
    ["Pacific/Kiritimati", "2026-03-29", "2026-03-28T10:00:00Z", 24],
    ["Pacific/Pago_Pago", "2026-03-29", "2026-03-29T11:00:00Z", 24],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5],
    // Clocks skip its midnight.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", 23],
    // It has two midnights, of which the first counts.
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", 25],
  ])("in %s, %s begins at %s and has %d hours", async (timeZone, day, at, hours) => {
    await countDaysIn(pool(), owner.workspaceId, "2026-01-01", timeZone);
    const next = new Date(Date.parse(day) + 24 * HOUR).toISOString().slice(0, 10);
    const [start, end] = await startsOf(day, next);
    expect(start).toEqual(new Date(at));
    expect(Number(end) - Number(start)).toBe(hours * HOUR);
  });

  test("holds its first instant and none before it, in every zone, in the months in which clocks change", async () => {
    for (let at = 0; at < TIME_ZONES.length; at += 60) {
      const { rows } = await pool().query(
        `SELECT zone, day FROM unnest($1::text[]) AS zone
           CROSS JOIN (SELECT date '2026-03-01' + n FROM generate_series(0, 61) AS n
             UNION ALL SELECT date '2026-08-30' + n FROM generate_series(0, 66) AS n) AS one (day)
           CROSS JOIN LATERAL (SELECT quarterdeck_midnight(zone, day) AS at OFFSET 0) AS start
         WHERE (at AT TIME ZONE zone)::date <> day OR ((at - interval '1 millisecond') AT TIME ZONE zone)::date >= day`,
        [TIME_ZONES.slice(at, at + 60)],
      );
      expect(rows).toEqual([]);
    }
  });

  test("is UTC's in a workspace that never chose", async () => {
    expect(await startsOf("2026-11-23")).toEqual([new Date("2026-11-23T00:00:00Z")]);
    const { timeZone, next } = await calendar.view(rig.db.database, owner.workspaceId, new Date());
    expect({ timeZone, next }).toEqual({ timeZone: "UTC", next: null });
  });
});

describe("a change of the zone", () => {
  const world = () => ({ db: rig.db.database, bus: rig.bus });
  const somebody = () => ({ kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" });
  const set = (timeZone: string, now: string) => calendar.setTimeZone(world(), somebody(), { timeZone }, new Date(now));
  const view = (now: string) => calendar.view(rig.db.database, owner.workspaceId, new Date(now));
  const entries = async () =>
    (
      await pool().query<{ body: string }>(
        "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'time_zone_set' ORDER BY seq",
        [owner.workspaceId],
      )
    ).rows.map(({ body }) => JSON.parse(body) as object); // an entry

  test("takes effect with the next day; the day under way ends then, and is in the record", async () => {
    await set("Europe/Berlin", "2027-05-05T12:00:00Z");
    expect((await view("2027-05-05T12:01:00Z")).next).toMatchObject({ timeZone: "Europe/Berlin", setBy: "ada" });
    const [under, next, after] = await startsOf("2027-05-05", "2027-05-06", "2027-05-07");
    expect(under).toEqual(new Date("2027-05-05T00:00:00Z"));
    expect(next).toEqual(new Date("2027-05-05T22:00:00Z"));
    expect(after).toEqual(new Date("2027-05-06T22:00:00Z"));
    expect(await dayOf("2027-05-05T21:59:59Z")).toBe("2027-05-05");
    expect(await dayOf("2027-05-05T22:00:00Z")).toBe("2027-05-06");
    expect(await entries()).toEqual([
      expect.objectContaining({ timeZone: "Europe/Berlin", before: "UTC", fromDay: "2027-05-06" }),
    ]);
    const { day, month } = await calendar.periodsAt(pool(), owner.workspaceId, new Date("2027-05-05T23:00:00Z"));
    expect(day).toMatchObject({ first: "2027-05-06", last: "2027-05-06", timeZone: "Europe/Berlin" });
    expect(month).toMatchObject({ first: "2027-05-01", last: "2027-05-31", timeZone: "UTC" });
    expect([month.from, month.to].map((at) => at.toISOString())).toEqual([
      "2027-05-01T00:00:00.000Z",
      "2027-05-31T22:00:00.000Z",
    ]);
  });

  test("takes the place of one that has not taken effect, and can be taken back", async () => {
    await set("Europe/Berlin", "2027-05-05T12:00:00Z");
    await set("Asia/Kolkata", "2027-05-05T13:00:00Z");
    expect((await view("2027-05-05T13:00:00Z")).zones.map(({ timeZone }) => timeZone)).toEqual(["UTC", "Asia/Kolkata"]);
    await set("UTC", "2027-05-05T14:00:00Z");
    expect(await view("2027-05-05T14:00:00Z")).toMatchObject({ timeZone: "UTC", next: null, zones: [{}] });
    await set("UTC", "2027-05-05T15:00:00Z");
    expect(await entries()).toMatchObject([
      { timeZone: "Europe/Berlin", fromDay: "2027-05-06" },
      { timeZone: "Asia/Kolkata", fromDay: "2027-05-06" },
      { timeZone: "UTC", before: "UTC", fromDay: null },
    ]);
  });

  test("never begins a day that has begun there already, and leaves every day a length", async () => {
    const far = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kolkata", "America/New_York"];
    for (const [index, timeZone] of [...far, ...far.toReversed()].entries())
      for (const hour of ["00", "09", "11", "23"]) {
        const now = `2027-${String(index + 1).padStart(2, "0")}-15T${hour}:59:30Z`;
        await set(timeZone, now);
        const { next } = await view(now);
        if (next) expect(Number(next.startsAt)).toBeGreaterThan(Date.parse(now));
      }
    const { rows } = await pool().query(
      `SELECT day FROM generate_series(timestamp '2027-01-01', timestamp '2027-10-01', interval '1 day') AS one (day)
       WHERE quarterdeck_day_start($1, day::date + 1) <= quarterdeck_day_start($1, day::date)
         OR quarterdeck_day_of($1, quarterdeck_day_start($1, day::date)) <> day::date
         OR quarterdeck_day_of($1, quarterdeck_day_start($1, day::date + 1) - interval '1 millisecond') <> day::date`,
      [owner.workspaceId],
    );
    expect(rows).toEqual([]);
  });

  test("cannot be made of a day that has begun", async () => {
    await countDaysIn(pool(), owner.workspaceId, "2026-01-01", "Europe/Berlin");
    for (const text of [
      "DELETE FROM workspace_time_zone WHERE workspace_id = $1",
      "UPDATE workspace_time_zone SET time_zone = 'UTC' WHERE workspace_id = $1",
    ])
      await expect(pool().query(text, [owner.workspaceId])).rejects.toThrow("the zone of a day that has begun stands");
  });
});

test("PostgreSQL knows every zone that can be chosen", async () => {
  const { rows } = await pool().query(
    "SELECT zone FROM unnest($1::text[]) AS zone WHERE NOT EXISTS (SELECT FROM pg_timezone_names WHERE name = zone)",
    [TIME_ZONES],
  );
  expect(rows).toEqual([]);
});
