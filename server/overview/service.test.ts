import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import type { AuditEntry } from "../audit/entries.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { chartBucketsOf, rollupRangeOf } from "../recording/index.ts";
import { agentChanges as findAgentChanges } from "./agent-changes.ts";
import {
  agentChanges,
  overviewAgents,
  overviewFinalDecisions,
  overviewMarks,
  overviewSeries,
  overviewStart,
  overviewSummary,
  recentDenials,
  spendToday,
  topDenied,
} from "./schema.ts";
import * as service from "./service.ts";
import { spendToday as findSpendToday } from "./spend-today.ts";

const HOUR = 3_600_000;
const START = new Date("2026-11-20T10:17:00.000Z");
const at = (ms: number) => new Date(START.getTime() + ms);
const gate = (ms: number, verdict: "allow" | "ask" | "deny" | "none", more: object = {}): Happened => ({
  at: at(ms),
  verdict,
  input: { session_id: "s1", tool_name: "shell", tool_use_id: `call_${ms}`, tool_input: { cmd: `c${ms}` }, ...more },
});
const final = (ms: number, decision: string, more: object = {}): Happened => ({
  at: at(ms),
  event: "on_tool_approval_decision",
  input: { session_id: "s1", tool_name: "shell", approval_decision: decision, approval_source: "x", ...more },
});

let db: TestDatabase;
const open: RecordedWorkspace[] = [];
const workspace = async () => {
  const made = await recordedWorkspace(db, "one");
  open.push(made);
  return made;
};
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await db.drop();
});

describe("the sums of a range", () => {
  it("are exact to the minute whatever hours the range cuts through, and hold nobody else's", async () => {
    const [one, other] = [await workspace(), await workspace()];
    const minutes = [-60_000, 0, 40 * 60_000, 3 * HOUR, 7 * HOUR, 8 * HOUR - 60_000, 8 * HOUR];
    await one.record(...minutes.map((ms) => gate(ms, "deny")));
    await other.record(gate(0, "deny"));
    const sums = overviewSummary.parse(
      await service.summary(db.database, one.workspaceId, { from: at(0), to: at(8 * HOUR) }),
    );
    expect([sums.dispatches, sums.gates, sums.gateDenied, sums.activeAgents]).toEqual([5, 5, 5, 1]);
    expect([sums.from, sums.to, sums.perMinuteNow]).toEqual([at(0), at(8 * HOUR), null]);
  });

  it("are exact whatever days a long range cuts through, and its bars add up to them", async () => {
    const one = await workspace();
    const happened = Array.from({ length: 120 }, (_, n) => n * 7 * HOUR + n * 61_000);
    await one.record(...happened.map((ms) => gate(ms, "deny")));
    for (const [from, to] of [
      [5 * HOUR, 29 * HOUR],
      [11 * HOUR, 16 * 24 * HOUR],
      [0, 30 * 24 * HOUR],
      [23 * HOUR, 800 * HOUR],
    ] as const) {
      const range = { from: at(from), to: at(to) };
      const within = happened.filter((ms) => ms >= from && ms < to).length;
      expect((await service.summary(db.database, one.workspaceId, range)).dispatches).toBe(within);
      const { points } = await service.series(db.database, one.workspaceId, range);
      expect(points.reduce((sum, { dispatches }) => sum + dispatches, 0)).toBeGreaterThanOrEqual(within);
    }
  });

  it("tell denials here from the agents' own, and open gates from answered ones", async () => {
    const one = await workspace();
    await one.record(
      gate(1, "deny"),
      gate(2, "none"),
      gate(3, "allow"),
      final(4, "deny"),
      final(5, "canceled"),
      final(6, "allow"),
      { at: at(7), event: "after_llm_call", costUsd: "0.25", input: { model_id: "m" } },
      { at: at(8), event: "after_llm_call", input: { model_id: "m" } },
      { at: at(9), event: "after_compaction", input: { session_id: "s1" } },
    );
    const sums = await service.summary(db.database, one.workspaceId, { from: at(0), to: at(60_000) });
    expect(sums).toMatchObject({ dispatches: 9, gates: 3, gatesWithoutOpinion: 1, gateDenied: 1 });
    expect(sums).toMatchObject({ gatesDenied: 1, gatesAsked: 0, gatesWithoutRule: 1 });
    expect(sums).toMatchObject({ allowed: 1, denied: 1, canceled: 1, compactions: 1 });
    expect(sums).toMatchObject({ callsPriced: 1, callsFree: 0, callsUnpriced: 1, costNano: 250_000_000n });
  });

  it("say the rate of now only where the range reaches to now", async () => {
    const one = await workspace();
    const now = Date.now();
    await one.record({ ...gate(0, "none"), at: new Date(now - 500) });
    const live = await service.summary(db.database, one.workspaceId, {
      from: new Date(now - HOUR),
      to: new Date(now + HOUR),
    });
    expect(live.perMinuteNow).toBeGreaterThan(0);
    expect(live.perMinuteNow).toBeLessThanOrEqual(0.25);
  });
});

