import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BUILT_IN_MASKING } from "@quarterdeck/hooks";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import {
  deliveryOf,
  type Owner,
  type RecordingRig,
  recordedSessionsAreThere,
  recordingRig,
  recordOf,
} from "../../e2e/fixtures/recording-rig.ts";
import { countSummarySecrets } from "../dispatches/count-summary-secrets.ts";
import { maskRecord } from "../dispatches/mask-record.ts";
import { stoppedClock } from "../platform/clock.ts";
import { createLog, type Log } from "../platform/log.ts";
import { eventKey } from "../recording/event-key-schema.ts";
import { createJoinJob, type JoinJob } from "./join-job.ts";
import { breakdownView, listCompactions, type Measures, sessionContextView, trendView } from "./schema.ts";
import * as service from "./service.ts";
import { getSessionContext } from "./session-context.ts";
import { getBreakdown, getTrend } from "./trends.ts";

const START = Date.parse("2026-10-01T09:00:00.000Z");
const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00.000Z") };
interface Told {
  readonly event: string;
  readonly atMs: number;
  readonly input: object;
}

let rig: RecordingRig;
let joining: JoinJob;
beforeAll(async () => {
  rig = await recordingRig();
  const log: Log = createLog("silent");
  joining = createJoinJob({ pool: rig.db.database.pool, bus: rig.bus, log, clock: stoppedClock(START + 3_600_000) });
});
afterAll(() => rig.close());

const MASK = { masking: BUILT_IN_MASKING, name: BUILT_IN_MASKING.text, seal: () => Buffer.alloc(0), hits: new Map() };
const recordTold = (owner: Owner, { event, atMs, input }: Told) => {
  const text = JSON.stringify(input);
  const delivery = deliveryOf(`${owner.workspaceId} ${event} ${atMs} ${text}`, text);
  const record = recordOf(owner, event, text, { occurredAt: new Date(START + atMs), delivery });
  return rig.recorder.record(maskRecord(countSummarySecrets(record), MASK, undefined), false);
};

/** Everything that is kept of the owner's attempts, but the ids and their digest, which are made anew for every delivery. */
async function keptOf({ workspaceId }: Owner): Promise<Record<string, unknown>[]> {
  const { rows } = await rig.db.database.pool.query(
    "SELECT * FROM compaction_record WHERE workspace_id = $1 ORDER BY session_id, occurred_at",
    [workspaceId],
  );
  return rows.map(({ workspace_id: _w, dispatch_id: _d, agent_id: _a, facts_source: _s, ...row }) => row);
}

describe.skipIf(!recordedSessionsAreThere)(
  "recorded sessions (skipped where they do not lie beside this checkout)",
  () => {
    const FILES = ["docker-sessions-endpoint-fix", "mini-flask-5014", "spotter-4te", "spotter-gqc"];
    const told = (): Told[] =>
      FILES.flatMap((file) =>
        readFileSync(fileURLToPath(new URL(`../../../shared/data/sessions/${file}.jsonl`, import.meta.url)), "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => {
            const { event, at_ms: atMs, input } = JSON.parse(line) as { event: string; at_ms: number; input: object }; // the fixtures' own format
            return { event, atMs, input };
          }),
      );

    test("give the same records in file order and shuffled, with duplicates, joined along the way", async () => {
      const [ordered, shuffled] = [await rig.addOwner(), await rig.addOwner()];
      await Promise.all(told().map((one) => recordTold(ordered, one)));
      await joining.run();
      const twice = told().flatMap((one, at) => (at % 3 === 0 ? [one, one] : [one]));
      const mixed = twice.map((one, at) => [Math.sin(at * 7_919) % 1, one] as const).sort(([a], [b]) => a - b);
      for (let from = 0; from < mixed.length; from += 1_500) {
        await Promise.all(mixed.slice(from, from + 1_500).map(([, one]) => recordTold(shuffled, one)));
        await joining.run();
      }
      await joining.run(true);
      const kept = await keptOf(ordered);
      expect(await keptOf(shuffled)).toEqual(kept);
      const facts = kept.map((row) => [
        row.reason,
        row.tokens_before,
        row.tokens_after,
        row.after_missing,
        row.next_turns,
      ]);
      expect(facts).toEqual([
        ["manual", "72103", null, "no_call_yet", "ended"],
        ["manual", "141788", "45263", "", "full"],
        ["overflow", "10398", "10519", "", "ended"],
        ["threshold", "167060", "33960", "", "full"],
      ]);
      expect(kept.map((row) => row.cost_state)).toEqual(["not_told", "not_told", "not_told", "not_told"]);
      expect(kept.map((row) => row.is_troubled)).toEqual([null, false, expect.any(Boolean), expect.any(Boolean)]);
      expect(kept.map((row) => [row.before_turns, row.after_turns])).toEqual([
        [19, 0],
        [50, 10],
        [13, 8],
        [50, 10],
      ]);
    }, 60_000);
  },
);

