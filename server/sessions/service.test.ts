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
import { AppError } from "../errors/app-error.ts";
import { stoppedClock } from "../platform/clock.ts";
import { coverage } from "./coverage/service.ts";
import { lookAtDue } from "./gap-scanner.ts";
import {
  coverageView,
  listSessions,
  outlineView,
  type RowView,
  rowsView,
  sessionsView,
  timelineInput,
} from "./schema.ts";
import * as service from "./service.ts";

const START = Date.parse("2026-10-01T09:00:00.000Z");
const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00.000Z") };
const later = stoppedClock(START + 7 * 24 * 3_600_000);

const line = z.object({ parent: z.string().nullable(), event_count: z.number() });
const expected = z.object({
  overall: z.object({ events: z.record(z.string(), z.number()), tool_call_totals: z.record(z.string(), z.number()) }),
  by_session: z.record(z.string(), line),
  by_root_session: z.record(z.string(), z.object({ calls: z.number(), usd: z.string(), own_usd: z.string() })),
});

const nanoOf = (usd: string): bigint => {
  const [whole = "0", fraction = ""] = usd.split(".");
  return BigInt(whole + fraction.padEnd(9, "0").slice(0, 9));
};

async function whole(rig: RecordingRig, input: z.infer<typeof timelineInput>) {
  const outline = outlineView.parse(await service.outline(rig.db.database, rig.workspaceId, input, later));
  const rows: RowView[] = [];
  for (const [at, from] of outline.pages.entries()) {
    const asked = { ...input, from, to: outline.pages[at + 1] ?? null };
    rows.push(...rowsView.parse(await service.rows(rig.db.database, rig.workspaceId, asked)).rows);
  }
  return { outline, rows };
}

async function lookAtAll(rig: RecordingRig) {
  let looked = 0;
  for (let more = 1; more > 0; looked += more) more = await lookAtDue(rig.db.database, rig.workspaceId, later);
  return looked;
}

describe.skipIf(!recordedSessionsAreThere)(
  "every recorded session (skipped without the recorded sessions beside this checkout)",
  () => {
    let rig: RecordingRig;
    const truth = recordedSessionsAreThere ? expected.parse(expectedOfRecordedSessions()) : null;
    beforeAll(async () => {
      rig = await recordingRig();
      await recordSessions(rig, new Date(START));
    }, 120_000);
    afterAll(() => rig.close());

    test("is listed once, however the list is paged", async () => {
      const seen: string[] = [];
      let cursor: z.infer<typeof sessionsView>["next"] = null;
      do {
        const input = listSessions.parse({ ...ALL, limit: 7, cursor });
        const page = sessionsView.parse(await service.list(rig.db.database, rig.workspaceId, input, later));
        seen.push(...page.sessions.map(({ sessionId }) => sessionId));
        cursor = page.next;
      } while (cursor);
      expect(seen.toSorted()).toEqual(Object.keys(truth?.by_session ?? {}).toSorted());
    });

    test("has the events and the money of its whole tree, on every page and to the nano-dollar", async () => {
      for (const [sessionId, { usd, own_usd }] of Object.entries(truth?.by_root_session ?? {})) {
        const { outline, rows } = await whole(rig, timelineInput.parse({ agentId: rig.agentId, sessionId }));
        const below = outline.lanes.map((lane) => truth?.by_session[lane.sessionId]?.event_count ?? Number.NaN);
        expect(rows).toHaveLength(below.reduce((a, b) => a + b, 0));
        expect(new Set(rows.map(({ key }) => key.id)).size).toBe(rows.length);
        expect(outline.lanes[0]?.tree.nano).toBe(nanoOf(usd));
        expect(outline.lanes[0]?.own.nano).toBe(nanoOf(own_usd));
        expect(rows.at(-1)?.spentNano).toBe(nanoOf(usd));
        expect(rows.at(-1)?.unpriced).toBe(outline.lanes[0]?.tree.unpriced);
      }
    });

    test("was seen whole: every turn has its end and every tool call its decision", async () => {
      expect(await lookAtAll(rig)).toBe(40);
      const { gaps, waiting, sessions } = coverageView.parse(await coverage(rig.db.database, rig.workspaceId, ALL));
      expect([sessions, waiting]).toEqual([40, 0]);
      expect(gaps).toMatchObject({
        turns: truth?.overall.events.turn_start,
        calls: truth?.overall.events.before_llm_call,
        toolCalls: truth?.overall.tool_call_totals.decided,
        missing: 0,
        turnsWithoutEnd: 0,
        callsWithoutAnswer: 0,
        toolsWithoutDecision: 0,
        toolsWithoutResult: 0,
        iterationsSkipped: 0,
      });
    });

    test("is filtered to its kinds without a change to the money", async () => {
      const sessionId = "c2b2cbca-5615-485d-a1a8-1188e47dfa35";
      const input = timelineInput.parse({ agentId: rig.agentId, sessionId });
      const [all, some] = [await whole(rig, input), await whole(rig, { ...input, kinds: ["tool"] })];
      const spent = new Map(all.rows.map((row) => [row.key.id, row.spentNano]));
      expect(some.rows.length).toBeLessThan(all.rows.length);
      expect(some.rows.every((row) => row.spentNano === spent.get(row.key.id))).toBe(true);
    });
  },
);

