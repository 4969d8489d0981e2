import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { countDaysIn } from "../../../e2e/fixtures/time-zone.ts";
import * as ledger from "../ledger/service.ts";
import type { StatementContent } from "./schema.ts";
import * as service from "./service.ts";

const NOW = new Date("2026-11-25T12:00:00Z");
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
const somebody = () => ({ kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" });
const world = () => ({ db: rig.db.database, bus: rig.bus });
const close = (month: string, now = NOW) => service.close(world(), somebody(), { month }, now);
const read = (month: string, now = NOW) => service.statement(rig.db.database, owner.workspaceId, { month }, now);
const record = (event: string, at: string, body: object) => {
  const text = JSON.stringify({ session_id: "s", agent_name: "ada", ...body });
  const one = recordOf(owner, event, text, { occurredAt: new Date(at) });
  return rig.recorder.record(one, false).then(() => ({ occurredAt: one.occurredAt, id: one.id }));
};
/** A call of one dollar that names its instant as its model. */
const call = (at: string, cost = 1) =>
  record("after_llm_call", at, { model_id: at, cost, usage: { input_tokens: 3, output_tokens: 5 } });
const modelsIn = ({ lines }: Pick<StatementContent, "lines">) => lines.map(({ model }) => model).sort();
const inMonths = (...months: string[]) =>
  Promise.all(months.map(async (month) => [month, modelsIn((await read(month)).content)]));

describe("a month begins and ends at midnight of its zone", () => {
  test.each([
    // Offsets of one hour and of two: clocks go back on 25 October.
    [
      "Europe/Berlin",
      "2026-09-30T21:59:59.999Z",
      "2026-09-30T22:00:00Z",
      "2026-10-31T22:59:59.999Z",
      "2026-10-31T23:00:00Z",
    ],
    [
      "Asia/Kolkata",
      "2026-09-30T18:29:59.999Z",
      "2026-09-30T18:30:00Z",
      "2026-10-31T18:29:59.999Z",
      "2026-10-31T18:30:00Z",
    ],
    [
      "America/New_York",
      "2026-10-01T03:59:59.999Z",
      "2026-10-01T04:00:00Z",
      "2026-11-01T03:59:59.999Z",
      "2026-11-01T04:00:00Z",
    ],
    [
      "Asia/Kathmandu",
      "2026-09-30T18:14:59.999Z",
      "2026-09-30T18:15:00Z",
      "2026-10-31T18:14:59.999Z",
      "2026-10-31T18:15:00Z",
    ],
  ])("in %s", async (timeZone, before, first, last, after) => {
    await countDaysIn(pool(), owner.workspaceId, "2026-01-01", timeZone);
    for (const at of [before, first, last, after]) await call(at);
    expect(await inMonths("2026-09", "2026-10", "2026-11")).toEqual([
      ["2026-09", [before]],
      ["2026-10", [first, last]],
      ["2026-11", [after]],
    ]);
    const { content } = await read("2026-10");
    expect(content).toMatchObject({ version: 2, timeZone, from: new Date(first).toISOString() });
    expect(content).toMatchObject({ to: new Date(after).toISOString(), total: { priced: "2", outputTokens: "10" } });
    for (const month of ["2026-09", "2026-10"]) await close(month);
    expect((await read("2026-11")).content).toMatchObject({ adjustments: [], total: { nano: "1000000000" } });
  });
});

test("a month that began in one zone ends in the next one's midnight, and no instant is in two months or in none", async () => {
  await countDaysIn(pool(), owner.workspaceId, "2026-09-11", "Europe/Berlin");
  await countDaysIn(pool(), owner.workspaceId, "2026-10-20", "Asia/Kolkata");
  const edges = ["2026-08-31T23:59:59Z", "2026-09-01T00:00:00Z", "2026-09-30T21:59:59Z", "2026-09-30T22:00:00Z"];
  const more = ["2026-10-31T18:29:59Z", "2026-10-31T18:30:00Z"];
  for (const at of [...edges, ...more]) await call(at);
  expect(await inMonths("2026-08", "2026-09", "2026-10", "2026-11")).toEqual([
    ["2026-08", [edges[0]]],
    ["2026-09", [edges[1], edges[2]]],
    ["2026-10", [edges[3], more[0]]],
    ["2026-11", [more[1]]],
  ]);
  await close("2026-08");
  await close("2026-09");
  await close("2026-10");
  const closed = await Promise.all(["2026-08", "2026-09", "2026-10"].map((month) => read(month)));
  expect(closed.map(({ content }) => content.version)).toEqual([1, 2, 2]);
  expect(closed.map(({ content }) => content.adjustments)).toEqual([[], [], []]);
});

test("closed months keep their extent: late calls and corrections stand in the adjustments of the month that they fall in", async () => {
  await countDaysIn(pool(), owner.workspaceId, "2026-01-01", "Asia/Kolkata");
  const first = await call("2026-08-31T18:45:00Z");
  await close("2026-09");
  await call("2026-08-31T19:15:00Z", 2);
  await ledger.correct(world(), somebody(), { call: first, usd: "0.75", reason: "invoice", corrects: null });
  const { content } = await read("2026-10");
  expect(content.lines).toEqual([]);
  expect(content.adjustments.map(({ month, model, sums }) => [month, model, sums.nano, sums.correctedNano])).toEqual([
    ["2026-09", "2026-08-31T18:45:00Z", "-250000000", "-250000000"],
    ["2026-09", "2026-08-31T19:15:00Z", "2000000000", "0"],
  ]);
});

test("compactions and judges' calls are in the month of their zone", async () => {
  await countDaysIn(pool(), owner.workspaceId, "2026-01-01", "Asia/Kolkata");
  await record("after_compaction", "2026-09-30T18:29:00Z", { summary: "short" });
  await record("after_compaction", "2026-09-30T18:31:00Z", { summary: "short" });
  await record("after_compaction", "2026-09-30T19:31:00Z", { summary: "short" });
  expect((await read("2026-09")).content.compactions.count).toBe("1");
  expect((await read("2026-10")).content.compactions.count).toBe("2");
});

test("sums by the hour that are gone are made up for by the calls themselves", async () => {
  await countDaysIn(pool(), owner.workspaceId, "2025-01-01", "Europe/Berlin");
  await call("2025-04-30T21:30:00Z");
  await call("2025-04-30T22:30:00Z");
  await pool().query("DELETE FROM rollup_hour WHERE workspace_id = $1", [owner.workspaceId]);
  expect(await inMonths("2025-04", "2025-05")).toEqual([
    ["2025-04", ["2025-04-30T21:30:00Z"]],
    ["2025-05", ["2025-04-30T22:30:00Z"]],
  ]);
});

test("where calls are no longer held one by one midnight UTC counts, and statements still come to the whole", async () => {
  await countDaysIn(pool(), owner.workspaceId, "2026-01-01", "Asia/Kolkata");
  await call("2026-08-31T18:45:00Z");
  await call("2026-09-30T18:45:00Z", 2);
  await close("2026-09");
  await pool().query("DELETE FROM llm_call WHERE workspace_id = $1", [owner.workspaceId]);
  await pool().query(
    `INSERT INTO audit_entry (workspace_id, seq, at, kind, body, hash, chain_version)
     SELECT $1, seq + 1, now(), 'data_dropped', '{"data":"activity","before":"2026-10-01T00:00:00.000Z"}', '', 2
     FROM audit_head WHERE workspace_id = $1`,
    [owner.workspaceId],
  );
  const { content, dropped, inexact } = await read("2026-10");
  expect({ dropped, inexact }).toEqual({ dropped: [], inexact: ["2026-08", "2026-09", "2026-10"] });
  expect(content).toMatchObject({ version: 2, from: "2026-10-01T00:00:00.000Z", to: "2026-10-31T18:30:00.000Z" });
  const all = [(await read("2026-09")).content, content];
  const sums = all
    .flatMap(({ lines, adjustments }) => [...lines, ...adjustments])
    .map((line) => BigInt(line.sums.nano));
  expect(sums.reduce((sum, nano) => sum + nano, 0n)).toBe(3_000_000_000n);
});

test("the month under way is the zone's", async () => {
  await countDaysIn(pool(), owner.workspaceId, "2026-01-01", "Asia/Kolkata");
  await call("2026-10-31T18:45:00Z");
  const months = async (now: string) =>
    (await service.months(rig.db.database, owner.workspaceId, new Date(now))).months.map(({ month, state }) => [
      month,
      state,
    ]);
  expect(await months("2026-11-30T18:29:59Z")).toEqual([["2026-11", "running"]]);
  expect(await months("2026-11-30T18:30:00Z")).toEqual([
    ["2026-12", "running"],
    ["2026-11", "open"],
  ]);
  const early = new Date("2026-11-30T18:29:59Z");
  await expect(close("2026-11", early)).rejects.toThrow("not over yet");
  await close("2026-11", new Date("2026-11-30T18:30:00Z"));
});