/** A session by hand: every event a second after the one before. */
function session(name: string) {
  const told: Told[] = [];
  const say = (event: string, members: object = {}) =>
    void told.push({ event, atMs: told.length * 1_000, input: { session_id: name, ...members } });
  let calls = 0;
  const turn = (tool: string, tool_input: object, more: object = {}) => {
    calls += 1;
    const call = { tool_name: tool, tool_use_id: `${name}-${calls}`, tool_input };
    say("turn_start");
    say("after_llm_call", { model_id: "p/m", usage: { input_tokens: 10, cached_input_tokens: 500 - calls } });
    say("pre_tool_use", call);
    say("post_tool_use", { ...call, tool_response: "said", ...more });
    say("turn_end", { reason: "continue" });
  };
  const compact = (summary: string, reason = "threshold") => {
    const about = { input_tokens: 900, output_tokens: 100, context_limit: 2_000, compaction_reason: reason };
    say("before_compaction", about);
    say("after_compaction", { ...about, summary });
  };
  return { told, say, turn, compact };
}

function troubled(name: string): Told[] {
  const { told, say, turn, compact } = session(name);
  say("user_prompt_submit", { prompt: "Mend the parser of the ledger, please." });
  for (let at = 0; at < 12; at += 1) turn("read_file", { path: `src/file-${at}.ts` });
  turn("shell", { cmd: "npm test" }, { tool_error: true });
  compact("We mend src/file-3.ts; npm test fails. The key is ghp_16C7e42F292c6912E7710c838347Ae178B4a and so on.");
  for (let at = 0; at < 4; at += 1) turn("shell", { cmd: "npm test" }, { tool_error: true });
  turn("read_file", { path: "src/file-1.ts" });
  turn("read_file", { path: "src/other.ts" });
  say("user_followup_submit", { prompt: "mend the PARSER of the ledger please" });
  for (let at = 0; at < 4; at += 1) turn("list", { path: `d${at}` });
  turn("shell", { cmd: "npm run beyond" }, { tool_error: true });
  return told;
}

test("errors, loops, repeated questions and re-reads are counted over ten turns, against those before", async () => {
  const owner = await rig.addOwner();
  for (const one of troubled("t")) await recordTold(owner, one);
  await joining.run();
  const [row] = await keptOf(owner);
  const of = (when: "before" | "after"): Record<keyof Measures, unknown> => ({
    turns: row?.[`${when}_turns`],
    calls: row?.[`${when}_calls`],
    loops: row?.[`${when}_loops`],
    denied: row?.[`${when}_denied`],
    finished: row?.[`${when}_finished`],
    failed: row?.[`${when}_failed`],
    errors: row?.[`${when}_errors`],
    prompts: row?.[`${when}_prompts`],
    repeats: row?.[`${when}_repeats`],
    reads: row?.[`${when}_reads`],
    rereads: row?.[`${when}_rereads`],
  });
  expect(of("before")).toEqual({
    ...{ turns: 13, calls: 13, loops: 0, denied: 0, finished: 13, failed: 1, errors: 0 },
    ...{ prompts: 0, repeats: 0, reads: 12, rereads: 0 },
  });
  expect(of("after")).toEqual({
    ...{ turns: 10, calls: 10, loops: 2, denied: 0, finished: 10, failed: 4, errors: 0 },
    ...{ prompts: 1, repeats: 1, reads: 2, rereads: 1 },
  });
  expect(row).toMatchObject({ is_troubled: true, next_turns: "full", model_id: "p/m", tokens_after: "496" });
});