describe("a session of 10,000 events", () => {
  let rig: RecordingRig;
  const input = () => timelineInput.parse({ agentId: rig.agentId, sessionId: "../?long&é" });
  let all: readonly RowView[] = [];
  beforeAll(async () => {
    rig = await recordingRig();
    await rig.db.database.pool.query("SELECT quarterdeck_add_month('2026-10-01'), quarterdeck_add_month('2026-11-01')");
    await rig.db.database.pool.query(
      `WITH rows AS (
         SELECT n, gen_random_uuid() AS id, timestamptz '2026-10-31 23:00:00Z' + (n / 3) * interval '1 second' AS at,
           CASE WHEN n % 500 < 40 AND n > 1000 THEN 'child' ELSE $3 END AS session_id,
           (ARRAY['turn_start', 'after_llm_call', 'pre_tool_use', 'post_tool_use', 'turn_end'])[1 + n % 5] AS event
         FROM generate_series(0, 9999) AS n
       ), put AS (
         INSERT INTO dispatch (workspace_id, id, occurred_at, received_at, agent_id, agent_name, session_id, event, lane, origin,
           tool_error, verdict, revision, duration_us, input, answer, hooks)
         SELECT $1, id, at, at, $2, 'a', session_id, event, 'default', 'report', event = 'post_tool_use' AND n % 100 = 3, 'none',
           '', 0, '{}', '{}', '[]' FROM rows
       ), paid AS (
         INSERT INTO llm_call (workspace_id, occurred_at, dispatch_id, agent_id, agent_name, session_id, model_id, cost_nano, cost_usd, has_usage)
         SELECT $1, at, id, $2, 'a', session_id, 'm', CASE WHEN n % 7 = 0 THEN NULL ELSE n END,
           CASE WHEN n % 7 = 0 THEN NULL ELSE n / 1e9 END, false FROM rows WHERE event = 'after_llm_call'
       )
       INSERT INTO session (workspace_id, agent_id, session_id, agent_name, parent_session_id, first_at, last_at, events, denied,
         compactions, calls_priced, calls_free, calls_unpriced, cost_nano, tokens)
       SELECT $1, $2, session_id, 'a', CASE WHEN session_id = 'child' THEN $3 END, min(at), max(at), count(*), 0, 0, 1, 0, 0, 1, 0
       FROM rows GROUP BY session_id`,
      [rig.workspaceId, rig.agentId, "../?long&é"],
    );
    all = (await whole(rig, input())).rows;
  }, 60_000);
  afterAll(() => rig.close());

  test("is covered by its pages, each row exactly once and in order", async () => {
    expect(all).toHaveLength(10_000);
    expect(new Set(all.map(({ key }) => key.id)).size).toBe(10_000);
    const inOrder = all.toSorted(
      (a, b) => a.key.occurredAt.getTime() - b.key.occurredAt.getTime() || (a.key.id < b.key.id ? -1 : 1),
    );
    expect(all.map(({ key }) => key.id)).toEqual(inOrder.map(({ key }) => key.id));
  });

  test("has the same money at an event wherever the window around it begins", async () => {
    for (const at of [1, 777, 4_999, 9_000]) {
      const window = { ...input(), from: all[at]?.key, to: all[at + 100]?.key ?? null };
      const { rows } = await service.rows(rig.db.database, rig.workspaceId, z.any().parse(window));
      expect(rows.map((row) => [row.key.id, row.spentNano, row.unpriced])).toEqual(
        all.slice(at, at + 100).map((row) => [row.key.id, row.spentNano, row.unpriced]),
      );
    }
    const sum = Array.from({ length: 10_000 }, (_, n) => n).filter((n) => n % 5 === 1 && n % 7 !== 0);
    expect(all.at(-1)?.spentNano).toBe(BigInt(sum.reduce((a, b) => a + b, 0)));
    expect(all.at(-1)?.unpriced).toBe(2_000 - sum.length);
  });

  test("says in which row each error is, and how its rows are spread over time", async () => {
    const { outline } = await whole(rig, input());
    expect(outline.marks.map(({ at }) => all[at]?.isError)).toEqual(Array.from({ length: 100 }, () => true));
    expect(outline.slots.reduce((sum, { rows }) => sum + rows, 0)).toBe(10_000);
    expect(outline.slots.length).toBeLessThanOrEqual(160);
  });

  test("shows of a folded sub-session only where it opens, and counts its money all the same", async () => {
    const { rows, outline } = await whole(rig, { ...input(), folded: ["child"] });
    expect(rows.filter(({ lane }) => lane === 1).map(({ key }) => key.id)).toEqual([outline.lanes[1]?.firstId]);
    expect(rows.at(-1)?.spentNano).toBe(all.at(-1)?.spentNano);
  });
});

