/** The calls of local executors cost few writes, and none of them hides the first call after a change to halts. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { AgentActor } from "../access/actor.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { createExecutorCalls } from "./executor-calls.ts";

const LAPTOP = "id=00000000000000aa";

let db: TestDatabase;
let actor: AgentActor;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  const [workspaceId, id] = [uuidv7(), randomUUID()];
  await db.owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'test')", [workspaceId]);
  await db.owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'bot')", [workspaceId, id]);
  actor = { kind: "agent", workspaceId, id, name: "bot", scopes: [] };
});

/** A gateway at a time and a number of halts of the test's choice, and what it wrote and announced. */
function gateway() {
  const at = { ms: 0, number: 1, hears: true };
  const counted = { written: 0, announced: 0 };
  const writing: Promise<unknown>[] = [];
  const pool = {
    query(query: string | { text: string }, values?: unknown[]) {
      if (typeof query !== "string") counted.written += 1;
      const done = typeof query === "string" ? db.owner.query(query, values) : db.owner.query(query);
      writing.push(done);
      return done;
    },
  };
  const bus = { tell: () => (counted.announced += 1), isCurrent: () => at.hears };
  const halts = { of: async () => ({ number: at.number, find: () => null }) };
  const given = { pool: pool as never }; // all that it asks of one
  const calls = createExecutorCalls(given, bus as never, createLog("silent"), halts, () => at.ms);
  return {
    at,
    async poll(stated: string | undefined = LAPTOP) {
      calls.notePoll(actor, stated);
      // The number is known by then, and the write and what follows it are under way.
      await halts.of();
      for (let ended = -1; ended < writing.length; ) {
        ended = writing.length;
        await Promise.all(writing);
      }
      return { ...counted };
    },
  };
}

it("writes an executor's calls once a minute, and the first one after a change to halts at once", async () => {
  const { at, poll } = gateway();
  expect(await poll()).toEqual({ written: 1, announced: 1 });
  at.ms = 59_999;
  expect(await poll()).toMatchObject({ written: 1 });
  at.number = 2;
  expect(await poll()).toEqual({ written: 2, announced: 2 });
  at.ms += 60_000;
  // A repeat moves a time, which is no news.
  expect(await poll()).toEqual({ written: 3, announced: 2 });
  expect(await poll("id=00000000000000bb")).toMatchObject({ written: 4 });
});

it("writes more often where it cannot hear of a change", async () => {
  const { at, poll } = gateway();
  at.hears = false;
  await poll();
  at.ms = 5_000;
  expect(await poll()).toMatchObject({ written: 2 });
});

it("knows the newest thousand executors of an agent", async () => {
  await db.owner.query(
    `INSERT INTO local_executor (workspace_id, agent_id, id, heard_at)
     SELECT $1, $2, lpad(to_hex(number), 16, '0'), now() - make_interval(hours => number) FROM generate_series(1, 1000) AS number`,
    [actor.workspaceId, actor.id],
  );
  await gateway().poll("id=ffffffffffffffff");
  const stored = () =>
    db.owner.query<{ all: number; oldest: string; newest: string }>(
      `SELECT count(*)::int AS all, (array_agg(id ORDER BY heard_at))[1] AS oldest, (array_agg(id ORDER BY heard_at DESC))[1] AS newest
       FROM local_executor WHERE agent_id = $1`,
      [actor.id],
    );
  await expect
    .poll(async () => (await stored()).rows[0])
    .toEqual({ all: 1_000, oldest: (999).toString(16).padStart(16, "0"), newest: "ffffffffffffffff" });
});

/** As `gateway`, with a database that answers when the test lets it. */
function heldGateway() {
  const answers: (() => void)[] = [];
  let written = 0;
  const pool = {
    query(query: unknown) {
      if (typeof query !== "string") written += 1;
      return new Promise((resolve) => answers.push(() => resolve({ rows: [{ is_new: false }] })));
    },
  };
  const bus = { tell: () => undefined, isCurrent: () => true };
  const halts = { of: async () => ({ number: 1, find: () => null }) };
  const calls = createExecutorCalls({ pool: pool as never }, bus as never, createLog("silent"), halts, () => 0);
  return {
    calls,
    underWay: () => answers.length,
    async letAll() {
      while (answers.length > 0) {
        for (const answer of answers.splice(0)) answer();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return written;
    },
  };
}

const statedBy = (number: number) => `id=${number.toString(16).padStart(16, "0")}`;

it("writes two calls at a time, however many come, and so leaves connections to gates", async () => {
  const { calls, underWay, letAll } = heldGateway();
  for (let agent = 0; agent < 500; agent += 1)
    calls.noteHalted({ ...actor, id: randomUUID() }, LAPTOP, { id: randomUUID(), number: 1 });
  expect(underWay()).toBe(2);
  expect(await letAll()).toBe(500);
});

it("writes a bounded number of calls of an agent that states a new id each time", async () => {
  const { calls, letAll } = heldGateway();
  const halt = { id: randomUUID(), number: 1 };
  for (let number = 0; number < 5_000; number += 1) calls.noteHalted(actor, statedBy(number), halt);
  expect(await letAll()).toBe(2_000);
  calls.noteHalted({ ...actor, id: randomUUID() }, LAPTOP, halt);
  expect(await letAll()).toBe(2_001);
});

it("writes denied gates once a minute, whichever halts deny them", async () => {
  const { calls, letAll } = heldGateway();
  const [one, other] = [randomUUID(), randomUUID()];
  for (let turn = 0; turn < 10; turn += 1)
    for (const id of [one, other]) calls.noteHalted(actor, LAPTOP, { id, number: 1 });
  expect(await letAll()).toBe(1);
});