test("the secrets of a summary are counted by rule, and no table holds one", async () => {
  const owner = await rig.addOwner();
  for (const one of troubled("s")) await recordTold(owner, one);
  await joining.run();
  const [row] = await keptOf(owner);
  expect(row).toMatchObject({ secrets: 1, secret_rules: '[["github",1]]' });
  for (const table of ["compaction_record", "compaction", "dispatch"]) {
    const { rows } = await rig.db.database.pool.query(`SELECT * FROM ${table} WHERE workspace_id = $1`, [
      owner.workspaceId,
    ]);
    expect([table, rows.length > 0, JSON.stringify(rows).includes("16C7e42F")]).toEqual([table, true, false]);
  }
});

test("the same events in any order and number are the same record", async () => {
  const told = troubled("p");
  const first = await rig.addOwner();
  for (const one of told) await recordTold(first, one);
  await joining.run();
  const expected = await keptOf(first);
  const orders = fc.shuffledSubarray([...told, ...told.slice(20, 40)], { minLength: told.length + 20 });
  await fc.assert(
    fc.asyncProperty(orders, fc.integer({ min: 1, max: told.length }), async (order, cut) => {
      const owner = await rig.addOwner();
      await Promise.all(order.slice(0, cut).map((one) => recordTold(owner, one)));
      await joining.run();
      await Promise.all(order.slice(cut).map((one) => recordTold(owner, one)));
      await joining.run(true);
      expect(await keptOf(owner)).toEqual(expected);
    }),
    { numRuns: repetitions(3, 40) },
  );
}, 30_000);

test("fewer than three turns say nothing, and a second compaction ends the window of the first", async () => {
  const owner = await rig.addOwner();
  const { told, turn, compact } = session("two");
  turn("read_file", { path: "a" });
  compact("first");
  turn("shell", { cmd: "x" }, { tool_error: true });
  turn("shell", { cmd: "x" }, { tool_error: true });
  compact("second", "manual");
  for (const one of told) await recordTold(owner, one);
  await joining.run();
  expect(await keptOf(owner)).toMatchObject([
    { next_turns: "cut", after_turns: 2, is_troubled: null, tokens_after: "508" },
    { next_turns: "open", after_turns: 0, is_troubled: null, tokens_after: null, after_missing: "no_call_yet" },
  ]);
});

