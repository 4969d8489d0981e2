/** Freeze windows: their instants over changes of the clock, the acts that they refuse, and how one is lifted. */
import { describe, expect, it } from "vitest";
import { codeOf, policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import { findActiveFreeze } from "./active-freeze.ts";
import { freeze, frozen, unfreeze } from "./freeze.ts";
import { listSpans } from "./freeze-window-repository.ts";
import {
  addFreezeWindow as addInput,
  FREEZE_WINDOWS_MAX,
  freezeEndText,
  type WindowTimes,
} from "./freeze-window-schema.ts";
import { addFreezeWindow, liftFreezeWindows, listFreezeWindows, removeFreezeWindow } from "./freeze-windows.ts";

const { scene, newWorkspace, entries, lastEntry, publish, rollBack, assign } = policyWorkspace();
const world = () => [scene.at.database, scene.bus, scene.admin] as const;
const inZone = (timeZone: string) =>
  scene.at.owner.query(
    "INSERT INTO workspace_time_zone (workspace_id, from_day, time_zone, set_by) VALUES ($1, '2020-01-01', $2, 'Ada')",
    [scene.admin.workspaceId, timeZone],
  );
const add = (times: WindowTimes, reason = "weekend") => addFreezeWindow(...world(), { times, reason });
const weekly = (fromDay: number, from: string, toDay: number, to: string): WindowTimes => ({
  ...{ kind: "weekly", from: { day: fromDay, time: from }, to: { day: toDay, time: to } },
});
const WEEKEND = weekly(5, "16:00", 1, "08:00");
const spans = async (from: string, to: string) =>
  (await listSpans(scene.at.database.prisma, scene.admin.workspaceId, { from: new Date(from), to: new Date(to) })).map(
    ({ startsAt, endsAt }) => `${startsAt.toISOString()} ${endsAt.toISOString()}`,
  );
const isFrozenAt = async (at: string) =>
  (await findActiveFreeze(scene.at.database.prisma, scene.admin.workspaceId, new Date(at))) !== null;

const HOUR_MS = 3_600_000;
/** A window of one hour around now, in UTC. */
const now = (fromMs = -HOUR_MS, toMs = HOUR_MS): WindowTimes => {
  const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16);
  return { kind: "once", from: local(fromMs), to: local(toMs) };
};

