import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { arbitraryDispatch } from "../../e2e/fixtures/arbitrary-dispatch.ts";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { canonicalJson } from "../audit/chain.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { createErasure } from "../record/erasure/erasure.ts";
import { requestErasure } from "../record/erasure/erasure-requests.ts";
import { sumRecords, toProjectedRecord } from "./batch.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { dispatchFacts, factsText } from "./facts.ts";
import { entryFromFacts, type FactsRow } from "./facts-entry.ts";
import { listNotableHooks } from "./hook-tables.ts";
import type { ProjectedRecord } from "./tables.ts";

const owner = { workspaceId: "00000000-0000-7000-8000-000000000001", agentId: "00000000-0000-7000-8000-000000000002" };

const rowOf = ({ record, projection, agentName }: ProjectedRecord): FactsRow => {
  const { inputText: _text, input: _input, answer: _answer, hooks: _hooks, cost: _cost, ...rest } = record;
  const { sessionId, toolName, toolUseId, toolError } = projection;
  return { ...rest, agentName, sessionId, toolName, toolUseId, toolError };
};

const entries = fc.array(
  arbitraryDispatch.map(({ event, text, minute, isGate, more }) => {
    const occurredAt = new Date(Date.UTC(2026, 10, 1, 0, minute));
    return toProjectedRecord(recordOf(owner, event, text, { ...more, occurredAt }), isGate);
  }),
  { minLength: 1, maxLength: 20 },
);

describe("the facts of a dispatch", () => {
  test("and its columns give every sum and every row that figures are read from, without its content", () => {
    fc.assert(
      fc.property(entries, (given) => {
        const anew = given.map((entry) =>
          entryFromFacts(rowOf(entry), dispatchFacts.parse(JSON.parse(factsText(entry)))),
        );
        expect(sumRecords(anew)).toEqual(sumRecords(given));
        expect(anew.map(({ judges }) => judges)).toEqual(given.map(({ judges }) => judges));
        expect(listNotableHooks(anew).map(({ hook: one }) => one)).toEqual(
          listNotableHooks(given).map(({ hook: one }) => one),
        );
        for (const [at, { projection, record }] of given.entries()) {
          const { decision, call, compaction } = projection;
          const made = anew[at];
          expect(made?.projection.call).toEqual(call);
          expect(made?.record.cost ?? null).toEqual(call === null ? null : record.cost);
          expect(made?.projection.decision).toEqual(decision && { ...decision, reason: "", excerpt: "" });
          expect(made?.projection.compaction).toEqual(compaction && { ...compaction, effectText: "", summary: null });
        }
      }),
      { numRuns: 300 },
    );
  });

  test("are canonical text that PostgreSQL can store, and no words", () => {
    fc.assert(
      fc.property(entries, (given) => {
        for (const text of given.map(factsText)) {
          expect(text).toBe(canonicalJson(JSON.parse(text)));
          expect(text).not.toMatch(/words of|\0/);
          expect(Buffer.from(text).toString()).toBe(text);
          expect(text.length).toBeLessThan(8_000);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("stored facts", () => {
  let rig: RecordingRig;
  beforeAll(async () => {
    rig = await recordingRig();
  });
  afterAll(() => rig.close());

  test("stay when the content is erased, and still give the rows of the figures", async () => {
    const record = (event: string, text: string, more: Partial<DispatchRecord> = {}) =>
      rig.recorder.record(recordOf(rig, event, text, more), true);
    const usage = '{"input_tokens":7,"output_tokens":2,"cached_input_tokens":1}';
    await record("after_llm_call", `{"session_id":"s","model_id":"a/m","cost":0.1250000000001,"usage":${usage}}`);
    await record("pre_tool_use", '{"session_id":"s","tool_name":"shell","tool_input":{"cmd":"a secret"}}', {
      verdict: "deny",
    });
    await record(
      "after_compaction",
      '{"session_id":"s","compaction_reason":"threshold","input_tokens":9,"summary":"größe"}',
    );
    const { pool } = rig.db.database;
    const admin = { kind: "script", id: "s", name: "ada", workspaceId: rig.workspaceId } as const;
    const asked = { sessionId: "s", agentName: null, reason: "request 12" };
    await inWorkspace(rig.workspaceId, () => requestErasure(rig.db.database, rig.bus, admin, asked));
    await createErasure({ pool, log: createLog("silent"), clock: systemClock }).run();
    const erased = await pool.query("SELECT id FROM dispatch WHERE workspace_id = $1 AND erased_at IS NOT NULL", [
      rig.workspaceId,
    ]);
    expect(erased.rows).toHaveLength(3);
    const { rows } = await pool.query(
      `SELECT event, input, facts::jsonb AS facts FROM dispatch WHERE workspace_id = $1 ORDER BY event`,
      [rig.workspaceId],
    );
    expect(rows).toEqual([
      {
        event: "after_compaction",
        input: "{}",
        facts: { compaction: { effect: "applied", inputTokens: 9, reason: "threshold", summaryBytes: 7 }, gate: true },
      },
      {
        event: "after_llm_call",
        input: "{}",
        facts: {
          call: { cost: "0.1250000000001", model: "a/m", usage: { cachedInput: 1, input: 7, output: 2, reasoning: 0 } },
          gate: true,
        },
      },
      {
        event: "pre_tool_use",
        input: "{}",
        facts: { decision: { kind: "gate", source: "pre_tool_use_hook_deny", verdict: "deny" }, gate: true },
      },
    ]);
    const { rows: calls } = await pool.query(
      `SELECT llm_call.model_id = facts::jsonb #>> '{call,model}' AND llm_call.cost_usd = (facts::jsonb #>> '{call,cost}')::numeric
         AND llm_call.input_tokens = (facts::jsonb #>> '{call,usage,input}')::int8 AS same
       FROM llm_call JOIN dispatch ON dispatch.workspace_id = llm_call.workspace_id
         AND dispatch.occurred_at = llm_call.occurred_at AND dispatch.id = llm_call.dispatch_id`,
    );
    expect(calls).toEqual([{ same: true }]);
  });
});
