/** Marks of sessions over two gateways, each with a pool of its own. */
import { randomUUID } from "node:crypto";
import type { HandlerCall } from "@quarterdeck/hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Database, openDatabase } from "../platform/db.ts";
import { INSTALLATION, inWorkspace } from "../platform/scope.ts";
import { createSessionMarks } from "./marks.ts";
import { listMarks } from "./repository.ts";

let at: TestDatabase;
let other: Database;
const [workspaceId, agent] = [randomUUID(), randomUUID()];
beforeAll(async () => {
  at = await testDatabase();
  other = openDatabase(at.url, { connectionsMax: 4, outside: INSTALLATION });
  await at.owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'marks')", [workspaceId]);
  await at.owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'agent')", [workspaceId, agent]);
});
afterAll(async () => {
  await other.close();
  await at.drop();
});

/** The part of a call that marks look at. */
const call = (session_id: string, parent_session_id?: string, request: string | null = randomUUID()) =>
  ({
    input: { session_id, ...(parent_session_id && { parent_session_id }) },
    asker: { agent, request },
  }) as HandlerCall; // holds: nothing else is read

it("a mark is seen at the other gateway once it is set, and in no other session", async () => {
  const [here, there] = [
    createSessionMarks(at.database.pool, workspaceId),
    createSessionMarks(other.pool, workspaceId),
  ];
  await here.set(call("one"), ["read"]);
  const ages = await there.ages(call("one"), ["read", "unset"]);
  expect([...ages.keys()]).toEqual(["read"]);
  expect(ages.get("read")).toBeGreaterThanOrEqual(0);
  expect(await there.ages(call("two"), ["read"])).toEqual(new Map());
});

it("holds in the sub-session and in the one above", async () => {
  const marks = createSessionMarks(at.database.pool, workspaceId);
  await marks.set(call("above"), ["first"]);
  await marks.set(call("below", "above"), ["second"]);
  expect([...(await marks.ages(call("below", "above"), ["first", "second"])).keys()].sort()).toEqual([
    "first",
    "second",
  ]);
  expect([...(await marks.ages(call("above"), ["first", "second"])).keys()].sort()).toEqual(["first", "second"]);
});

it("is listed with its session and the agent that set it", async () => {
  const marks = createSessionMarks(at.database.pool, workspaceId);
  await marks.set(call("listed", "parent"), ["read", "fetched"]);
  const list = (sessionIds: readonly string[], limit = 10) =>
    inWorkspace(workspaceId, () => listMarks(at.database.pool, workspaceId, { sessionIds, limit }));
  const own = { agent_name: "agent", set_at: expect.any(Date) };
  expect((await list(["listed"])).toSorted((a, b) => (a.mark < b.mark ? -1 : 1))).toEqual([
    { ...own, session_id: "listed", mark: "fetched" },
    { ...own, session_id: "listed", mark: "read" },
  ]);
  expect(await list(["listed", "parent"])).toHaveLength(4);
  expect(await list(["listed", "parent"], 3)).toHaveLength(3);
  expect(await list(["unknown"])).toEqual([]);
});

it("a call on trial sets nothing", async () => {
  const marks = createSessionMarks(at.database.pool, workspaceId);
  await marks.set(call("trial", undefined, null), ["read"]);
  expect(await marks.ages(call("trial"), ["read"])).toEqual(new Map());
});

it("no call that begins after a mark is set misses it, under a race", async () => {
  const [here, there] = [
    createSessionMarks(at.database.pool, workspaceId),
    createSessionMarks(other.pool, workspaceId),
  ];
  let isSet = false;
  const set = here.set(call("raced"), ["read"]).then(() => {
    isSet = true;
  });
  const seen = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const wasSet = isSet;
      const ages = await (index % 2 === 0 ? here : there).ages(call("raced"), ["read"]);
      return { wasSet, has: ages.has("read") };
    }),
  );
  await set;
  expect(seen.filter(({ wasSet, has }) => wasSet && !has)).toEqual([]);
  const late = await Promise.all(Array.from({ length: 200 }, () => there.ages(call("raced"), ["read"])));
  expect(late.every((ages) => ages.has("read"))).toBe(true);
});
