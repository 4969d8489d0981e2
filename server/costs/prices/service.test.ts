import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { createLog } from "../../platform/log.ts";
import * as ledger from "../ledger/service.ts";
import * as costs from "../service.ts";
import { pass } from "./estimate.ts";
import { createEstimating } from "./estimate-job.ts";
import type { Price } from "./schema.ts";
import * as service from "./service.ts";

const RANGE = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-12-01T00:00:00Z") };
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
const summary = () => costs.summary(rig.db.database, owner.workspaceId, RANGE);
const priced = (pattern: string, input: bigint): Price => ({
  pattern,
  input,
  output: 0n,
  cachedInput: null,
  cacheWrite: null,
});
let minute = 0;
async function call(model: string, more: object = {}) {
  const usage = { input_tokens: 1_000_000 };
  const text = JSON.stringify({ session_id: "s", model_id: model, usage, ...more });
  minute += 1;
  const record = recordOf(owner, "after_llm_call", text, {
    occurredAt: new Date(RANGE.from.getTime() + minute * 60_000),
  });
  await rig.recorder.record(record, false);
  return { occurredAt: record.occurredAt, id: record.id };
}

test("estimates stand beside what was reported and in no sum of it; a later version corrects them", async () => {
  await call("a/one", { cost: 0.25 });
  const two = await call("a/two");
  await call("b/three");
  await call("a/without-usage", { usage: undefined });
  const before = await summary();
  const first = await service.save(world(), somebody(), { prices: [priced("a/*", 5n)], note: "", baseVersion: 0 });
  expect(await service.estimateUnpricedCalls(world(), somebody(), first)).toEqual({ added: 1, isAll: true });
  expect(await summary()).toEqual({ ...before, estimates: { calls: 1, nano: 5n } });
  expect(before.ledger).toMatchObject({ nano: 250_000_000n, unpriced: 3 });

  const prices = [priced("b/*", 11n), priced("a/two", 7n)];
  const second = await service.save(world(), somebody(), { prices, note: "new", baseVersion: 1 });
  await service.estimateUnpricedCalls(world(), somebody(), second);
  expect((await summary()).estimates).toEqual({ calls: 2, nano: 18n });
  const { entries } = await ledger.history(rig.db.database, owner.workspaceId, two);
  expect(entries.map(({ nano, priceVersion, corrects }) => [nano, priceVersion, corrects])).toEqual([
    [7n, 2, entries[1]?.id],
    [5n, 1, null],
  ]);

  const third = await service.save(world(), somebody(), { prices: [priced("b/*", 1n)], note: "", baseVersion: 2 });
  await service.estimateUnpricedCalls(world(), somebody(), third);
  expect((await summary()).estimates).toEqual({ calls: 1, nano: 1n });
  expect(await service.estimateUnpricedCalls(world(), somebody(), third)).toEqual({ added: 0, isAll: true });
});

test("a long prompt is estimated by its own prices, and the entry names them; a list without them stays as it was", async () => {
  const usage = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, cached_write_tokens: 1 } });
  const [short, long] = [await call("g/one", usage(199_999)), await call("g/one", usage(200_000))];
  const longPrompt = { aboveTokens: 200_000, input: 7n * 10n ** 9n, output: 0n, cachedInput: null, cacheWrite: 0n };
  const prices: Price[] = [{ ...priced("g/*", 10n ** 9n), longPrompt }, priced("h/*", 1n)];
  const list = await service.save(world(), somebody(), { prices, note: "", baseVersion: 0 });
  expect((await service.list(rig.db.database, owner.workspaceId, list)).prices).toEqual(prices);
  await service.estimateUnpricedCalls(world(), somebody(), list);
  const newest = async (key: typeof short) =>
    (await ledger.history(rig.db.database, owner.workspaceId, key)).entries[0];
  expect(await newest(short)).toMatchObject({ nano: 200_000_000n, reason: "By the price of g/*." });
  expect(await newest(long)).toMatchObject({
    nano: 1_400_000_000n,
    reason: "By the price of g/* for prompts of more than 200,000 tokens.",
  });
});

test("a call of a client that leaves out what it does not know is estimated once all is known that the price needs", async () => {
  const ext = { dialect: "codex", client_event: "codex.sse_event" };
  await call("f/part", { ext });
  await call("f/whole", { ext, usage: { input_tokens: 1_000_000, output_tokens: 0 } });
  const version = await service.save(world(), somebody(), { prices: [priced("f/*", 13n)], note: "", baseVersion: 0 });
  expect(await service.estimateUnpricedCalls(world(), somebody(), version)).toMatchObject({ added: 1 });
});

test("whoever begins estimates is told of all that changed, with passes in the background at the same time", async () => {
  await call("c/one");
  const { workspaceId } = owner;
  for (let version = 1; version <= 10; version += 1) {
    const prices = [priced("c/*", BigInt(version))];
    const list = await service.save(world(), somebody(), { prices, note: "", baseVersion: version - 1 });
    let isBegun = false;
    const background = async () => {
      while (!isBegun) await pass(rig.db.database, workspaceId, { nowMs: Date.now(), after: null });
    };
    const [answer] = await Promise.all([
      service.estimateUnpricedCalls(world(), somebody(), list).finally(() => {
        isBegun = true;
      }),
      background(),
      background(),
    ]);
    expect(answer).toEqual({ added: 1, isAll: true });
  }
});

test("a call that is corrected by hand has a cost and no estimate any more", async () => {
  await call("b/three");
  const key = await call("b/three");
  const list = await service.save(world(), somebody(), { prices: [priced("b/*", 1n)], note: "", baseVersion: 0 });
  await service.estimateUnpricedCalls(world(), somebody(), list);
  const before = await summary();
  await ledger.correct(world(), somebody(), { call: key, usd: "0.1", reason: "invoice", corrects: null });
  await service.estimateUnpricedCalls(world(), somebody(), list);
  const after = await summary();
  expect(after.estimates).toEqual({ calls: before.estimates.calls - 1, nano: before.estimates.nano - 1n });
  expect(after.corrections).toEqual({ calls: 1, nano: 100_000_000n });
  expect(after.ledger.nano).toBe(before.ledger.nano + 100_000_000n);
});

test("a call that comes later is estimated without being asked", async () => {
  const estimating = createEstimating({ ...world(), log: createLog("silent") });
  await call("b/three");
  const list = await service.save(world(), somebody(), { prices: [priced("b/*", 1n)], note: "", baseVersion: 0 });
  await service.estimateUnpricedCalls(world(), somebody(), list);
  const before = (await summary()).estimates;
  const seen = new Promise<void>((resolve) => {
    const look = async (stop: () => void) => {
      if ((await summary()).estimates.calls === before.calls) return;
      stop();
      resolve();
    };
    const stop = rig.bus.subscribe(() => void look(stop));
  });
  await call("b/four");
  await seen;
  await estimating.close();
  expect((await summary()).estimates).toEqual({ calls: before.calls + 1, nano: before.nano + 1n });
}, 10_000);

test("two people who save from the same version: one is told, and a version never changes", async () => {
  const save = () => service.save(world(), somebody(), { prices: [priced("x", 1n)], note: "", baseVersion: 0 });
  const both = await Promise.allSettled([save(), save()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(rig.db.database.pool.query("UPDATE price_version SET note = 'x'")).rejects.toThrow("only ever added to");
});
