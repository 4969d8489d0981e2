import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { canonical } from "../audit/chain.ts";
import { createErasure } from "../evidence/erasure.ts";
import { requestErasure } from "../evidence/erasure-requests.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { entryOf, sumsOf } from "./batch.ts";
import { dispatchFacts, factsText } from "./facts.ts";
import { notableOf } from "./hook-tables.ts";
import { pricingOf } from "./judge-rows.ts";
import { costOf } from "./money.ts";
import type { DispatchRecord } from "./record.ts";
import type { StoredHook } from "./schema.ts";
import type { Entry } from "./tables.ts";

type Facts = z.infer<typeof dispatchFacts>;
const owner = { workspaceId: "00000000-0000-7000-8000-000000000001", agentId: "00000000-0000-7000-8000-000000000002" };

/** Columns of the row that stay when its content is erased. */
type Row = Pick<
  DispatchRecord,
  "id" | "workspaceId" | "agentId" | "occurredAt" | "receivedAt" | "event" | "lane" | "origin" | "verdict" | "revision"
> & { readonly agentName: string; readonly sessionId: string; readonly toolName: string | null };

/** The entry that figures are summed from, made anew of the row's columns and facts alone; words are empty. */
function entryOfFacts(row: Row, facts: Facts): Entry {
  const { call, compaction, decision } = facts;
  const { usage } = call ?? {};
  const tokens = {
    input: usage?.input ?? null,
    output: usage?.output ?? null,
    cachedInput: usage?.cachedInput ?? null,
    cachedWrite: usage?.cachedWrite ?? null,
    reasoning: usage?.reasoning ?? null,
  };
  const cost = call?.cost === undefined ? null : costOf(call.cost);
  if (typeof cost === "string") throw new Error(cost);
  const hooks = (facts.hooks ?? []).map(
    ({ isDeciding = false, isJudge = false, judge: _, name: hook, ...one }, place) => ({
      ...one,
      ...{ hook, isDeciding, isJudge, place, event: row.event },
      key: `${one.policy}\0${row.event}\0${hook}\0${one.outcome}\0${one.latency}`,
    }),
  );
  const judges = (facts.hooks ?? []).flatMap(({ judge, policy, revision, name: hook }, place) => {
    if (judge === undefined) return [];
    const { cost: nano, label = null, latencyMs = null, cause = "", usage: used = null, ...rest } = judge;
    const costNano = typeof nano === "string" ? BigInt(nano) : null;
    return [
      {
        ...rest,
        place,
        policy,
        revision,
        hook,
        label,
        latencyMs,
        cause,
        costNano,
        usage: used,
        pricing: pricingOf(nano),
      },
    ];
  });
  const failed = hooks.filter(({ outcome }) => ["failed", "timed_out", "canceled"].includes(outcome));
  return {
    record: {
      ...row,
      ...{ input: {}, inputText: "{}", answer: {}, reason: "", durationUs: 0, delivery: null, cost },
      // Only how many failed is counted by.
      hooks: failed.map(() => ({ outcome: "failed" }) as StoredHook),
    },
    projection: {
      ...{ sessionId: row.sessionId, toolName: row.toolName, toolUseId: null, toolError: null },
      detail: facts.detail ?? null,
      parentSessionId: facts.parentSession ?? null,
      decision: decision === undefined ? null : { ...decision, reason: "", excerpt: "" },
      call: call === undefined ? null : { modelId: call.model, hasUsage: usage !== undefined, tokens },
      compaction:
        compaction === undefined
          ? null
          : {
              ...{ reason: compaction.reason, effect: compaction.effect, effectText: "", summary: null },
              inputTokens: compaction.inputTokens ?? null,
              outputTokens: compaction.outputTokens ?? null,
              contextLimit: compaction.contextLimit ?? null,
              secrets: compaction.secrets === undefined ? null : JSON.stringify(compaction.secrets),
            },
    },
    isGate: facts.gate ?? false,
    occurredAt: row.occurredAt.toISOString(),
    agentName: row.agentName,
    judges: judges as unknown as Entry["judges"], // usage without absent members is the same usage
    hooks,
  };
}

const rowOf = ({ record, projection, agentName }: Entry): Row => {
  const { inputText: _text, input: _input, answer: _answer, hooks: _hooks, cost: _cost, ...rest } = record;
  return { ...rest, agentName, sessionId: projection.sessionId, toolName: projection.toolName };
};

