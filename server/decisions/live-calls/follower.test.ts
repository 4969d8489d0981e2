/** The follower over a real database: one reading for all viewers, in spite of lost notifications and failures. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../../e2e/fixtures/recorded.ts";
import type { Topic } from "../../events/schema.ts";
import { createLog } from "../../platform/log.ts";
import { type CallNews, createCallFollower } from "./follower.ts";

const CALM = { level: 0, untilBelow: async () => true };
/** Notifications do not arrive. */
const DEAF = { subscribe: () => () => undefined };

let db: TestDatabase;
let own: RecordedWorkspace;
let other: RecordedWorkspace;
beforeAll(async () => {
  db = await testDatabase();
  [own, other] = [await recordedWorkspace(db, "one"), await recordedWorkspace(db, "other")];
});
afterAll(async () => {
  await Promise.all([own.close(), other.close()]);
  await db.drop();
});

const gate = (call: string | undefined, session = "s1"): Happened => ({
  ...{ at: new Date("2026-11-20T12:00:00Z"), verdict: "deny", reason: "" },
  input: { session_id: session, tool_name: "shell", tool_use_id: call, tool_input: { cmd: call ?? "" } },
});

function followed(
  workspaces: readonly RecordedWorkspace[],
  pool = db.database.pool,
  bus: Parameters<typeof createCallFollower>[0]["bus"] = DEAF,
) {
  const follower = createCallFollower({ pool, bus, log: createLog("silent"), pressure: CALM, gapEveryMs: 1 });
  const news: (readonly [workspace: number, CallNews])[] = [];
  const follow = (at: number) => follower.follow(workspaces[at]?.workspaceId ?? "", (one) => news.push([at, one]));
  return { follower, follow, news };
}
const callsIn = (news: readonly (readonly [number, CallNews])[]) =>
  news.flatMap(([at, one]) => {
    if (one === null) return [`${at} missed`];
    return "isSlowed" in one ? [] : one.map(({ decisions: [first] }) => `${at} ${first?.toolUseId}`);
  });

it("reads for all viewers of all workspaces in one statement, and gives each its own", async () => {
  const asked: { name: string; text: string; values: unknown[] }[] = [];
  const { pool } = db.database;
  const counting = {
    query(one: (typeof asked)[number]) {
      asked.push(one);
      return pool.query(one);
    },
  } as typeof pool; // holds: the follower only queries
  const { follower, follow, news } = followed([own, other], counting);
  const ends = await Promise.all([follow(0), follow(0), follow(1)]);
  await own.record(gate("a"));
  await vi.waitFor(() => expect(callsIn(news)).toEqual(["0 a", "0 a"]), { timeout: 3_000 });
  expect(asked.filter(({ name }) => name === "live_calls_whole")).toHaveLength(1);
  await other.record(gate("b"));
  await vi.waitFor(() => expect(callsIn(news).slice(2)).toEqual(["1 b"]), { timeout: 3_000 });
  // Without viewers, a workspace is not read.
  ends[0]?.();
  ends[1]?.();
  asked.length = 0;
  await own.record(gate("unwatched"));
  await other.record(gate("c"));
  await vi.waitFor(() => expect(callsIn(news).slice(3)).toEqual(["1 c"]), { timeout: 3_000 });
  expect(asked.filter(({ values }) => JSON.stringify(values).includes(own.workspaceId))).toEqual([]);
  await follower.close();
});

it("a result without a call id may be another's: the list is read again", async () => {
  const { follower, follow, news } = followed([own]);
  await follow(0);
  await own.record(gate(undefined));
  await vi.waitFor(() => expect(callsIn(news)).toEqual(["0 missed"]), { timeout: 3_000 });
  // Without a session there are no neighbours.
  await own.record(gate(undefined, ""));
  await vi.waitFor(() => expect(callsIn(news)).toEqual(["0 missed", "0 null"]), { timeout: 3_000 });
  await follower.close();
});

it("more changes than it reads at once are a gap, and it goes on after them", async () => {
  const { follower, follow, news } = followed([own]);
  await follow(0);
  await own.record(...Array.from({ length: 600 }, (_, call) => gate(`many ${call}`)));
  await vi.waitFor(() => expect(callsIn(news)).toContain("0 missed"), { timeout: 5_000 });
  await own.record(gate("after"));
  await vi.waitFor(() => expect(callsIn(news).at(-1)).toBe("0 after"), { timeout: 3_000 });
  await follower.close();
});

it("a reading that fails is a gap, and the next one brings what it missed", async () => {
  let isAway = false;
  const { pool } = db.database;
  const failing = {
    query: (asked: object) => (isAway ? Promise.reject(new Error("away")) : pool.query(asked as never)),
  } as unknown as typeof pool; // holds: the follower only queries
  const { follower, follow, news } = followed([own], failing);
  await follow(0);
  isAway = true;
  await own.record(gate("while away"));
  await vi.waitFor(() => expect(callsIn(news)).toContain("0 missed"), { timeout: 3_000 });
  isAway = false;
  await vi.waitFor(() => expect(callsIn(news).at(-1)).toBe("0 while away"), { timeout: 3_000 });
  await expect(
    createCallFollower({
      pool: { query: () => Promise.reject(new Error("away")) } as never,
      bus: DEAF,
      log: createLog("silent"),
      pressure: CALM,
    }).follow("w", () => undefined),
  ).rejects.toThrow("away");
  await follower.close();
});

it("after a change that no record brings, the list is read again, also for rows that are being read then", async () => {
  let announce: (workspaceId: string, topics: readonly Topic[]) => void = () => undefined;
  const bus = {
    subscribe(listener: typeof announce) {
      announce = listener;
      return () => undefined;
    },
  };
  const { pool } = db.database;
  let isErased = false;
  const during = {
    async query(asked: { name: string }) {
      const found = await pool.query(asked as never);
      if (asked.name === "live_calls_whole" && !isErased) {
        isErased = true;
        announce(own.workspaceId, ["audit", "decisions"]);
      }
      return found;
    },
  } as unknown as typeof pool; // holds: the follower only queries
  const { follower, follow, news } = followed([own, other], during, bus);
  await Promise.all([follow(0), follow(1)]);
  announce(own.workspaceId, ["overview", "agents"]);
  announce(own.workspaceId, ["approvals"]);
  expect(callsIn(news)).toEqual(["0 missed"]);
  await own.record(gate("read while erased"));
  announce(own.workspaceId, ["calls"]);
  await vi.waitFor(() => expect(callsIn(news)).toEqual(["0 missed", "0 missed", "0 missed"]), { timeout: 3_000 });
  await own.record(gate("read after it"));
  await vi.waitFor(() => expect(callsIn(news).at(-1)).toBe("0 read after it"), { timeout: 3_000 });
  await follower.close();
});
