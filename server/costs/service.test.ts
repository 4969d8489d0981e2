import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  expectedOfRecordedSessions,
  type RecordingRig,
  recordedSessionsAreThere,
  recordingRig,
  recordOf,
  recordSessions,
} from "../../e2e/fixtures/recording-rig.ts";
import { uuidv7 } from "../platform/ids.ts";
import { formatUsd } from "../recording/index.ts";
import { exportCalls } from "./exports.ts";
import {
  callDetailView,
  costBreakdownView,
  costCallsInput,
  costSeriesView,
  costSummaryView,
  sessionCostsView,
} from "./schema.ts";
import * as service from "./service.ts";

const START = new Date("2026-10-01T09:00:00.000Z");
const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00.000Z") };
const SESSIONS = { ...ALL, agents: [] };
const input = (more: object = {}) => costCallsInput.parse({ ...ALL, ...more });

const sums = z.record(z.string(), z.object({ calls: z.number(), usd: z.string() }));
const expected = z.object({
  overall: z.object({
    ledger: z.object({
      calls: z.number(),
      priced: z.number(),
      free: z.number(),
      unpriced: z.number(),
      without_usage: z.number(),
      usd: z.string(),
      tokens: z.record(z.string(), z.number()),
      by_model: sums,
      by_agent: sums,
    }),
  }),
  by_root_session: z.record(
    z.string(),
    z.object({ sessions: z.number(), calls: z.number(), own_usd: z.string(), usd: z.string() }),
  ),
});

