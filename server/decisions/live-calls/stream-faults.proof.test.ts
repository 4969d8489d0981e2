/** Each fault of live lists that docs/faults.md names, over the real recorder, projectors and PostgreSQL. */
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { testGateway } from "../../../e2e/fixtures/gateway.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../../e2e/fixtures/recorded.ts";
import { LIVE_PAGE_FAULTS, type LivePageFault } from "../../dispatches/faults/live-page-faults.ts";
import { createLog } from "../../platform/log.ts";
import { decisionFilters } from "../schema.ts";
import { type CallFollower, type CallNews, createCallFollower, type FollowerWorld } from "./follower.ts";
import type { LiveCallsMessage } from "./schema.ts";
import { streamCalls } from "./viewer-stream.ts";
import type { WholeCall } from "./whole-calls.ts";

const CALM = { level: 0, untilBelow: async () => true };
/** Notifications do not arrive. */
const DEAF = { subscribe: () => () => undefined };
const MIB = 1024 * 1024;
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const gate = (call: string, tool = "shell"): Happened => ({
  ...{ at: new Date("2026-11-20T12:00:00Z"), verdict: "deny", reason: "" },
  input: { session_id: "s1", tool_name: tool, tool_use_id: call, tool_input: { cmd: call } },
});

/** A follower over the database, whose statements are counted. */
function following(more: Partial<FollowerWorld> = {}) {
  const { pool } = db.database;
  const statements: string[] = [];
  const counting = {
    query(asked: { name: string }) {
      statements.push(asked.name);
      return pool.query(asked as never);
    },
  } as unknown as typeof pool; // holds: the follower only queries
  const world = { pool: counting, bus: DEAF, log: createLog("silent"), pressure: CALM, gapEveryMs: 1, ...more };
  return { follower: createCallFollower(world), statements };
}

/** A list's stream, read as fast as it comes; its calls by name. */
function reading(follower: CallFollower, { workspaceId }: RecordedWorkspace, filters: object = {}) {
  const ended = new AbortController();
  const kinds: string[] = [];
  const calls: string[] = [];
  const viewer = { workspaceId, filters: decisionFilters.parse(filters) };
  const read = async () => {
    for await (const message of streamCalls({ callFollower: follower, pressure: CALM }, viewer, ended.signal)) {
      kinds.push(message.kind);
      if (message.kind === "calls") calls.push(...message.calls.map(({ decisions }) => decisions[0]?.toolUseId ?? ""));
    }
  };
  void read();
  return { kinds, calls, end: () => ended.abort() };
}

const started = (viewers: readonly { kinds: readonly string[] }[]) =>
  expect.poll(() => viewers.every(({ kinds }) => kinds.includes("started"))).toBe(true);