describe("the instants of a window", () => {
  it("keep the clock of the workspace's zone when it changes, in both directions", async () => {
    await inZone("Europe/Berlin");
    await add(WEEKEND);
    // Summer time begins on Sunday 28 March 2027 and ends on Sunday 31 October 2027.
    expect(await spans("2027-03-15T00:00Z", "2027-04-06T00:00Z")).toEqual([
      "2027-03-12T15:00:00.000Z 2027-03-15T07:00:00.000Z",
      "2027-03-19T15:00:00.000Z 2027-03-22T07:00:00.000Z",
      "2027-03-26T15:00:00.000Z 2027-03-29T06:00:00.000Z",
      "2027-04-02T14:00:00.000Z 2027-04-05T06:00:00.000Z",
    ]);
    expect(await spans("2027-10-29T00:00Z", "2027-11-02T00:00Z")).toEqual([
      "2027-10-29T14:00:00.000Z 2027-11-01T07:00:00.000Z",
    ]);
    expect(await isFrozenAt("2027-03-29T05:59:59.999Z")).toBe(true);
    expect(await isFrozenAt("2027-03-29T06:00Z")).toBe(false);
    expect(await isFrozenAt("2027-10-29T13:59:59.999Z")).toBe(false);
    expect(await isFrozenAt("2027-10-29T14:00Z")).toBe(true);
  });

  it("cover both hours that a clock shows twice, and a time that it skips", async () => {
    await inZone("Europe/Berlin");
    // 02:30 is shown twice on 31 October 2027, at 00:30 and 01:30 UTC, and not at all on 28 March 2027.
    await add(weekly(7, "02:30", 7, "02:45"));
    expect(await spans("2027-10-31T00:00Z", "2027-10-31T12:00Z")).toEqual([
      "2027-10-31T00:30:00.000Z 2027-10-31T01:45:00.000Z",
    ]);
    expect(await spans("2027-03-28T00:00Z", "2027-03-28T12:00Z")).toEqual([
      "2027-03-28T01:30:00.000Z 2027-03-28T01:45:00.000Z",
    ]);
  });

  it("follow a zone south of the equator and one that moves by half an hour", async () => {
    await inZone("Australia/Lord_Howe");
    await add(weekly(7, "01:45", 7, "03:00"));
    // On 4 April 2027 at 02:00 the clock goes back to 01:30; on 3 October 2027 at 02:00 it goes to 02:30.
    expect(await spans("2027-04-03T00:00Z", "2027-04-05T00:00Z")).toEqual([
      "2027-04-03T14:45:00.000Z 2027-04-03T16:30:00.000Z",
    ]);
    expect(await spans("2027-10-02T00:00Z", "2027-10-04T00:00Z")).toEqual([
      "2027-10-02T15:15:00.000Z 2027-10-02T16:00:00.000Z",
    ]);
  });

  it("of one day reach the next week where the end is before the beginning", async () => {
    await add(weekly(3, "12:00", 3, "11:00"));
    expect(await spans("2027-01-06T00:00Z", "2027-01-06T23:00Z")).toEqual([
      "2026-12-30T12:00:00.000Z 2027-01-06T11:00:00.000Z",
      "2027-01-06T12:00:00.000Z 2027-01-13T11:00:00.000Z",
    ]);
  });

  it("join windows that follow each other, so that the end is that of the last", async () => {
    await add(WEEKEND);
    await add(weekly(1, "08:00", 1, "12:00"), "migration");
    const at = new Date("2027-01-09T00:00Z");
    const found = await findActiveFreeze(scene.at.database.prisma, scene.admin.workspaceId, at);
    expect(found).toMatchObject({ reason: "weekend", end: { at: new Date("2027-01-11T12:00Z"), timeZone: "UTC" } });
  });

  it("are named with the day, the time and the zone", () => {
    const end = new Date("2027-03-29T06:00Z");
    expect(freezeEndText(end, "Europe/Berlin", end.getTime() - 60 * HOUR_MS)).toBe("Monday 08:00 (Europe/Berlin)");
    expect(freezeEndText(end, "Europe/Berlin", 0)).toBe("Monday, 29 March 2027, 08:00 (Europe/Berlin)");
  });
});