describe.skipIf(!recordedSessionsAreThere)(
  "every recorded session (skipped without the recorded sessions beside this checkout)",
  () => {
    let rig: RecordingRig;
    const truth = () => expected.parse(expectedOfRecordedSessions());
    beforeAll(async () => {
      rig = await recordingRig();
      await recordSessions(rig, START);
    }, 120_000);
    afterAll(() => rig.close());

    test("the total, the counts and the tokens equal the published ones to the last digit", async () => {
      const { ledger } = costSummaryView.parse(await service.summary(rig.db.database, rig.workspaceId, ALL));
      const { usd, tokens, ...counts } = truth().overall.ledger;
      expect(formatUsd(ledger.nano)).toBe(usd);
      expect(ledger).toMatchObject({
        calls: counts.calls,
        priced: counts.priced,
        free: counts.free,
        unpriced: counts.unpriced,
      });
      expect(ledger.withoutUsage).toBe(counts.without_usage);
      expect({
        input_tokens: Number(ledger.tokens.input),
        output_tokens: Number(ledger.tokens.output),
        cached_input_tokens: Number(ledger.tokens.cachedInput),
        cached_write_tokens: Number(ledger.tokens.cachedWrite),
        reasoning_tokens: Number(ledger.tokens.reasoning),
      }).toEqual(tokens);
    });

    test.each(["model", "agent"] as const)("each %s costs what it should", async (by) => {
      const { lines, rest } = costBreakdownView.parse(
        await service.breakdown(rig.db.database, rig.workspaceId, ALL, by),
      );
      const own = Object.fromEntries(
        lines.map(({ name, ledger }) => [name, { calls: ledger.calls, usd: formatUsd(ledger.nano) }]),
      );
      expect(own).toEqual(by === "model" ? truth().overall.ledger.by_model : truth().overall.ledger.by_agent);
      expect(rest).toBeNull();
      expect(lines.map(({ ledger }) => ledger.nano)).toEqual(
        lines.map(({ ledger }) => ledger.nano).sort((a, b) => (a > b ? -1 : 1)),
      );
    });

    test.each(["model", "agent"] as const)("the bars of the series by %s add up to the total", async (by) => {
      const series = costSeriesView.parse(await service.series(rig.db.database, rig.workspaceId, { ...ALL, by }));
      expect(formatUsd(series.points.reduce((sum, point) => sum + point.nano, 0n))).toBe(truth().overall.ledger.usd);
      expect(series.points.reduce((sum, point) => sum + point.calls, 0)).toBe(truth().overall.ledger.calls);
      expect(series.keys).toHaveLength(6);
      for (const { at } of series.points) expect(at >= series.from && at < series.to).toBe(true);
    });

    test("sessions with all below them equal the published roots, and no session stands twice", async () => {
      const { sessions, isCut, withoutSession } = sessionCostsView.parse(
        await service.bySession(rig.db.database, rig.workspaceId, SESSIONS),
      );
      expect(isCut).toBe(false);
      expect(new Set(sessions.map((session) => session.sessionId)).size).toBe(sessions.length);
      const roots = sessions.filter((session) => session.depth === 0);
      for (const { sessionId, descendants, own, tree } of roots)
        expect({
          sessions: descendants + 1,
          calls: tree.calls,
          own_usd: formatUsd(own.nano),
          usd: formatUsd(tree.nano),
        }).toEqual(truth().by_root_session[sessionId]);
      const total = roots.reduce((sum, { tree }) => sum + tree.nano, withoutSession.nano);
      expect(formatUsd(total)).toBe(truth().overall.ledger.usd);
    });

    test("walking the calls page by page meets each once, and they add up to the total", async () => {
      const met: { id: string; nano: bigint | null; at: number }[] = [];
      let cursor: { occurredAt: Date; id: string } | null = null;
      do {
        const page = await service.calls(rig.db.database, rig.workspaceId, input({ limit: 97, cursor }));
        met.push(...page.calls.map(({ id, nano, occurredAt }) => ({ id, nano, at: occurredAt.getTime() })));
        cursor = page.next;
      } while (cursor);
      expect(new Set(met.map(({ id }) => id)).size).toBe(truth().overall.ledger.calls);
      expect(met).toHaveLength(truth().overall.ledger.calls);
      expect(formatUsd(met.reduce((sum, { nano }) => sum + (nano ?? 0n), 0n))).toBe(truth().overall.ledger.usd);
      expect(met.map(({ at }) => at)).toEqual(met.map(({ at }) => at).sort((a, b) => b - a));
    });

    test("filters keep what they name", async () => {
      const { calls } = await service.calls(
        rig.db.database,
        rig.workspaceId,
        input({ pricings: ["free"], limit: 200 }),
      );
      expect(calls).toHaveLength(truth().overall.ledger.free);
      expect(new Set(calls.map(({ pricing, nano, usd }) => `${pricing} ${nano} ${usd}`))).toEqual(
        new Set(["free 0 0"]),
      );
      const models = ["openai/gpt-4o", "openai/gpt-5"];
      const some = await service.calls(rig.db.database, rig.workspaceId, input({ models }));
      const total = await service.callsTotal(rig.db.database, rig.workspaceId, input({ models }));
      expect(total).toEqual({
        calls: some.calls.length,
        unpriced: some.calls.filter(({ pricing }) => pricing === "unpriced").length,
        nano: some.calls.reduce((sum, { nano, corrected }) => sum + (corrected ?? nano ?? 0n), 0n),
      });
      expect(some.next).toBeNull();
      expect(some.calls).toHaveLength(3);
      const [session] = some.calls;
      const own = await service.calls(
        rig.db.database,
        rig.workspaceId,
        input({ sessions: [session?.sessionId ?? ""], text: "OPENAI" }),
      );
      expect(own.calls.length).toBeGreaterThan(0);
      expect(own.calls.every((call) => call.sessionId === session?.sessionId)).toBe(true);
    });

    test("one call shows what the agent wrote, digit by digit", async () => {
      const { calls } = await service.calls(
        rig.db.database,
        rig.workspaceId,
        input({ models: ["google/gemini-2.5-flash"] }),
      );
      const [first] = calls;
      if (!first) throw new Error("the call is missing");
      const call = callDetailView.parse(
        await service.call(rig.db.database, rig.workspaceId, { occurredAt: first.occurredAt, id: first.id }),
      );
      expect(call.input).toContain(`"cost":${call.usd}`);
      expect(call.inputBytes).toBe(Buffer.byteLength(call.input));
      expect(call.question).not.toBeNull();
    });
  },
);