const judge = fc.record(
  {
    model: fc.constantFrom("openai/m", "m".repeat(300)),
    provider: fc.constant("openai"),
    label: fc.constant("risk@3"),
    cause: fc.constantFrom("timed_out", "overloaded"),
    costNano: fc.constantFrom("0", "1200", null),
    latencyMs: fc.constantFrom(12.5, 0),
    usage: fc.record(
      { inputTokens: fc.nat(), outputTokens: fc.nat() },
      { requiredKeys: ["inputTokens", "outputTokens"] },
    ),
    reply: fc.constant("words of the judge"),
  },
  { requiredKeys: ["model"] },
);
const hook = fc.record(
  {
    policy: fc.constantFrom("guard", "p".repeat(200)),
    revision: fc.nat(9),
    path: fc.constant("pre_tool_use/0"),
    name: fc.constantFrom("check", "größe 😀"),
    type: fc.constantFrom("command", "model"),
    outcome: fc.constantFrom("completed", "failed", "skipped", "ignored", "refused"),
    said: fc.constantFrom("deny", "ask", "allow", "nothing", "rewrite"),
    failure: fc.constant('hook "check" timed out after 1s: context deadline exceeded'),
    startedMs: fc.constant(0),
    durationMs: fc.constantFrom(0, 3.2, 70_000),
    stdout: fc.constant("words of the hook"),
    stderr: fc.constant(""),
    judge,
  },
  {
    requiredKeys: [
      "policy",
      "revision",
      "path",
      "name",
      "type",
      "outcome",
      "said",
      "startedMs",
      "durationMs",
      "stdout",
      "stderr",
    ],
  },
);
const EVENTS = [
  ...[
    "after_llm_call",
    "before_llm_call",
    "pre_tool_use",
    "post_tool_use",
    "on_tool_approval_decision",
    "permission_request",
  ],
  ...[
    "before_compaction",
    "after_compaction",
    "session_start",
    "session_end",
    "turn_start",
    "turn_end",
    "subagent_stop",
  ],
];
const texts = fc.constantFrom("", "x", "error", "user_approved", "ü😀", "long ".repeat(100), "\0\ud800");
const counts = fc.constantFrom(0, 1, 1_000_000_000_000, -1, 1.5);
const input = fc.record(
  {
    ...{
      session_id: texts,
      parent_session_id: texts,
      tool_name: texts,
      reason: texts,
      model_id: texts,
      summary: texts,
    },
    ...{
      approval_source: texts,
      approval_decision: texts,
      compaction_reason: texts,
      prompt: fc.constant("words of a person"),
    },
    ...{ input_tokens: counts, output_tokens: counts, context_limit: counts, iteration: counts },
    usage: fc.record(
      {
        input_tokens: counts,
        output_tokens: counts,
        cached_input_tokens: counts,
        cached_write_tokens: counts,
        reasoning_tokens: counts,
      },
      { requiredKeys: [] },
    ),
    cost: fc.constantFrom(0, 0.000_000_000_4, 1.25),
  },
  { requiredKeys: [] },
);
const entries = fc.array(
  fc
    .record({
      event: fc.constantFrom(...EVENTS),
      input,
      hooks: fc.array(hook, { maxLength: 3 }),
      verdict: fc.constantFrom("none" as const, "allow" as const, "deny" as const, "ask" as const),
      answer: fc.constantFrom(
        {},
        { hook_specific_output: { updated_input: { a: 1 } } },
        { hook_specific_output: { summary: "s" } },
      ),
      isGate: fc.boolean(),
      origin: fc.constantFrom("dispatch" as const, "report" as const),
      minute: fc.nat(200),
      secrets: fc.option(fc.constant([["aws", 2]] as const), { nil: undefined }),
    })
    .map(({ event, input: given, hooks, minute, isGate, secrets, ...more }) => {
      const occurredAt = new Date(Date.UTC(2026, 10, 1, 0, minute));
      const record = recordOf(owner, event, JSON.stringify(given), {
        ...more,
        occurredAt,
        hooks: hooks as StoredHook[],
      });
      return entryOf(secrets === undefined ? record : { ...record, summarySecrets: secrets }, isGate);
    }),
  { minLength: 1, maxLength: 20 },
);

describe("the facts of a dispatch", () => {
  test("and its columns give every sum and every row that figures are read from, without its content", () => {
    fc.assert(
      fc.property(entries, (given) => {
        const anew = given.map((entry) =>
          entryOfFacts(rowOf(entry), dispatchFacts.parse(JSON.parse(factsText(entry)))),
        );
        expect(sumsOf(anew)).toEqual(sumsOf(given));
        expect(anew.map(({ judges }) => judges)).toEqual(given.map(({ judges }) => judges));
        expect(notableOf(anew).map(({ hook: one }) => one)).toEqual(notableOf(given).map(({ hook: one }) => one));
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
          expect(text).toBe(canonical(JSON.parse(text)));
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
       FROM llm_call JOIN dispatch ON dispatch.occurred_at = llm_call.occurred_at AND dispatch.id = llm_call.dispatch_id`,
    );
    expect(calls).toEqual([{ same: true }]);
  });
});
