import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  expectedOfRecordedSessions,
  type Owner,
  type RecordingRig,
  recordedSessionsAreThere,
  recordingRig,
  recordOf,
  recordSessions,
} from "../../e2e/fixtures/recording-rig.ts";
import { csvLines } from "../platform/csv.ts";
import { uuidv7 } from "../platform/ids.ts";
import { formatUsd } from "../recording/index.ts";
import { exportCalls, exportPivot } from "./exports.ts";
import { pivot, sumOf } from "./pivot.ts";
import {
  callsExportInput,
  costPreviousView,
  type Dimension,
  dimension,
  type PivotView,
  pivotInput,
  pivotView,
} from "./schema.ts";
import * as service from "./service.ts";

const START = new Date("2026-10-01T09:00:00.000Z");
const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00.000Z") };
let rig: RecordingRig;
let owner: Owner;
const grouped = async (by: Dimension, split: Dimension | null = null, range = ALL): Promise<PivotView> =>
  pivotView.parse(await pivot(rig.db.database, owner.workspaceId, { ...range, by, split }));

describe.skipIf(!recordedSessionsAreThere)(
  "every recorded session (skipped without the recorded sessions beside this checkout)",
  () => {
    const sums = z.record(z.string(), z.object({ calls: z.number(), usd: z.string() }));
    const truth = () =>
      z
        .object({
          overall: z.object({ ledger: z.object({ usd: z.string(), by_model: sums, by_agent: sums }) }),
          by_root_session: sums,
        })
        .parse(expectedOfRecordedSessions());
    beforeAll(async () => {
      rig = await recordingRig();
      owner = rig;
      await recordSessions(rig, START);
    }, 120_000);
    afterAll(() => rig.close());

    test.each(["model", "agent"] as const)("each %s costs what it should, beside every other dimension", async (by) => {
      for (const split of [null, "day", "provider", "session"] as const) {
        const { lines } = await grouped(by, split);
        const own = Object.fromEntries(
          lines.map(({ name, ledger }) => [name, { calls: ledger.calls, usd: formatUsd(ledger.nano) }]),
        );
        expect(own).toEqual(by === "model" ? truth().overall.ledger.by_model : truth().overall.ledger.by_agent);
      }
    });

    test("each root session costs what its tree should, every sub-session once", async () => {
      const { lines, isCut } = await grouped("root");
      expect(isCut).toBe(false);
      const own = Object.fromEntries(
        lines.flatMap(({ name, ledger }) =>
          name === null ? [] : [[name, { calls: ledger.calls, usd: formatUsd(ledger.nano) }]],
        ),
      );
      const roots = Object.entries(truth().by_root_session).filter(([, { calls }]) => calls > 0);
      expect(own).toEqual(Object.fromEntries(roots.map(([id, { calls, usd }]) => [id, { calls, usd }])));
    });

    const pairs = dimension.options.flatMap((by) => [null, ...dimension.options].map((split) => [by, split] as const));
    test("parts come to the whole, whatever it is grouped by", async () => {
      for (const [by, split] of pairs) {
        if (!pivotInput.safeParse({ ...ALL, by, split }).success) continue;
        const { total, lines } = await grouped(by, split);
        expect(formatUsd(total.ledger.nano), `${by} ${split}`).toBe(truth().overall.ledger.usd);
        expect(sumOf(lines), `${by} ${split}`).toEqual(total);
        for (const { parts, name: _name, groups: _groups, ...line } of lines)
          if (parts.length > 0) expect(sumOf(parts), `${by} ${split}`).toEqual(line);
      }
    }, 60_000);
  },
);