describe("sessions", () => {
  let rig: RecordingRig;
  beforeAll(async () => {
    rig = await recordingRig();
  });
  afterAll(() => rig.close());

  const say = (event: string, members: object, atMs: number, more: object = {}) =>
    rig.recorder.record(
      recordOf(rig, event, JSON.stringify(members), { occurredAt: new Date(START + atMs), ...more }),
      false,
    );

  test("of another workspace or another agent are not found", async () => {
    await say("turn_start", { session_id: "mine" }, 0);
    const [stranger, other] = [await rig.addOwner(), await rig.addOwner(rig.workspaceId)];
    for (const { workspaceId, agentId } of [stranger, other])
      await expect(
        service.outline(rig.db.database, workspaceId, timelineInput.parse({ agentId, sessionId: "mine" })),
      ).rejects.toThrow(AppError);
  });

  test("that are each other's parents end where they began", async () => {
    await say("subagent_stop", { session_id: "a", parent_session_id: "b" }, 0);
    await say("subagent_stop", { session_id: "b", parent_session_id: "a" }, 5);
    const { rows, outline } = await whole(rig, timelineInput.parse({ agentId: rig.agentId, sessionId: "a" }));
    expect([rows.length, outline.lanes.map(({ sessionId }) => sessionId)]).toEqual([2, ["a", "b"]]);
    expect(outline.ancestors).toEqual(["b"]);
  });

  test("are running, ended or quiet by what was heard, and when", async () => {
    await say("turn_start", { session_id: "q" }, 0);
    await say("session_end", { session_id: "e", reason: "stream_ended" }, 0);
    const states = async (atMs: number) => {
      const input = listSessions.parse(ALL);
      const { sessions } = await service.list(rig.db.database, rig.workspaceId, input, stoppedClock(START + atMs));
      return ["q", "e"].map((id) => sessions.find(({ sessionId }) => sessionId === id)?.state);
    };
    expect([await states(1_000), await states(3_600_000)]).toEqual([
      ["running", "ended"],
      ["quiet", "ended"],
    ]);
  });

  test("are named by their first prompt, in one line and cut, and by none that was not recorded", async () => {
    const prompt = `Fix\n the ${"build ".repeat(40)}`;
    await say("session_start", { session_id: "unnamed" }, 0);
    await say("session_start", { session_id: "named" }, 0);
    await say("user_prompt_submit", { session_id: "named", prompt }, 1);
    await say("user_prompt_submit", { session_id: "named", prompt: "Now the tests" }, 2);
    const input = { ...listSessions.parse(ALL), text: "" };
    const { sessions } = await service.list(rig.db.database, rig.workspaceId, input, later);
    const title = sessions.find(({ sessionId }) => sessionId === "named")?.title ?? "";
    expect(title).toMatch(/^Fix the build build .*…$/);
    expect(title.length).toBeLessThanOrEqual(80);
    expect(sessions.find(({ sessionId }) => sessionId === "unnamed")?.title).toBeNull();
    const { session } = await service.outline(
      rig.db.database,
      rig.workspaceId,
      timelineInput.parse({ agentId: rig.agentId, sessionId: "named" }),
    );
    expect(session.title).toBe(title);
  });

  test("are found by words of their titles, ids and agents, and not by an erased prompt", async () => {
    await say("user_prompt_submit", { session_id: "s-41", prompt: 'Repair the "Checkout" page\nof the shop' }, 1);
    await say("user_prompt_submit", { session_id: "s-42", prompt: `${"long ".repeat(30)} beyond` }, 1);
    await say("session_start", { session_id: "checkout-id" }, 2);
    const idsOf = async (text: string) => {
      const input = listSessions.parse({ ...ALL, text });
      const { sessions, next, searched } = await service.list(rig.db.database, rig.workspaceId, input, later);
      expect([next, searched]).toEqual([null, null]);
      return sessions.map(({ sessionId }) => sessionId);
    };
    expect(await idsOf("checkout")).toEqual(["checkout-id", "s-41"]);
    expect(await idsOf('"CHECKOUT" page of')).toEqual(["s-41"]);
    expect(await idsOf("checkout s-41")).toEqual(["s-41"]);
    expect(await idsOf("beyond")).toEqual([]);
    await rig.db.database.pool.query("UPDATE dispatch SET input = '{}' WHERE session_id = 's-41'");
    expect(await idsOf("checkout")).toEqual(["checkout-id"]);
  });

  test("are searched a limited number at a time, and the next page goes on after them", async () => {
    const { pool } = rig.db.database;
    await pool.query(
      `INSERT INTO session (workspace_id, agent_id, session_id, agent_name, first_at, last_at, events, denied, compactions,
         calls_priced, calls_free, calls_unpriced, cost_nano, tokens)
       SELECT $1, $2, 'bulk-' || n, 'bulk', $3::timestamptz, $3::timestamptz + n * interval '1 second', 1, 0, 0, 0, 0, 0, 0, 0
       FROM generate_series(0, 2100) AS n`,
      [rig.workspaceId, rig.agentId, new Date(START)],
    );
    const input = listSessions.parse({ ...ALL, agents: ["bulk"], text: "bulk-9", limit: 20 });
    const first = await service.list(rig.db.database, rig.workspaceId, input, later);
    expect(first.sessions.map(({ sessionId }) => sessionId).slice(0, 2)).toEqual(["bulk-999", "bulk-998"]);
    expect(first.next).toMatchObject({ sessionId: "bulk-980" });
    const page = await service.list(rig.db.database, rig.workspaceId, { ...input, text: "bulk-42" }, later);
    expect(page.searched).toEqual({ sessions: 2_000, until: new Date(START + 101_000) });
    expect(page.sessions.map(({ sessionId }) => sessionId)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => `bulk-42${9 - n}`),
    ]);
    const rest = { ...input, text: "bulk-42", cursor: page.next };
    const end = await service.list(rig.db.database, rig.workspaceId, rest, later);
    expect(end.sessions.map(({ sessionId }) => sessionId)).toEqual(["bulk-42"]);
    expect([end.next, end.searched]).toEqual([null, null]);
  });

  test("with an id longer than an index holds are found by the whole id", async () => {
    const sessionId = `"{long}" ${"x/..%00".repeat(500)}`;
    await say("turn_start", { session_id: sessionId }, 0);
    const { rows } = await whole(rig, timelineInput.parse({ agentId: rig.agentId, sessionId }));
    expect(rows).toHaveLength(1);
  });

  test("show a late event's gap until it comes, and reports say how late they were", async () => {
    const { agentId } = await rig.addOwner(rig.workspaceId);
    const report = { agentId, receivedAt: new Date(START + 60_000) };
    await say("turn_start", { session_id: "late" }, 0, report);
    await say("turn_end", { session_id: "other" }, 1_000, report);
    await say("turn_start", { session_id: "other" }, 0, report);
    const missing = async () => {
      await lookAtDue(rig.db.database, rig.workspaceId, later);
      return coverage(rig.db.database, rig.workspaceId, { ...ALL, agentId });
    };
    expect((await missing()).gaps).toMatchObject({
      missing: 1,
      turnsWithoutEnd: 1,
      implied: 4,
      toolsWithoutDecision: null,
    });
    await say("turn_end", { session_id: "late" }, 500, { agentId, receivedAt: new Date(START - 200) });
    expect((await coverage(rig.db.database, rig.workspaceId, { ...ALL, agentId })).waiting).toBe(1);
    later.advance(60_000);
    expect(await missing()).toMatchObject({
      waiting: 0,
      gaps: { missing: 0 },
      reports: { reports: 4, delayMinMs: -700, delayMaxMs: 60_000 },
    });
  });

  test("name the events that a client never sends by its own table, and none that may still come", async () => {
    const { agentId } = await rig.addOwner(rig.workspaceId);
    const neverSent = async () => (await coverage(rig.db.database, rig.workspaceId, { ...ALL, agentId })).neverSent;
    expect(await neverSent()).toEqual([]);
    await rig.db.database.pool.query("UPDATE agent SET client = 'claude-code' WHERE id = $1", [agentId]);
    const never = await neverSent();
    expect(never).toEqual(expect.arrayContaining(["turn_start", "turn_end", "after_llm_call"]));
    expect(never).not.toContain("post_tool_use");
    await rig.db.database.pool.query("UPDATE agent SET client = 'docker-agent' WHERE id = $1", [agentId]);
    expect(await neverSent()).toEqual([]);
  });

  test("that are reported long after they happened are under way until nothing of them arrives any more", async () => {
    const { agentId } = await rig.addOwner(rig.workspaceId);
    const receivedAt = new Date(later.now() - 1_000);
    await say("turn_start", { session_id: "bulk" }, 0, { agentId, receivedAt });
    const gaps = async () => {
      await lookAtDue(rig.db.database, rig.workspaceId, later);
      return (await coverage(rig.db.database, rig.workspaceId, { ...ALL, agentId })).gaps;
    };
    expect(await gaps()).toMatchObject({ missing: 0, underWay: 1 });
    await say("turn_end", { session_id: "other" }, 0, { agentId, receivedAt });
    await say("turn_start", { session_id: "other" }, 0, { agentId, receivedAt });
    later.advance(11 * 60_000);
    expect(await gaps()).toMatchObject({ missing: 1, turnsWithoutEnd: 1, underWay: 0 });
  });
});
