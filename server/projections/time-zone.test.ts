import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arbitraryDispatch } from "../../e2e/fixtures/arbitrary-dispatch.ts";
import { deliveryOf, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { countDaysIn } from "../../e2e/fixtures/time-zone.ts";
import * as budgets from "../budgets/index.ts";
import * as projections from "./service.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

test.each(["Asia/Kolkata", "Europe/Berlin"])(
  "figures are what the log gives where days are those of %s",
  async (zone) => {
    const owner = await rig.addOwner();
    const { pool } = rig.db.database;
    await countDaysIn(pool, owner.workspaceId, "2026-01-01", zone);
    const actor = { kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" };
    await budgets.create({ db: rig.db.database, bus: rig.bus }, actor, {
      ...{
        name: "team",
        about: { scope: "workspace" },
        period: "day",
        isHard: true,
        thresholds: [80],
        unpriced: "count",
      },
      ...{ amountNano: 1_000_000_000_000n, reserveNano: 1_000_000n },
    });
    const start = Date.parse("2026-10-24T17:00:00Z");
    for (const [at, { event, text, minute, isGate, more }] of fc
      .sample(arbitraryDispatch, { numRuns: 200, seed: 20261024 })
      .entries()) {
      const occurredAt = new Date(start + minute * 60_000);
      const delivery = deliveryOf(`${owner.agentId}${at}`, text);
      void rig.recorder.record(recordOf(owner, event, text, { ...more, occurredAt, delivery }), isGate);
    }
    await rig.recorder.flush();
    const days = await projections.days(pool, owner.workspaceId, undefined);
    expect(days.length).toBeGreaterThan(0);
    for (const day of days) {
      const { state, differences } = await projections.check(pool, owner.workspaceId, day);
      expect({ state, differences }).toEqual({ state: "equal", differences: [] });
    }
    const { rows } = await pool.query<{ charged: string; called: string }>(
      `SELECT (SELECT sum(priced + free + unpriced) FROM budget_account WHERE workspace_id = $1) AS charged,
       (SELECT count(*) FROM llm_call WHERE workspace_id = $1) AS called`,
      [owner.workspaceId],
    );
    expect(rows[0]?.charged).toBe(rows[0]?.called);
  },
);
