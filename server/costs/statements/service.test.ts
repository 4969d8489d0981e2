import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { AppError } from "../../errors/app-error.ts";
import * as ledger from "../ledger/service.ts";
import * as costs from "../service.ts";
import type { StatementContent } from "./schema.ts";
import * as service from "./service.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(() => rig.close());

const somebody = () => ({ kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" });
const world = () => ({ db: rig.db.database, bus: rig.bus });
const close = (month: string) => service.close(world(), somebody(), { month }, NOW);
const read = (month: string) => service.statement(rig.db.database, owner.workspaceId, { month }, NOW);
async function call(month: string, model: string, cost: string | null) {
  const body = JSON.stringify({ session_id: "s", model_id: model, agent_name: "ada", usage: { input_tokens: 3 } });
  const text = cost === null ? body : body.replace(/\}$/, `,"cost":${cost}}`);
  const record = recordOf(owner, "after_llm_call", text, { occurredAt: new Date(`${month}-07T08:09:10Z`) });
  await rig.recorder.record(record, false);
  return { occurredAt: record.occurredAt, id: record.id };
}
const nanoIn = ({ lines, adjustments }: StatementContent) =>
  [...lines, ...adjustments].reduce((sum, { sums }) => sum + BigInt(sums.nano), 0n);
const correct = (key: Awaited<ReturnType<typeof call>>, usd: string) =>
  ledger.correct(world(), somebody(), { call: key, usd, reason: "invoice", corrects: null });
/** Three months with a call each, and what came late to the month before them. */
async function closeThreeMonths() {
  const months = ["2026-08", "2026-09", "2026-10"];
  for (const month of months) await call(month, "a/m", "1");
  await close("2026-08");
  await call("2026-07", "d/very-late", "5");
  for (const month of months.slice(1)) await close(month);
}

test("a closed month never moves: what comes later stands in the next statement, and all of them come to the whole", async () => {
  const first = await call("2026-08", "a/m", "1");
  await call("2026-08", "b/m", null);
  await call("2026-09", "a/m", "10");
  await close("2026-08");
  const closed = await read("2026-08");
  expect(closed).toMatchObject({ state: "closed", closedBy: "ada", isIntact: true });
  expect(closed.content.lines.map(({ model, sums }) => [model, sums.priced, sums.unpriced, sums.nano])).toEqual([
    ["a/m", "1", "0", "1000000000"],
    ["b/m", "0", "1", "0"],
  ]);

  await correct(first, "0.75");
  await call("2026-08", "c/late", "0.000000001");
  expect(await read("2026-08")).toEqual(closed);
  const next = (await read("2026-09")).content;
  expect(
    next.adjustments.map(({ month, model, sums }) => [month, model, sums.priced, sums.nano, sums.correctedNano]),
  ).toEqual([
    ["2026-08", "a/m", "0", "-250000000", "-250000000"],
    ["2026-08", "c/late", "1", "1", "0"],
  ]);
  await close("2026-09");
  expect((await read("2026-09")).content).toEqual(next);
  expect(next.previous).toBe(closed.sha256);

  await call("2026-07", "d/very-late", "5");
  await call("2026-10", "a/m", "20");
  await close("2026-10");
  const all = await Promise.all(["2026-08", "2026-09", "2026-10"].map(read));
  const whole = await costs.summary(rig.db.database, owner.workspaceId, {
    from: new Date(0),
    to: new Date("2026-11-01"),
  });
  expect(all.reduce((sum, { content }) => sum + nanoIn(content), 0n)).toBe(whole.ledger.nano);
  const audited = await rig.db.database.pool.query(
    "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'statement_closed'",
    [owner.workspaceId],
  );
  expect(audited.rows).toHaveLength(3);
});

test.each([
  ["2026-11", "not over yet"],
  ["2026-08", "closed already"],
  ["2026-07", "as adjustments"],
])("%s is refused: %s", async (month, because) => {
  await closeThreeMonths();
  await expect(close(month)).rejects.toSatisfy(
    (error) => error instanceof AppError && error.code === "month_not_closable" && error.message.includes(because),
  );
});

test("months whose figures were dropped are named, and are no adjustment", async () => {
  await closeThreeMonths();
  const text = "DELETE FROM rollup_day WHERE workspace_id = $1 AND bucket < '2026-09-01'";
  await rig.db.database.pool.query(text, [owner.workspaceId]);
  const { content, dropped } = await read("2026-11");
  expect(dropped).toEqual(["2026-07", "2026-08"]);
  expect(content.adjustments).toEqual([]);
});

test.each(["UPDATE ledger_statement SET sha256 = ''", "DELETE FROM ledger_statement"])(
  "%s is refused",
  async (text) => {
    await closeThreeMonths();
    await expect(rig.db.database.pool.query(text)).rejects.toThrow("only ever added to");
  },
);

test("months begin with the first that was closed and end with the one that runs", async () => {
  await closeThreeMonths();
  const { months } = await service.months(rig.db.database, owner.workspaceId, NOW);
  expect(months.map(({ month, state }) => [month, state])).toEqual([
    ["2026-11", "running"],
    ["2026-10", "closed"],
    ["2026-09", "closed"],
    ["2026-08", "closed"],
  ]);
});
