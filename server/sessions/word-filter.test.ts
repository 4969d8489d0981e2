import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { listSessions } from "./schema.ts";
import * as service from "./service.ts";

const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00.000Z") };
/** Events on both sides of the end of a month. */
const START = Date.parse("2026-10-31T23:59:59.000Z");

let rig: RecordingRig;
let at = 0;
const say = (event: string, session_id: string, more: object) => {
  at += 1;
  const occurredAt = new Date(START + at * 500);
  const input = JSON.stringify({ session_id, ...more });
  return rig.recorder.record(recordOf(rig, event, input, { occurredAt, delivery: null }), false);
};
const found = async (filter: object) => {
  const input = listSessions.parse({ ...ALL, ...filter });
  const { sessions } = await service.list(rig.db.database, rig.workspaceId, input);
  return sessions.map(({ sessionId }) => sessionId).toSorted();
};

beforeAll(async () => {
  rig = await recordingRig();
  await say("turn_end", "looped", { reason: "loop_detected" });
  await say("turn_end", "normal", { reason: "normal" });
  await say("turn_end", "looped", { reason: "normal" });
  await say("on_agent_switch", "handed", { from_agent: "a", to_agent: "b", agent_switch_kind: "handoff" });
  await say("turn_end", "handed", { reason: "force_handoff" });
  await say("on_agent_switch", "routed", { from_agent: "a", to_agent: "b", agent_switch_kind: "route" });
  // Words of other events, and of no event, find nothing.
  await say("notification", "other", { notification_level: "loop_detected", notification_message: "x" });
  await say("session_end", "other", { reason: "handoff" });
  await say("on_agent_switch", "odd", { from_agent: "a", to_agent: "b", agent_switch_kind: 7 });
  await say("turn_end", "long", { reason: "x".repeat(9_000) });
});
afterAll(() => rig?.close());

describe("the list of sessions", () => {
  it.each([
    [{ turnEnds: ["loop_detected"] }, ["looped"]],
    [{ turnEnds: ["normal"] }, ["looped", "normal"]],
    [{ turnEnds: ["loop_detected", "force_handoff"] }, ["handed", "looped"]],
    [{ turnEnds: ["handoff"] }, []],
    [{ switches: ["handoff"] }, ["handed"]],
    [{ switches: ["route", "handoff"] }, ["handed", "routed"]],
    [{ switches: ["handoff"], turnEnds: ["force_handoff"] }, ["handed"]],
    [{ switches: ["route"], turnEnds: ["normal"] }, []],
    [{ switches: ["7"] }, []],
    [{ turnEnds: ["x".repeat(100)] }, []],
    [{ turnEnds: ["' OR true --", "%", "\0", "\ud800"] }, []],
  ])("with %j holds %j", async (filter, sessions) => expect(await found(filter)).toEqual(sessions));

  it.each([
    { turnEnds: "normal" },
    { turnEnds: [""] },
    { turnEnds: ["x".repeat(101)] },
    { turnEnds: Array.from({ length: 21 }, (_, n) => `r${n}`) },
    { turnEnds: [{ $ne: "" }] },
    { switches: [null] },
    { switches: ["x".repeat(1_000_000)] },
    { switch: ["route"] },
  ])("refuses %j", (filter) => expect(listSessions.safeParse({ ...ALL, ...filter }).success).toBe(false));

  it("looks for words in an index that has only such events", async () => {
    const plan = await rig.db.database.pool.query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT 1 FROM dispatch WHERE workspace_id = $1 AND session_id = 'looped' AND agent_id = $2
         AND event = 'turn_end' AND detail::name = ANY($3::text[]::name[]) AND detail = ANY($3::text[])`,
      [rig.workspaceId, rig.agentId, ["normal"]],
    );
    expect(plan.rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/Index Scan using dispatch_\w+_detail_idx/);
  });
});