describe("odd ledgers", () => {
  let rig: RecordingRig;
  beforeAll(async () => {
    rig = await recordingRig();
  });
  afterAll(() => rig.close());
  const at = (text: string) => ({ occurredAt: new Date(text) });
  const call = (members: string, more: object = {}) =>
    rig.recorder.record(recordOf(rig, "after_llm_call", `{${members}}`, more), false);

  test("an empty workspace has spent nothing and says that nothing was counted", async () => {
    const { workspaceId } = await rig.addOwner();
    const { ledger, models } = await service.summary(rig.db.database, workspaceId, ALL);
    expect([ledger.calls, ledger.nano, models]).toEqual([0, 0n, 0]);
    expect(await service.series(rig.db.database, workspaceId, { ...ALL, by: "model" })).toMatchObject({
      points: [],
      keys: [],
    });
    expect(await service.breakdown(rig.db.database, workspaceId, ALL, "agent")).toEqual({ lines: [], rest: null });
    expect((await service.bySession(rig.db.database, workspaceId, SESSIONS)).sessions).toEqual([]);
    expect(await service.calls(rig.db.database, workspaceId, input())).toEqual({ calls: [], next: null });
  });

  test("long ranges are exact to the minute at both ends, while minutes are kept", async () => {
    const owner = await rig.addOwner();
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const minutes = ["08:59", "09:00", "09:59", "10:00", "15:30", "20:59", "21:00", "21:01"];
    for (const minute of minutes)
      await rig.recorder.record(
        recordOf(owner, "after_llm_call", '{"cost":1,"model_id":"m"}', at(`${day}T${minute}:30.500Z`)),
        false,
      );
    const between = async (from: string, to: string) => {
      const range = { from: new Date(`${day}T${from}:00Z`), to: new Date(`${day}T${to}:00Z`) };
      return (await service.summary(rig.db.database, owner.workspaceId, range)).ledger.calls;
    };
    expect(await between("09:00", "21:01")).toBe(6);
    expect(await between("08:59", "21:02")).toBe(8);
    expect(await between("09:01", "20:59")).toBe(3);
    expect(await between("09:00", "09:01")).toBe(1);
    expect(await between("09:00", "15:00")).toBe(3);
    expect(await between("09:00", "15:31")).toBe(4);
  });

  test("calls of coding harnesses have a total of their own, within the spend", async () => {
    const owner = await rig.addOwner();
    const calls = [
      '{"model_id":"claude-code","cost":0.5}',
      '{"model_id":"claude-code","cost":0.25,"usage":{"input_tokens":3}}',
      '{"model_id":"codex","usage":{"input_tokens":7,"output_tokens":2}}',
      '{"model_id":"acme/large","cost":1}',
      '{"cost":2}',
      // Another client's own model is no harness of docker-agent.
      '{"model_id":"large","ext":{"dialect":"cursor"}}',
    ];
    for (const text of calls) await rig.recorder.record(recordOf(owner, "after_llm_call", text), false);
    const { ledger, harness } = await service.summary(rig.db.database, owner.workspaceId, ALL);
    expect([ledger.calls, ledger.nano]).toEqual([6, 3_750_000_000n]);
    expect(harness).toMatchObject({ calls: 3, priced: 2, unpriced: 1, nano: 750_000_000n });
    const madeBy = async (...makers: string[]) => {
      const asked = costCallsInput.parse({ ...ALL, makers });
      const [list, total] = await Promise.all([
        service.calls(rig.db.database, owner.workspaceId, asked),
        service.callsTotal(rig.db.database, owner.workspaceId, asked),
      ]);
      return [list.calls.map(({ modelId }) => modelId).toSorted(), total.calls, total.nano];
    };
    expect(await madeBy("harness")).toEqual([["claude-code", "claude-code", "codex"], 3, 750_000_000n]);
    expect(await madeBy("provider")).toEqual([["", "acme/large", "cursor/large"], 3, 3_000_000_000n]);
    expect((await madeBy("provider", "harness"))[1]).toBe(6);
    expect(costCallsInput.safeParse({ ...ALL, makers: ["robot"] }).success).toBe(false);
    const { text } = await exportCalls(rig.db.database, owner.workspaceId, {
      ...{ ...costCallsInput.parse(ALL), format: "json" as const },
    });
    const made = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).made_by);
    expect(made.toSorted()).toEqual(["harness", "harness", "harness", null, "provider", "provider"]);
  });

  test("a call that names no model, agent or session is still counted, listed and summed", async () => {
    const owner = await rig.addOwner();
    await rig.recorder.record(recordOf(owner, "after_llm_call", '{"cost":0.25,"usage":{"input_tokens":3}}'), false);
    await rig.recorder.record(recordOf(owner, "stop", '{"session_id":"s"}'), false);
    const { ledger } = await service.summary(rig.db.database, owner.workspaceId, ALL);
    expect([ledger.calls, ledger.nano]).toEqual([1, 250_000_000n]);
    const { lines } = await service.breakdown(rig.db.database, owner.workspaceId, ALL, "model");
    expect(lines.map(({ name }) => name)).toEqual([""]);
    const { sessions, withoutSession } = await service.bySession(rig.db.database, owner.workspaceId, SESSIONS);
    expect([sessions.length, withoutSession.nano, withoutSession.tokens]).toEqual([0, 250_000_000n, 3n]);
  });

  test("sessions that name each other parent, themselves or a stranger stand once each", async () => {
    const owner = await rig.addOwner();
    const stranger = await rig.addOwner(owner.workspaceId);
    const say = (event: string, input: object, who = owner) =>
      rig.recorder.record(recordOf(who, event, JSON.stringify(input)), false);
    for (const session_id of ["a", "b", "self", "child", "lost"])
      await say("after_llm_call", { session_id, cost: 1, model_id: "m" });
    await say("subagent_stop", { session_id: "a", parent_session_id: "b" });
    await say("subagent_stop", { session_id: "b", parent_session_id: "a" });
    await say("subagent_stop", { session_id: "self", parent_session_id: "self" });
    await say("subagent_stop", { session_id: "child", parent_session_id: "a" });
    await say("subagent_stop", { session_id: "lost", parent_session_id: "never seen" });
    await say("after_llm_call", { session_id: "x", cost: 7, model_id: "m" }, stranger);
    await say("subagent_stop", { session_id: "x", parent_session_id: "a" }, stranger);
    const { sessions } = await service.bySession(rig.db.database, owner.workspaceId, SESSIONS);
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual(["a", "b", "child", "lost", "self", "x"]);
    const roots = sessions.filter(({ depth }) => depth === 0);
    expect(roots.reduce((sum, { tree }) => sum + tree.nano, 0n)).toBe(12_000_000_000n);
    expect(roots.find(({ sessionId }) => sessionId === "x")?.tree.nano).toBe(7_000_000_000n);
  });

  test("names with NUL, lone surrogates, quotes and SQL are names, in filters too", async () => {
    const model_id = `a\u0000b\ud800'; DROP TABLE llm_call; --`;
    await call(`"model_id":${JSON.stringify(model_id)},"cost":0.5,"session_id":"hostile"`);
    const { calls } = await service.calls(
      rig.db.database,
      rig.workspaceId,
      input({ models: [model_id], text: "drop\u0000" }),
    );
    expect(calls).toEqual([]);
    const found = await service.calls(
      rig.db.database,
      rig.workspaceId,
      input({ models: [model_id], text: "drop table" }),
    );
    expect(found.calls.map(({ nano }) => nano)).toEqual([500_000_000n]);
  });

  test("ranges at the ends of time are answered", async () => {
    await call('"model_id":"ends","cost":3,"session_id":"ends"');
    const range = { from: new Date(-8.64e15), to: new Date(8.64e15) };
    const { ledger } = await service.summary(rig.db.database, rig.workspaceId, range);
    expect(ledger.calls).toBeGreaterThan(0);
    expect((await service.calls(rig.db.database, rig.workspaceId, input(range))).calls.length).toBeGreaterThan(0);
    await service.series(rig.db.database, rig.workspaceId, { ...range, by: "agent" });
  });

  test("another workspace sees nothing, not even by key", async () => {
    await call('"model_id":"ours","cost":3,"session_id":"ours"');
    const { calls } = await service.calls(rig.db.database, rig.workspaceId, input({ models: ["ours"] }));
    const [ours] = calls;
    if (!ours) throw new Error("the call is missing");
    const { workspaceId } = await rig.addOwner();
    expect((await service.summary(rig.db.database, workspaceId, ALL)).ledger.calls).toBe(0);
    expect((await service.calls(rig.db.database, workspaceId, input())).calls).toEqual([]);
    expect((await service.bySession(rig.db.database, workspaceId, SESSIONS)).sessions).toEqual([]);
    const key = { occurredAt: ours.occurredAt, id: ours.id };
    await expect(service.call(rig.db.database, workspaceId, key)).rejects.toMatchObject({ code: "dispatch_not_found" });
    const none = { occurredAt: ours.occurredAt, id: uuidv7() };
    await expect(service.call(rig.db.database, rig.workspaceId, none)).rejects.toMatchObject({
      code: "dispatch_not_found",
    });
  });
});