test("a session is beside its summary: what is kept and what is lost, by the letter", async () => {
  const owner = await rig.addOwner();
  for (const one of troubled("b")) await recordTold(owner, one);
  const { attempts } = await service.listAttempts(rig.db.database, owner.workspaceId, listCompactions.parse(ALL));
  const [attempt] = attempts;
  if (!attempt) throw new Error("the attempt is missing");
  const key = eventKey.parse({ occurredAt: attempt.occurredAt, id: attempt.id });
  const view = sessionContextView.parse(await getSessionContext(rig.db.database, owner.workspaceId, key));
  expect(view.files.find(({ path }) => path === "src/file-3.ts")?.recalled).toBe("whole");
  expect(view.files.find(({ path }) => path === "src/file-4.ts")?.recalled).toBe("lost");
  expect(view.commands).toEqual([{ command: "npm test", calls: 1, recalled: "whole" }]);
  const facts = [view.prompts, view.files, view.commands, view.openErrors].flat();
  const lost = facts.filter(({ recalled }) => recalled === "lost").length;
  expect(lost).toBeGreaterThan(0);
  expect(view.openErrors).toMatchObject([{ tool: "shell", what: "npm test", error: "said" }]);
  expect(view.troubles).toEqual(["failed", "loops", "repeats"]);
  expect(attempt.joined).toBeNull();
  await joining.run();
  const trouble = listCompactions.parse({ ...ALL, after: ["trouble"], models: ["p/m"] });
  expect((await service.listAttempts(rig.db.database, owner.workspaceId, trouble)).attempts).toMatchObject([
    { joined: { isTroubled: true, tokensAfter: 496n, secrets: 1 } },
  ]);
  const losing = listCompactions.parse({ ...ALL, lost: ["some"] });
  expect((await service.listAttempts(rig.db.database, owner.workspaceId, losing)).attempts).toMatchObject([
    { joined: { losses: { known: facts.length, lost } } },
  ]);
  for (const state of ["none", "unknown"] as const) {
    const other = listCompactions.parse({ ...ALL, lost: [state] });
    expect((await service.listAttempts(rig.db.database, owner.workspaceId, other)).attempts).toEqual([]);
  }
  const calm = listCompactions.parse({ ...ALL, after: ["calm"] });
  expect((await service.listAttempts(rig.db.database, owner.workspaceId, calm)).attempts).toEqual([]);
});

test("losses are counted anew when an event comes late, though no more are read than before", async () => {
  const owner = await rig.addOwner();
  const { told, say, compact } = session("w");
  const read = (path: string) => ({ tool_name: "read_file", tool_use_id: path, tool_input: { path } });
  // As many as are read of what lies before an attempt, and some.
  for (let at = 0; at < 1_505; at += 1) say("pre_tool_use", read("src/first.ts"));
  compact("Nothing is left.");
  await Promise.all(told.map((one) => recordTold(owner, one)));
  await joining.run();
  expect(await keptOf(owner)).toMatchObject([{ facts_known: 1, facts_lost: 1, facts_events: 1_500 }]);
  const late = { session_id: "w", ...read("src/late.ts") };
  await recordTold(owner, { event: "pre_tool_use", atMs: 1_400_500, input: late });
  await joining.run();
  expect(await keptOf(owner)).toMatchObject([{ facts_known: 2, facts_lost: 2, facts_events: 1_500 }]);
}, 60_000);

test("over time and by group, medians and shares are those of the records, and an empty range is empty", async () => {
  const owner = await rig.addOwner();
  const range = { from: new Date(START - 3_600_000), to: new Date(START + 3_600_000) };
  const of = { ...range, by: "reason" as const };
  const { database } = rig.db;
  expect(breakdownView.parse(await getBreakdown(database, owner.workspaceId, of))).toMatchObject({
    total: null,
  });
  expect(trendView.parse(await getTrend(database, owner.workspaceId, of)).points).toEqual([]);
  for (const name of ["x", "y"]) for (const one of troubled(name)) await recordTold(owner, one);
  await joining.run();
  const { lines, total } = breakdownView.parse(await getBreakdown(database, owner.workspaceId, of));
  expect(lines).toMatchObject([{ name: "threshold", attempts: 2, judged: 2, troubled: 2, medianRatio: 0.496 }]);
  expect(total).toMatchObject({ attempts: 2, secrets: 2, leaking: 2, costsTold: 0, after: { turns: 20, loops: 4 } });
  for (const each of [of, { ...ALL, by: "model" as const }]) {
    const { points, keys, bucketMs } = trendView.parse(await getTrend(database, owner.workspaceId, each));
    expect([keys.length, points.length, bucketMs > 0]).toEqual([1, 1, true]);
    expect(points[0]).toMatchObject({ attempts: 2, judged: 2, troubled: 2, medianRatio: 0.496 });
  }
});