describe("a window that has begun", () => {
  it("refuses changes until its end, and the sentence says when that is", async () => {
    const { id } = await publish("p", "a");
    await publish("p", "b");
    await add(now(), "release week");
    await expect(publish("p", "c")).rejects.toThrow(/frozen until [A-Z][a-z]+day \d\d:\d\d \(UTC\): release week\. /);
    expect(await codeOf(assign(id, "nobody"))).toBe("workspace_frozen");
    expect(await codeOf(rollBack(id, 1, 2))).toBe("workspace_frozen");
    await rollBack(id, 1, 2, "denies every deploy");
    expect(await lastEntry()).toMatchObject({ kind: "policy_rolled_back", duringFreeze: "denies every deploy" });
    expect(await frozen(scene.at.database, scene.admin.workspaceId)).toMatchObject({
      ...{ by: "Ada", reason: "release week", until: { timeZone: "UTC" } },
    });
    scene.admin = await newWorkspace();
    expect(await codeOf(publish("p", "a"))).toBe("nothing was thrown");
  });

  it("is lifted with a reason, and only then removed", async () => {
    await add(now());
    const [window] = (await listFreezeWindows(scene.at.database, scene.admin.workspaceId)).windows;
    const id = window?.id ?? "";
    expect(await codeOf(removeFreezeWindow(...world(), { id }))).toBe("workspace_frozen");
    await liftFreezeWindows(...world(), { reason: "an outage" });
    expect(await lastEntry()).toMatchObject({ kind: "freeze_window_lifted", window: id, reason: "an outage" });
    const recorded = (await entries()).length;
    await liftFreezeWindows(...world(), { reason: "twice" });
    expect(await entries()).toHaveLength(recorded);
    expect(await codeOf(publish("p", "a"))).toBe("nothing was thrown");
    expect((await listFreezeWindows(scene.at.database, scene.admin.workspaceId)).windows).toMatchObject([
      { id, isLifted: true },
    ]);
    await removeFreezeWindow(...world(), { id });
    expect((await listFreezeWindows(scene.at.database, scene.admin.workspaceId)).windows).toEqual([]);
  });

  it("that returns every week is lifted once", async () => {
    const at = (ms: number) => new Date(Date.now() + ms);
    const point = (date: Date) => [((date.getUTCDay() + 6) % 7) + 1, date.toISOString().slice(11, 16)] as const;
    await add(weekly(...point(at(-HOUR_MS)), ...point(at(HOUR_MS))));
    await liftFreezeWindows(...world(), { reason: "an outage" });
    expect(await frozen(scene.at.database, scene.admin.workspaceId)).toBeNull();
    const week = at(7 * 24 * HOUR_MS).toISOString();
    expect([await isFrozenAt(new Date().toISOString()), await isFrozenAt(week)]).toEqual([false, true]);
  });

  it("gives way to a freeze of a person, which lasts beyond it", async () => {
    await add(now());
    await freeze(...world(), { reason: "audit" });
    expect(await codeOf(freeze(...world(), { reason: "audit" }))).toBe("workspace_frozen");
    expect(await frozen(scene.at.database, scene.admin.workspaceId)).toMatchObject({ reason: "audit", until: null });
    await unfreeze(...world());
    await unfreeze(...world());
    expect(await frozen(scene.at.database, scene.admin.workspaceId)).toMatchObject({ reason: "weekend" });
  });
});

describe("adding a window", () => {
  it("shows the next occurrence", async () => {
    await add(WEEKEND);
    const view = await listFreezeWindows(scene.at.database, scene.admin.workspaceId, new Date("2027-01-06T00:00Z"));
    const next = { from: new Date("2027-01-08T16:00Z"), to: new Date("2027-01-11T08:00Z"), reason: "weekend" };
    expect(view).toMatchObject({ timeZone: "UTC", next, windows: [{ times: WEEKEND, next, isLifted: false }] });
    expect(await lastEntry()).toMatchObject({ kind: "freeze_window_added", times: "5 16:00 to 1 08:00" });
  });

  it("needs a window that can come, and room for it", async () => {
    expect(await codeOf(add(now(-2 * HOUR_MS, -HOUR_MS)))).toBe("invalid_input");
    expect(await codeOf(add(now(450 * 24 * HOUR_MS, 451 * 24 * HOUR_MS)))).toBe("invalid_input");
    for (let minute = 10; minute < 10 + FREEZE_WINDOWS_MAX; minute += 1)
      await add(weekly(1, `03:${minute}`, 1, "04:00"));
    expect(await codeOf(add(WEEKEND))).toBe("invalid_input");
  });

  it.each([
    ["no end", { kind: "weekly", from: { day: 5, time: "16:00" }, to: { day: 5, time: "16:00" } }],
    ["an eighth day", { kind: "weekly", from: { day: 8, time: "16:00" }, to: { day: 1, time: "08:00" } }],
    ["a 25th hour", { kind: "weekly", from: { day: 5, time: "25:00" }, to: { day: 1, time: "08:00" } }],
    ["an end before it", { kind: "once", from: "2027-01-02T00:00", to: "2027-01-01T00:00" }],
    ["no such day", { kind: "once", from: "2027-02-30T00:00", to: "2027-03-01T00:00" }],
    ["93 days", { kind: "once", from: "2027-01-01T00:00", to: "2027-04-04T00:00" }],
  ])("refuses %s", (_, times) => {
    expect(addInput.safeParse({ times, reason: "r" }).success).toBe(false);
  });
});