describe("a ledger of a few calls", () => {
  beforeAll(async () => {
    rig = await recordingRig();
  });
  beforeEach(async () => {
    owner = await rig.addOwner();
  });
  afterAll(() => rig.close());
  const at = (day: number) => new Date(Date.UTC(2026, 8, day, 12));
  const call = (day: number, model: string, cost: string | null, more: object = {}) => {
    const text = JSON.stringify({ session_id: "s", model_id: model, agent_name: "ada", ...more });
    const whole = cost === null ? text : text.replace(/\}$/, `,"cost":${cost}}`);
    return rig.recorder.record(recordOf(owner, "after_llm_call", whole, { occurredAt: at(day) }), false);
  };

  test("compares each line with the stretch before, also one that is there no more", async () => {
    await call(3, "a/old", "1");
    await call(4, "b/both", "2");
    await call(10, "b/both", "3");
    await call(11, "c/new", null);
    const week = { from: new Date("2026-09-08T00:00:00Z"), to: new Date("2026-09-15T00:00:00Z") };
    const { lines, total, previous } = await grouped("model", null, week);
    expect(previous).toEqual({ from: new Date("2026-09-01T00:00:00Z"), to: week.from });
    const figures = lines.map(({ name, ledger, previous }) => [name, ledger.nano, ledger.calls, previous?.nano]);
    expect(figures).toEqual([
      ["b/both", 3_000_000_000n, 1, 2_000_000_000n],
      ["c/new", 0n, 1, 0n],
      ["a/old", 0n, 0, 1_000_000_000n],
    ]);
    expect(total.previous).toEqual({ calls: 2, unpriced: 0, nano: 3_000_000_000n });
    expect((await grouped("model", null, { from: ALL.from, to: week.to })).total.previous).toBeNull();
    expect((await service.summary(rig.db.database, owner.workspaceId, week)).previous).toMatchObject({ calls: 2 });
    const before = costPreviousView.parse(await service.previous(rig.db.database, owner.workspaceId, week));
    expect(before?.models.lines.map(({ name, ledger }) => [name, ledger.nano])).toEqual([
      ["b/both", 2_000_000_000n],
      ["a/old", 1_000_000_000n],
    ]);
    expect(before?.agents.lines.map(({ ledger }) => ledger.calls)).toEqual([2]);
  });

  test("groups and tags: a call of an agent that has several is on one line", async () => {
    await call(3, "a/one", "1");
    const pool = rig.db.database.pool;
    await pool.query("UPDATE agent SET tags = '{prod,eu}' WHERE id = $1", [owner.agentId]);
    for (const [position, name] of ["night", "ops"].entries()) {
      const id = uuidv7();
      await pool.query("INSERT INTO agent_group (workspace_id, id, name, position) VALUES ($1, $2, $3, $4)", [
        owner.workspaceId,
        id,
        name,
        position,
      ]);
      await pool.query("INSERT INTO agent_group_member (workspace_id, group_id, agent_id) VALUES ($1, $2, $3)", [
        owner.workspaceId,
        id,
        owner.agentId,
      ]);
    }
    expect((await grouped("group")).lines.map(({ name }) => name)).toEqual(["night + ops"]);
    expect((await grouped("tag")).lines.map(({ name }) => name)).toEqual(["eu + prod"]);
  });

  test("more lines than are listed are summed into one, and nothing is lost", async () => {
    await call(3, "a/old", "1");
    await call(4, "b/both", "2");
    await call(10, "b/both", "3");
    await call(11, "c/new", null);
    await Promise.all(Array.from({ length: 130 }, (_, index) => call(20, `many/${index}`, "0.000000001")));
    const { lines, total } = await grouped("model", "day");
    const rest = lines.find(({ name }) => name === null);
    expect(lines).toHaveLength(101);
    expect(rest?.groups).toBe(33);
    expect(sumOf(lines)).toEqual(total);
  });

  test("an export keeps every digit, leaves the unknown empty and lets no text become a formula", async () => {
    await call(25, "=HYPERLINK(1)", "0.0052101000000000005");
    await call(25, "x/unpriced", null);
    const day = { from: new Date("2026-09-25T00:00:00Z"), to: new Date("2026-09-26T00:00:00Z") };
    const input = callsExportInput.parse({ ...day, format: "csv" });
    const { text, rows } = await exportCalls(rig.db.database, owner.workspaceId, input);
    expect(rows).toBe(2);
    expect(text).toContain(",'=HYPERLINK(1),priced,0.0052101000000000005,,,");
    expect(text).toContain(",x/unpriced,unpriced,,,,");
    const pivoted = { ...day, by: "model", split: null, format: "csv" } as const;
    const file = (await exportPivot(rig.db.database, owner.workspaceId, pivoted)).text;
    expect(file).toContain("\r\n'=HYPERLINK(1),1,1,0,0,0.0052101,");
    expect(file).toContain("\r\nx/unpriced,1,0,0,1,,,0,,");
    const json = await exportPivot(rig.db.database, owner.workspaceId, { ...pivoted, format: "json" });
    expect(
      json.text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).reported_usd),
    ).toEqual(["0.0052101", null]);
  });
});

test.each(["=1+1", "+1", "-1+cmd", "@x", "\tx", "\rx", "\n=x"])("%j is disarmed in a CSV", (text) => {
  expect(csvLines([[text]]).replaceAll('"', "")).toMatch(/^'/);
});
test("an amount below zero stays a number", () => {
  expect(csvLines([["-0.5", -3n, 'a,"b"', null]])).toBe('-0.5,-3,"a,""b""",\r\n');
});