let places = 0;
function syntheticCall(characters: number): WholeCall {
  places += 1;
  const id = `0193a5f0-0000-7000-8000-${String(places).padStart(12, "0")}`;
  const decision = {
    ...{ occurredAt: new Date(), id, kind: "gate" as const, agentId: id, agentName: "ci bot", sessionId: "s1" },
    principal: null,
    ...{ event: "pre_tool_use", tool: "shell", toolUseId: id, verdict: "deny", source: "" },
    ...{ reason: `${places} `.padEnd(characters, "x"), excerpt: "" },
  };
  return {
    name: id,
    decisions: [decision],
    enrolledName: "ci bot",
    ...{ request: null, ran: null, followUp: null },
  };
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Asks for a stream over HTTP and reads nothing of it. */
function silentReader(port: number, token: string) {
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(
    `GET /api/trpc/decisions.followCalls?input=${encodeURIComponent('{"json":{}}')} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
      `accept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

async function neverRead(): Promise<void> {
  const server = await testGateway(db.url);
  const { app } = server.running;
  const listeners = new Set<(news: CallNews) => void>();
  Object.assign(app, {
    callFollower: {
      async follow(_workspaceId: string, listener: (news: CallNews) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const socket = silentReader(server.port, server.secrets.adminToken);
  try {
    await expect.poll(() => listeners.size).toBe(1);
    const before = heldBytes();
    // 100 MB of text, in parts between which the server may send.
    for (let part = 0; part < 200; part += 1) {
      for (const listener of listeners) listener(Array.from({ length: 100 }, () => syntheticCall(5_000)));
      await new Promise((next) => setImmediate(next));
    }
    expect(heldBytes() - before).toBeLessThan(30 * MIB);
    // It reads at last: what it missed is read again.
    let text = "";
    socket.on("data", (part) => {
      text += part.toString();
    });
    socket.resume();
    await expect.poll(() => text).toContain('"missed"');
  } finally {
    socket.destroy();
    await server.stop();
  }
}

async function manyFilters(workspace: RecordedWorkspace): Promise<void> {
  const { follower, statements } = following();
  const viewers = Array.from({ length: 500 }, (_, at) => reading(follower, workspace, { tool: [`tool ${at}`] }));
  await started(viewers);
  statements.length = 0;
  await workspace.record(...Array.from({ length: 100 }, (_, at) => gate(`call ${at}`, `tool ${at * 5}`)));
  await vi.waitFor(
    () => expect(viewers.map(({ calls }) => calls)).toEqual(viewers.map((_, at) => (at % 5 ? [] : [`call ${at / 5}`]))),
    { timeout: 8_000 },
  );
  // The records may come in a few batches, each read once.
  const wholes = statements.filter((name) => name === "live_calls_whole").length;
  expect(wholes).toBeGreaterThan(0);
  expect(wholes).toBeLessThanOrEqual(20);
  for (const { end } of viewers) end();
  await follower.close();
}

async function noNotification(workspace: RecordedWorkspace): Promise<void> {
  const { follower } = following();
  const viewer = reading(follower, workspace);
  await started([viewer]);
  await workspace.record(gate("unannounced"));
  await vi.waitFor(() => expect(viewer.calls).toEqual(["unannounced"]), { timeout: 3_000 });
  expect(viewer.kinds).not.toContain("missed");
  viewer.end();
  await follower.close();
}

async function stoppedFollowing(workspace: RecordedWorkspace): Promise<void> {
  let goOn = () => {};
  let held: Promise<void> = Promise.resolve();
  const hold = () => {
    held = new Promise((resolve) => {
      goOn = resolve;
    });
  };
  const untilBelow = () => held.then(() => true);
  const { follower } = following({ pressure: { level: 2, untilBelow } });
  const viewer = reading(follower, workspace);
  await started([viewer]);
  hold();
  await workspace.record(...Array.from({ length: 40 }, (_, at) => gate(`few ${at}`)));
  expect(viewer.calls).toEqual([]);
  goOn();
  await vi.waitFor(() => expect(viewer.calls).toHaveLength(40), { timeout: 3_000 });
  expect(viewer.kinds).not.toContain("missed");
  hold();
  await workspace.record(...Array.from({ length: 600 }, (_, at) => gate(`many ${at}`)));
  goOn();
  await vi.waitFor(() => expect(viewer.kinds).toContain("missed"), { timeout: 5_000 });
  await workspace.record(gate("after"));
  await vi.waitFor(() => expect(viewer.calls.at(-1)).toBe("after"), { timeout: 3_000 });
  viewer.end();
  await follower.close();
}

async function unreadable(workspace: RecordedWorkspace): Promise<void> {
  let isAway = false;
  const { pool } = db.database;
  const failing = {
    query: (asked: object) => (isAway ? Promise.reject(new Error("away")) : pool.query(asked as never)),
  } as unknown as typeof pool; // holds: the follower only queries
  const { follower } = following({ pool: failing });
  const viewer = reading(follower, workspace);
  await started([viewer]);
  isAway = true;
  await workspace.record(gate("while away"));
  await vi.waitFor(() => expect(viewer.kinds).toContain("missed"), { timeout: 3_000 });
  isAway = false;
  await vi.waitFor(() => expect(viewer.calls).toEqual(["while away"]), { timeout: 3_000 });
  viewer.end();
  await follower.close();
}

/** A stream begins with the message that makes its list be read; live-rows.test.ts compares lists after it. */
async function lostConnection(workspace: RecordedWorkspace): Promise<void> {
  const { follower } = following();
  const first = reading(follower, workspace);
  await started([first]);
  first.end();
  await workspace.record(gate("between"));
  const second = reading(follower, workspace);
  await started([second]);
  expect(second.kinds[0]).toBe("started" satisfies LiveCallsMessage["kind"]);
  await workspace.record(gate("after"));
  await vi.waitFor(() => expect(second.calls).toEqual(["after"]), { timeout: 3_000 });
  second.end();
  await follower.close();
}

const CAUSES: Readonly<Record<LivePageFault, (workspace: RecordedWorkspace) => Promise<void>>> = {
  "a viewer never reads its stream": neverRead,
  "500 viewers have 500 different filters": manyFilters,
  "PostgreSQL sends no notification": noNotification,
  "the console stops following for a while": stoppedFollowing,
  "the changes cannot be read": unreadable,
  "a viewer loses its connection": lostConnection,
};

it.each(Object.entries(LIVE_PAGE_FAULTS))("%s: %s", async (fault) => {
  const workspace = await recordedWorkspace(db, fault);
  await CAUSES[fault as LivePageFault](workspace); // a key of the table
  await workspace.close();
});
