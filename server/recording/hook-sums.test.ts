/** The sums of hooks and of final decisions, against the rows they come from. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { latencyBucket } from "./latency.ts";
import type { StoredHook } from "./schema.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const NOON = Date.UTC(2026, 10, 20, 12);
const hookOf = (more: Partial<StoredHook> = {}): StoredHook => ({
  policy: "guard",
  revision: 1,
  path: "hooks.pre_tool_use[0]",
  name: "no deletes",
  type: "command",
  outcome: "completed",
  said: "nothing",
  startedMs: 0,
  durationMs: 12,
  stdout: "",
  stderr: "",
  ...more,
});
const gate = (call: string, verdict: DispatchRecord["verdict"], hooks: StoredHook[], ms = 0) => {
  const text = JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: call });
  return { event: "pre_tool_use", text, more: { occurredAt: new Date(NOON + ms), verdict, hooks } };
};
const final = (call: string, decision: string, source: string, ms = 1_000) => {
  const input = { session_id: "s", tool_name: "shell", tool_use_id: call };
  const text = JSON.stringify({ ...input, approval_decision: decision, approval_source: source });
  return { event: "on_tool_approval_decision", text, more: { occurredAt: new Date(NOON + ms) } };
};
type Made = { event: string; text: string; more: Partial<DispatchRecord> };

async function recorded(...made: Made[]) {
  const owner = await rig.addOwner();
  for (const { event, text, more } of made) await rig.recorder.record(recordOf(owner, event, text, more), false);
  const rows = async <Row extends object>(sql: string) =>
    (await rig.db.database.pool.query<Row>(sql, [owner.workspaceId])).rows;
  return { owner, rows };
}

const SAID = ["deny", "block", "ask", "allow", "rewrite", "nothing"];
const anyHook = fc
  .record({
    policy: fc.constantFrom("guard", "watch"),
    name: fc.constantFrom("no deletes", "spend", "x".repeat(300)),
    said: fc.constantFrom(...SAID),
    outcome: fc.constantFrom("completed", "failed", "skipped"),
    durationMs: fc.double({ min: 0, max: 90_000, noNaN: true }),
  })
  .map(hookOf);
const anyGate = fc.record({
  ms: fc.integer({ min: 0, max: 3 * 86_400_000 }),
  hooks: fc.array(anyHook, { maxLength: 4 }),
});
const anyFinal = fc.record({
  ms: fc.integer({ min: 0, max: 3 * 86_400_000 }),
  source: fc.constantFrom("yolo", "user_approved", "pre_tool_use_hook_deny", "x".repeat(200), ""),
  verdict: fc.constantFrom("allow", "deny", "canceled"),
});

describe("sums of random data", () => {
  test("hours and days of hooks and of finals each come to what was recorded", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyGate, { maxLength: 40 }),
        fc.array(anyFinal, { maxLength: 40 }),
        async (gates, finals) => {
          const owner = await rig.addOwner();
          const made = [
            ...gates.map(({ ms, hooks }, index) => gate(`g${index}`, "none", hooks, ms)),
            ...finals.map(({ ms, source, verdict }, index) => final(`f${index}`, verdict, source, ms)),
          ];
          await Promise.all(
            made.map(({ event, text, more }) => rig.recorder.record(recordOf(owner, event, text, more), false)),
          );
          const { pool } = rig.db.database;
          const cells = async (sql: string) => (await pool.query({ text: sql, values: [owner.workspaceId] })).rows;
          const hooks = gates.flatMap((one) => one.hooks);
          const measured = hooks.filter((hook) => hook.outcome !== "skipped");
          const latencies = measured.reduce((sum, hook) => sum + latencyBucket(hook.durationMs), 0);
          for (const unit of ["hour", "day"]) {
            expect(
              await cells(`SELECT coalesce(sum(count), 0)::int AS hooks,
                  coalesce(sum(count) FILTER (WHERE outcome = 'failed'), 0)::int AS failed,
                  coalesce(sum(count) FILTER (WHERE outcome = 'denied'), 0)::int AS denied,
                  coalesce(sum(count * latency) FILTER (WHERE latency >= 0), 0)::int AS latencies
                FROM hook_${unit} WHERE workspace_id = $1`),
            ).toEqual([
              {
                hooks: hooks.length,
                failed: hooks.filter((hook) => hook.outcome === "failed").length,
                denied: hooks.filter((hook) => hook.outcome === "completed" && ["deny", "block"].includes(hook.said))
                  .length,
                latencies,
              },
            ]);
            const grouped = `SELECT date_trunc('${unit}', %, 'UTC') AS bucket, agent_name, tool_name, verdict, `;
            const raw = `${grouped.replace("%", "occurred_at")} count(*)::int AS count FROM tool_decision
              WHERE workspace_id = $1 AND kind = 'final' GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
            const summed = `${grouped.replace("%", "bucket")} sum(count)::int AS count FROM decision_${unit}
              WHERE workspace_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
            expect(await cells(summed)).toEqual(await cells(raw));
          }
        },
      ),
      { numRuns: repetitions(4, 60) },
    );
  });
});

describe("a final decision", () => {
  test("that followed a judge counts as the judge's, and one that followed another hook does not", async () => {
    const judge = hookOf({ type: "model", said: "deny", judge: { model: "m", costNano: "5" } });
    const { rows } = await recorded(
      gate("judged", "deny", [hookOf(), judge]),
      gate("ruled", "deny", [hookOf({ said: "deny" }), judge]),
      gate("unheeded", "deny", [judge]),
      final("judged", "deny", "pre_tool_use_hook_deny"),
      final("ruled", "deny", "pre_tool_use_hook_deny"),
      final("unheeded", "allow", "yolo"),
      final("never asked here", "deny", "pre_tool_use_hook_deny"),
    );
    const sql =
      "SELECT source, by_judge, sum(count)::int AS count FROM % WHERE workspace_id = $1 GROUP BY 1, 2 ORDER BY 1, 2";
    for (const table of ["decision_hour", "decision_day"])
      expect(await rows(sql.replace("%", table))).toEqual([
        { source: "pre_tool_use_hook_deny", by_judge: false, count: 2 },
        { source: "pre_tool_use_hook_deny", by_judge: true, count: 1 },
        { source: "yolo", by_judge: false, count: 1 },
      ]);
  });

  test("of a person who allows overturns what hooks denied or asked of that very call, and nothing else", async () => {
    const { rows } = await recorded(
      gate("a", "ask", [hookOf({ said: "ask" }), hookOf({ name: "quiet" })]),
      gate("b", "deny", [hookOf({ said: "deny" })]),
      gate("c", "ask", [hookOf({ said: "ask" })]),
      gate("d", "ask", [hookOf({ said: "ask" })]),
      final("a", "allow", "user_approved_tool"),
      final("b", "allow", "yolo"),
      final("c", "deny", "user_rejected"),
      final("d", "allow", "user_approved", 2 * 86_400_000),
    );
    expect(
      await rows(
        "SELECT tool_use_id AS call, overturned_by AS by FROM hook_outcome WHERE workspace_id = $1 ORDER BY 1",
      ),
    ).toEqual([
      { call: "a", by: "user_approved_tool" },
      { call: "b", by: null },
      { call: "c", by: null },
      { call: "d", by: null },
    ]);
  });
});

describe("in whatever order gates and last words arrive", () => {
  const judge = (said: string) => hookOf({ name: "judge", type: "model", said, judge: { model: "m", costNano: "5" } });
  const made: readonly Made[] = [
    gate("a", "deny", [judge("deny")]),
    gate("a", "ask", [hookOf({ said: "ask" }), judge("ask")], 400),
    final("a", "deny", "pre_tool_use_hook_deny", 500),
    gate("b", "ask", [hookOf({ said: "ask" })]),
    final("b", "allow", "user_approved_tool", 900),
    final("b", "allow", "user_approved", 800),
    gate("c", "allow", [judge("allow")]),
    gate("c", "allow", [judge("allow")], 100),
    final("c", "allow", "permission_request_hook_allow", 200),
    final("c", "allow", "user_approved", 300),
    gate("d", "deny", [hookOf({ said: "deny" })]),
    final("d", "deny", "pre_tool_use_hook_deny"),
  ];
  const read = async ({ rows }: Awaited<ReturnType<typeof recorded>>) => [
    await rows(
      "SELECT bucket, source, verdict, by_judge, count FROM decision_hour WHERE workspace_id = $1 ORDER BY 1, 2, 3, 4",
    ),
    await rows(
      "SELECT bucket, source, verdict, by_judge, count FROM decision_day WHERE workspace_id = $1 ORDER BY 1, 2, 3, 4",
    ),
    await rows(
      `SELECT tool_use_id, occurred_at, place, overturned_at, overturned_by FROM hook_outcome WHERE workspace_id = $1
       ORDER BY 1, 2, 3`,
    ),
  ];

  test("they are counted alike", async () => {
    const expected = await read(await recorded(...made));
    const [hours, , outcomes] = expected;
    expect(hours).toMatchObject([
      { source: "permission_request_hook_allow", by_judge: true, count: "1" },
      { source: "pre_tool_use_hook_deny", by_judge: false, count: "1" },
      { source: "pre_tool_use_hook_deny", by_judge: true, count: "1" },
      { source: "user_approved", by_judge: false, count: "2" },
      { source: "user_approved_tool", by_judge: false, count: "1" },
    ]);
    expect(outcomes?.filter(({ tool_use_id }: { tool_use_id?: string }) => tool_use_id === "b")).toMatchObject([
      { overturned_at: new Date(NOON + 800), overturned_by: "user_approved" },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...made], { minLength: made.length }), async (shuffled) => {
        expect(await read(await recorded(...shuffled))).toEqual(expected);
      }),
      { numRuns: repetitions(8, 150) },
    );
  });
});

test("failures are told apart by the engine's own sentences", async () => {
  const failed = (failure: string) => hookOf({ outcome: "failed", said: "failed", failure });
  const { rows } = await recorded(
    gate("a", "deny", [
      failed('hook "sleep 9" timed out after 1s: context deadline exceeded'),
      failed('hook "sleep 9" cancelled: context canceled'),
      failed("exited with status 3"),
      hookOf({ outcome: "skipped", said: "failed", failure: "circuit open after 5 failures in a row" }),
    ]),
  );
  const cells = await rows(
    "SELECT outcome, latency < 0 AS unmeasured FROM hook_hour WHERE workspace_id = $1 ORDER BY 1",
  );
  expect(cells).toEqual([
    { outcome: "canceled", unmeasured: true },
    { outcome: "failed", unmeasured: false },
    { outcome: "skipped", unmeasured: true },
    { outcome: "timed_out", unmeasured: false },
  ]);
});