describe("the series", () => {
  it("adds up to the sums of its buckets and leaves empty buckets out", async () => {
    const one = await workspace();
    await one.record(gate(0, "deny"), gate(30_000, "none"), gate(20 * 60_000, "allow"));
    const range = { from: at(0), to: at(HOUR) };
    const found = overviewSeries.parse(await service.series(db.database, one.workspaceId, range));
    expect(found.bucketMs).toBe(60_000);
    expect(found.points.map(({ at, dispatches, gateDenied }) => [at, dispatches, gateDenied])).toEqual([
      [at(0), 2, 1],
      [at(20 * 60_000), 1, 0],
    ]);
    const week = await service.series(db.database, one.workspaceId, { from: at(-7 * 24 * HOUR), to: at(HOUR) });
    expect(week.points.reduce((sum, point) => sum + point.dispatches, 0)).toBe(3);
  });

  it.each([1, 6, 7, 24, 24 * 7, 24 * 30, 24 * 365 * 5])("of %d hours has few buckets that hold the range", (hours) => {
    const range = { from: at(123), to: at(123 + hours * HOUR) };
    const { from, to, bucketMs } = chartBucketsOf(range);
    expect(from <= range.from && to >= range.to).toBe(true);
    expect((to.getTime() - from.getTime()) / bucketMs).toBeLessThanOrEqual(77);
    const stretch = rollupRangeOf(range);
    const order = [stretch.from, stretch.hourFrom, stretch.dayFrom, stretch.dayTo, stretch.hourTo, stretch.to].map(
      (each) => each.getTime(),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

it("final decisions are counted by who decided, in whole hours", async () => {
  const one = await workspace();
  await one.record(
    final(1, "allow", { approval_source: "user_approved" }),
    final(2, "deny", { approval_source: "pre_tool_use_hook_deny" }),
    final(3, "allow", { approval_source: "readonly_hint" }),
    final(4, "canceled", { approval_source: "brand_new" }),
    final(3 * HOUR, "deny"),
  );
  const found = await service.finalDecisions(db.database, one.workspaceId, { from: at(0), to: at(1_000) });
  expect(overviewFinalDecisions.parse(found)).toMatchObject({ from: at(-17 * 60_000), to: at(43 * 60_000), total: 4 });
  expect(found).toMatchObject({ byPolicy: 1, byAgent: 1, byPerson: 1, unknown: 1, denied: 1, canceled: 1 });
  expect(found.deniedBy.reduce((sum, { count }) => sum + count, 0)).toBe(1);
});

it("marks of a range are its publications, rollbacks, freezes and halts, the newest and a count of the rest", async () => {
  const [one, other] = [await workspace(), await workspace()];
  const enter = (workspaceId: string, entry: AuditEntry) =>
    db.database.prisma.$transaction((tx) =>
      recordAudit(tx, { kind: "script", workspaceId, id: "test", name: "Ada" }, entry),
    );
  const range = { from: new Date(Date.now() - HOUR), to: new Date(Date.now() + HOUR) };
  const marks = async () => overviewMarks.parse(await service.marks(db.database, one.workspaceId, range));
  const policy = "0199f3b2-0000-7000-8000-000000000000";
  await enter(other.workspaceId, { kind: "workspace_frozen", version: 1, by: "Bob", reason: "" });
  await enter(one.workspaceId, { kind: "policy_created", version: 1, by: "Ada", policy, name: "gone" });
  await enter(one.workspaceId, { kind: "workspace_frozen", version: 1, by: "Ada", reason: "a release" });
  const back = {
    kind: "policy_rolled_back",
    version: 1,
    by: "Ada",
    policy,
    from: 3,
    to: 2,
    duringFreeze: null,
  } as const;
  await enter(one.workspaceId, back);
  expect(await marks()).toMatchObject({
    marks: [
      { kind: "rolled_back", policy: null, revision: 2, by: "Ada" },
      { kind: "frozen", policy: null, revision: null, by: "Ada" },
    ],
    more: 0,
  });
  for (let n = 0; n < 50; n += 1) await enter(one.workspaceId, back);
  const { marks: newest, more } = await marks();
  expect([newest.length, more]).toEqual([50, 2]);
  const before = { from: at(-HOUR), to: at(0) };
  expect(await service.marks(db.database, one.workspaceId, before)).toEqual({ marks: [], more: 0 });
});

describe("denials", () => {
  it("name each call once, by the gate that knows why", async () => {
    const one = await workspace();
    const call = { tool_use_id: "a" };
    await one.record(
      gate(1, "deny", call),
      final(2, "deny", call),
      final(3, "deny", { tool_use_id: "b", tool_name: "fetch" }),
      gate(4, "allow", { tool_use_id: "c" }),
      { ...final(5, "deny"), agentName: "reviewer" },
    );
    const range = { from: at(0), to: at(HOUR) };
    const newest = recentDenials.parse(await service.recentDenials(db.database, one.workspaceId, range));
    expect(newest.map(({ kind, toolUseId }) => [kind, toolUseId])).toEqual([
      ["final", null],
      ["final", "b"],
      ["gate", "a"],
    ]);
    const top = topDenied.parse(await service.topDenied(db.database, one.workspaceId, range));
    expect(top).toEqual({
      calls: 3,
      isWhole: true,
      tools: [
        { name: "shell", count: 2 },
        { name: "fetch", count: 1 },
      ],
      agents: [
        { name: "ci bot", count: 2 },
        { name: "reviewer", count: 1 },
      ],
    });
  });
});

it("leave out calls that wait for a person, however often the agent asks, and their final denials", async () => {
  const one = await workspace();
  const ticket = (ms: number, id: string) => ({
    ...gate(ms, "deny", { tool_use_id: id }),
    reason: "Approval required: QD-7. After a person has allowed it in Quarterdeck, make exactly the same call again.",
  });
  await one.record(
    ticket(1, "a"),
    ticket(2, "b"),
    final(3, "deny", { tool_use_id: "b", approval_source: "pre_tool_use_hook_deny" }),
    gate(4, "deny", { tool_use_id: "c" }),
  );
  const range = { from: at(0), to: at(HOUR) };
  const newest = await service.recentDenials(db.database, one.workspaceId, range);
  expect(newest.map(({ toolUseId }) => toolUseId)).toEqual(["c"]);
  expect(await service.topDenied(db.database, one.workspaceId, range)).toMatchObject({
    calls: 1,
    tools: [{ name: "shell", count: 1 }],
  });
});

describe("a fresh start", () => {
  it("ticks off what is really there", async () => {
    const one = await workspace();
    const start = async () => overviewStart.parse(await service.start(db.database, one.workspaceId));
    expect(await start()).toMatchObject({
      policy: null,
      isGoverned: false,
      agent: { name: "ci bot" },
      hasEvents: false,
    });
    await one.record(gate(0, "none"));
    expect(await start()).toMatchObject({ hasEvents: true });
  });

  it("shows when each agent was seen, and the revision it was answered by beside the one in force", async () => {
    const one = await workspace();
    const range = { from: at(0), to: at(HOUR) };
    const before = overviewAgents.parse(await service.agents(db.database, one.workspaceId, range));
    expect(before).toMatchObject({ enrolled: 1, seen: 0, rows: [{ lastSeenAt: null, lastRevision: null }] });
    await one.record({ ...gate(0, "none"), at: new Date() });
    const now = { from: new Date(Date.now() - HOUR), to: new Date(Date.now() + HOUR) };
    const after = await service.agents(db.database, one.workspaceId, now);
    expect(after).toMatchObject({
      enrolled: 1,
      seen: 1,
      rows: [{ lastRevision: "0123456789abcdef", revisionInForce: "none" }],
    });
  });
});

describe("the spend of today", () => {
  const call = (at: Date, costUsd?: string): Happened => ({
    ...{ at, event: "after_llm_call", input: { model_id: "m" } },
    ...(costUsd !== undefined && { costUsd }),
  });
  it("is compared with the same hours of the day before, at the workspace's midnights", async () => {
    const one = await workspace();
    const now = new Date("2026-11-21T09:30:00.000Z");
    await one.record(
      call(new Date("2026-11-20T08:00:00.000Z"), "0.5"),
      call(new Date("2026-11-20T09:45:00.000Z"), "4"),
      call(new Date("2026-11-21T00:00:00.000Z"), "0.25"),
      call(new Date("2026-11-21T09:29:00.000Z")),
    );
    const found = spendToday.parse(await findSpendToday(db.database, one.workspaceId, now));
    expect(found.today).toMatchObject({ costNano: 250_000_000n, calls: 2, unpriced: 1, to: now });
    expect(found.yesterday).toMatchObject({ costNano: 500_000_000n, calls: 1, unpriced: 0 });
    expect(found.yesterday.to).toEqual(new Date("2026-11-20T09:30:00.000Z"));
  });
  it("is nothing at midnight itself", async () => {
    const one = await workspace();
    const found = await findSpendToday(db.database, one.workspaceId, new Date("2026-11-21T00:00:00.000Z"));
    expect([found.today.costNano, found.yesterday.costNano]).toEqual([0n, 0n]);
  });
});

describe("the agents that changed", () => {
  const NOW = at(10 * HOUR);
  const DAY = { from: at(-14 * HOUR), to: at(11 * HOUR) };
  async function agent(workspaceId: string, name: string, createdAt: Date, lastSeenAt: Date | null): Promise<string> {
    const id = randomUUID();
    await db.owner.query(
      "INSERT INTO agent (workspace_id, id, name, created_at, last_seen_at) VALUES ($1, $2, $3, $4, $5)",
      [workspaceId, id, name, createdAt, lastSeenAt],
    );
    return id;
  }
  const tool = (workspaceId: string, agentId: string, name: string, addedAt: Date, client = "c") =>
    db.owner.query(
      `INSERT INTO tool_seen (workspace_id, agent_id, client, tool_name, skill, kind, first_seen_at, last_seen_at, added_at, calls)
       VALUES ($1, $2, $3, $4, '', 'other', $5, $5, $5, 1)`,
      [workspaceId, agentId, client, name, addedAt],
    );
  const changesOf = async (workspaceId: string) =>
    agentChanges
      .parse(await findAgentChanges(db.database, workspaceId, DAY, NOW))
      .rows.map(({ name, kind, tools, count }) => [name, kind, ...tools, count]);

  it("are those that are new, silent or call a new tool, the newest change first", async () => {
    const { workspaceId } = await workspace();
    const old = at(-40 * HOUR);
    await agent(workspaceId, "busy", old, at(9.5 * HOUR));
    await agent(workspaceId, "silent", old, at(8 * HOUR));
    await agent(workspaceId, "silent for days", old, at(-30 * HOUR));
    await agent(workspaceId, "never seen", old, null);
    const fresh = await agent(workspaceId, "fresh", at(HOUR), at(9.9 * HOUR));
    await tool(workspaceId, fresh, "shell", at(HOUR));
    const curious = await agent(workspaceId, "curious", old, at(9.8 * HOUR));
    await tool(workspaceId, curious, "shell", old);
    await tool(workspaceId, curious, "shell", at(2 * HOUR), "another client");
    await tool(workspaceId, curious, "fetch", at(3 * HOUR));
    await tool(workspaceId, curious, "browse", at(2 * HOUR));
    expect(await changesOf(workspaceId)).toEqual([
      ["silent", "silent", 0],
      ["curious", "new_tools", "browse", "fetch", 2],
      ["fresh", "new", 0],
    ]);
  });

  it("include those that an older revision answered last", async () => {
    const one = await workspace();
    await one.record(gate(HOUR, "none"));
    await db.owner.query(
      "UPDATE agent SET created_at = $2, last_seen_at = $3, last_revision = 'old' WHERE workspace_id = $1",
      [one.workspaceId, at(-40 * HOUR), at(9.9 * HOUR)],
    );
    expect((await changesOf(one.workspaceId)).map(([, kind]) => kind)).toContain("outdated");
  });
});
