import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { AppError } from "../../errors/app-error.ts";
import type { DispatchRecord } from "../../recording/index.ts";
import * as costs from "../service.ts";
import { type Call, correction, type LatestEntry, repricing } from "./entry.ts";
import * as service from "./service.ts";

const RANGE = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-12-01T00:00:00Z") };
const AT = new Date("2026-11-03T10:20:30.456Z");
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  owner = await rig.addOwner();
});

const somebody = () => ({ kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" });
const world = () => ({ db: rig.db.database, bus: rig.bus });
async function recorded(cost: string | null): Promise<DispatchRecord> {
  const body = { session_id: "s1", model_id: "a/m", usage: { input_tokens: 10, output_tokens: 2 } };
  const text = JSON.stringify(body).replace(/\}$/, cost === null ? "}" : `,"cost":${cost}}`);
  const record = recordOf(owner, "after_llm_call", text, { occurredAt: AT });
  await rig.recorder.record(record, false);
  return record;
}
const keyOf = ({ occurredAt, id }: DispatchRecord) => ({ occurredAt, id });
const total = async () => (await costs.summary(rig.db.database, owner.workspaceId, RANGE)).ledger;
const ask = (text: string, values: unknown[] = []) => rig.db.database.pool.query(text, values);

describe("correcting a call", () => {
  test("moves every sum by exactly the difference, and the call as reported stays", async () => {
    const call = await recorded("0.0052101000000000005");
    const before = await total();
    const { entryId } = await service.correct(world(), somebody(), {
      call: keyOf(call),
      usd: "0.004",
      reason: "The invoice says so.",
      corrects: null,
    });
    const after = await total();
    expect(after.nano - before.nano).toBe(4_000_000n - 5_210_100n);
    expect(after).toMatchObject({ calls: before.calls, priced: before.priced, unpriced: before.unpriced });
    const { rows } = await ask("SELECT cost_nano, cost_usd::text FROM llm_call WHERE dispatch_id = $1", [call.id]);
    expect(rows).toEqual([{ cost_nano: "5210100", cost_usd: "0.0052101000000000005" }]);
    const session = await ask("SELECT cost_nano FROM session WHERE workspace_id = $1", [owner.workspaceId]);
    expect(BigInt(session.rows[0]?.cost_nano)).toBe(after.nano);
    const audited = await ask("SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'call_corrected'", [
      owner.workspaceId,
    ]);
    expect(audited.rows[0]?.body).toContain(entryId);
  });

  test("of a correction points at it; one that others have corrected meanwhile is refused", async () => {
    const call = keyOf(await recorded("0.5"));
    const first = await service.correct(world(), somebody(), { call, usd: "0.4", reason: "one", corrects: null });
    const stale = service.correct(world(), somebody(), { call, usd: "0.3", reason: "two", corrects: null });
    await expect(stale).rejects.toSatisfy((error) => error instanceof AppError && error.code === "ledger_moved_on");
    await service.correct(world(), somebody(), { call, usd: "0.3", reason: "two", corrects: first.entryId });
    const { entries } = await service.history(rig.db.database, owner.workspaceId, call);
    expect(entries.map(({ step, corrects, nano }) => ({ step, corrects, nano }))).toEqual([
      { step: 2, corrects: first.entryId, nano: 300_000_000n },
      { step: 1, corrects: null, nano: 400_000_000n },
    ]);
  });

  test("prices what was unpriced: it counts as priced from then on", async () => {
    const call = keyOf(await recorded(null));
    const before = await total();
    await service.correct(world(), somebody(), { call, usd: "1.000000001", reason: "invoice", corrects: null });
    expect(await total()).toMatchObject({
      priced: before.priced + 1,
      unpriced: before.unpriced - 1,
      nano: before.nano + 1_000_000_001n,
    });
  });

  test("two at once: one stands, the other is told", async () => {
    const call = keyOf(await recorded("0.2"));
    const both = await Promise.allSettled(
      ["0.1", "0.3"].map((usd) => service.correct(world(), somebody(), { call, usd, reason: "race", corrects: null })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("of another workspace's call finds nothing", async () => {
    const call = keyOf(await recorded("0.2"));
    const stranger = await rig.addOwner();
    const elsewhere = { ...somebody(), workspaceId: stranger.workspaceId };
    const tried = service.correct(world(), elsewhere, { call, usd: "0", reason: "mine", corrects: null });
    await expect(tried).rejects.toSatisfy((error) => error instanceof AppError && error.code === "call_not_found");
  });
});

test.each(["UPDATE ledger_entry SET nano = 0", "DELETE FROM ledger_entry", "TRUNCATE ledger_entry"])(
  "an entry is only ever added: %s is refused",
  async (text) => {
    const call = keyOf(await recorded("0.2"));
    await service.correct(world(), somebody(), { call, usd: "0.1", reason: "invoice", corrects: null });
    const { rows } = await ask("SELECT count(*)::int AS count FROM ledger_entry");
    await expect(ask(text)).rejects.toThrow(/only ever added to|permission denied/);
    expect((await ask("SELECT count(*)::int AS count FROM ledger_entry")).rows).toEqual(rows);
    expect(rows[0]?.count).toBeGreaterThan(0);
  },
);

describe("what entries add", () => {
  const call: Omit<Call, "reported" | "isFree"> = {
    occurredAt: AT,
    dispatchId: "d",
    agentId: "a",
    agentName: "n",
    principalId: null,
    sessionId: "s",
    modelId: "m",
  };
  const nano = fc.bigInt({ min: 0n, max: 10n ** 15n });
  const reportedNano = fc.option(nano, { nil: null });

  test("comes to the last correction, counted once, however many there were", () => {
    fc.assert(
      fc.property(reportedNano, fc.array(nano, { minLength: 1, maxLength: 8 }), (reported, corrections) => {
        let standing: LatestEntry | null = null;
        const counts = { priced: 0, free: 0, unpriced: 0, corrected: 0 };
        counts[reported === null ? "unpriced" : reported === 0n ? "free" : "priced"] = 1;
        let sum = reported ?? 0n;
        for (const [at, next] of corrections.entries()) {
          const isFree = reported === 0n;
          const made = correction({ ...call, reported, isFree }, standing, next, {
            id: `${at}`,
            author: "",
            reason: "",
          });
          for (const key of ["priced", "free", "unpriced", "corrected"] as const) counts[key] += made.adds[key];
          sum += made.adds.corrected_nano;
          standing = made;
        }
        const last = corrections.at(-1);
        expect(sum).toBe(last);
        expect(counts).toEqual({ priced: last === 0n ? 0 : 1, free: last === 0n ? 1 : 0, unpriced: 0, corrected: 1 });
      }),
    );
  });

  test("comes to the last estimate, and nothing of it is in a reported sum", () => {
    fc.assert(
      fc.property(fc.array(reportedNano, { minLength: 1, maxLength: 8 }), (estimates) => {
        let standing: LatestEntry | null = null;
        let [count, sum] = [0, 0n];
        for (const [at, next] of estimates.entries()) {
          const made = repricing({ ...call, reported: null, isFree: false }, standing, next, {
            id: `${at}`,
            author: "",
            reason: "",
          });
          expect([made.adds.corrected_nano, made.adds.priced, made.adds.unpriced]).toEqual([0n, 0, 0]);
          count += made.adds.estimated;
          sum += made.adds.estimated_nano;
          standing = made;
        }
        const last = estimates.at(-1) ?? null;
        expect([count, sum]).toEqual([last === null ? 0 : 1, last ?? 0n]);
      }),
    );
  });
});
