/** Periods of budgets in the workspace's time zone: what is reserved, charged and counted anew is in the same one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { countDaysIn } from "../../e2e/fixtures/time-zone.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as accounts from "./accounts-repository.ts";
import type { CreateBudget } from "./schema.ts";
import * as budgets from "./service.ts";
import { budgetStatuses } from "./status.ts";

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
const world = () => ({ db: rig.db.database, bus: rig.bus });
const somebody = () => ({ kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" });
const inZone = (fromDay: string, timeZone: string) => countDaysIn(pool(), owner.workspaceId, fromDay, timeZone);
const ONE: CreateBudget = {
  name: "team",
  about: { scope: "workspace" },
  period: "day",
  amountNano: 10_000_000_000n,
  reserveNano: 1_000_000_000n,
  thresholds: [],
  isHard: true,
  unpriced: "count",
};
const create = async (more: Partial<CreateBudget> = {}) =>
  (await budgets.create(world(), somebody(), { ...ONE, ...more })).budgetId;
/** A call of a dollar in a session of its own. */
const call = (at: string) => {
  const text = JSON.stringify({ session_id: at, model_id: "a/m", agent_name: "ada", cost: 1 });
  return rig.recorder.record(recordOf(owner, "after_llm_call", text, { occurredAt: new Date(at) }), false);
};
const reserve = (at: string) =>
  accounts.reserve(
    pool(),
    owner.workspaceId,
    [{ request: uuidv7(), agent: owner.agentId, session: `reserves ${at}`, model: "a/m", person: null }],
    new Date(at),
  );
/** Calls and reservations of each period, of budgets that last a day or a month. */
async function periods(period: "day" | "month" = "day") {
  const { rows } = await pool().query<{ start: string; calls: number; held: number }>(
    `SELECT period_start::text AS start, priced::int AS calls, (held_nano / 1000000000)::int AS held
     FROM budget_account JOIN budget ON budget.workspace_id = budget_account.workspace_id AND budget.id = budget_id
     WHERE budget.workspace_id = $1 AND budget.period = $2 ORDER BY period_start`,
    [owner.workspaceId, period],
  );
  return rows.map(({ start, calls, held }) => [start, calls, held]);
}

describe("a day", () => {
  it.each([
    [
      "Europe/Berlin",
      "2026-03-29",
      "2026-03-28T22:59:59.999Z",
      "2026-03-28T23:00:00Z",
      "2026-03-29T21:59:59.999Z",
      "2026-03-29T22:00:00Z",
    ],
    [
      "Europe/Berlin",
      "2026-10-25",
      "2026-10-24T21:59:59.999Z",
      "2026-10-24T22:00:00Z",
      "2026-10-25T22:59:59.999Z",
      "2026-10-25T23:00:00Z",
    ],
    [
      "Asia/Kolkata",
      "2026-10-25",
      "2026-10-24T18:29:59.999Z",
      "2026-10-24T18:30:00Z",
      "2026-10-25T18:29:59.999Z",
      "2026-10-25T18:30:00Z",
    ],
  ])(
    "in %s: %s takes what lies between its midnights, charged or reserved",
    async (timeZone, day, before, first, last, after) => {
      await inZone("2026-01-01", timeZone);
      await create();
      await create({ name: "months", period: "month" });
      for (const at of [before, first, last, after]) {
        await call(at);
        await reserve(at);
      }
      const [yesterday, tomorrow] = [-1, 1].map((days) =>
        new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10),
      );
      expect(await periods()).toEqual([
        [yesterday, 1, 1],
        [day, 2, 2],
        [tomorrow, 1, 1],
      ]);
      expect(await periods("month")).toEqual([[`${day.slice(0, 8)}01`, 4, 4]]);
    },
  );
});

it("a month ends at midnight in the zone, also for a call that is reported late and in another order", async () => {
  await inZone("2026-01-01", "America/New_York");
  await create({ period: "month" });
  const at = ["2026-11-01T04:00:00Z", "2026-10-01T04:00:00Z", "2026-11-01T03:59:59Z", "2026-10-01T03:59:59Z"];
  for (const one of at) await call(one);
  expect(await periods("month")).toEqual([
    ["2026-09-01", 1, 0],
    ["2026-10-01", 2, 0],
    ["2026-11-01", 1, 0],
  ]);
});

it("a change of the zone ends the day under way at the next one's midnight and leaves the month's beginning", async () => {
  await inZone("2026-11-11", "Asia/Kolkata");
  await create();
  await create({ name: "months", period: "month" });
  for (const at of ["2026-11-10T18:29:59Z", "2026-11-10T18:30:00Z", "2026-11-30T18:29:59Z", "2026-11-30T18:30:00Z"])
    await call(at);
  await call("2026-11-01T00:00:00Z");
  expect(await periods()).toEqual([
    ["2026-11-01", 1, 0],
    ["2026-11-10", 1, 0],
    ["2026-11-11", 1, 0],
    ["2026-11-30", 1, 0],
    ["2026-12-01", 1, 0],
  ]);
  expect(await periods("month")).toEqual([
    ["2026-11-01", 4, 0],
    ["2026-12-01", 1, 0],
  ]);
});

it.each(["Asia/Kolkata", "America/St_Johns", "Europe/Berlin", "Pacific/Kiritimati", "UTC"])(
  "a budget that is made later counts what one from the start has: %s",
  async (timeZone) => {
    await inZone("2026-01-01", timeZone);
    await create({ name: "early" });
    await create({ name: "early months", period: "month" });
    const nowMs = Date.now();
    for (let hours = 0; hours < 62; hours += 1) await call(new Date(nowMs - hours * 3_500_000).toISOString());
    await create({ name: "late" });
    await create({ name: "late months", period: "month" });
    await create({ name: "late in all", period: "total" });
    const statuses = new Map((await budgetStatuses(rig.db.database, owner.workspaceId)).map((one) => [one.name, one]));
    const of = (name: string) => statuses.get(name)?.account;
    expect(of("late")).toMatchObject({ priced: of("early")?.priced, spentNano: of("early")?.spentNano });
    expect(of("late months")).toMatchObject({ priced: of("early months")?.priced });
    expect(of("late in all")).toMatchObject({ priced: 62 });
    const { periodStart, periodEnd, periodDays } = statuses.get("late months") ?? {};
    expect(periodDays).toMatchObject({ timeZone, first: expect.stringMatching(/-01$/) });
    expect(Number(periodEnd)).toBeGreaterThan(Number(periodStart));
  },
  60_000,
);
