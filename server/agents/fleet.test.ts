import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { stoppedClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { effectiveSets } from "../policies/index.ts";
import * as fleet from "./fleet.ts";
import { findRow } from "./fleet.ts";
import { type FoundAgent, searchAgents as findPage } from "./fleet-repository.ts";
import { agentsPage, searchAgents } from "./schema.ts";
import * as agents from "./service.ts";

const COUNT = 5_000;
const NOW = Date.parse("2026-11-20T10:30:00.000Z");
const clock = stoppedClock(NOW);
const HOURS = { from: new Date("2026-11-19T11:00:00.000Z"), to: new Date("2026-11-20T11:00:00.000Z") };

let at: TestDatabase;
const workspaceId = uuidv7();
const agentId = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/**
 * Agents 1 to 5,000, all of them made by SQL. Every tenth was never seen, every 50th is retired, every 25th fell silent; the first 40
 * of each hundred are in the group "nightly", and every seventh has the tag "prod". One policy is enforced for the group, one is
 * observed everywhere, one is a canary for 30 % alone, and one has nothing published.
 */
beforeAll(async () => {
  at = await testDatabase();
  const { pool } = at.database;
  const run = (sql: string, values: unknown[] = []) => pool.query(sql, [workspaceId, ...values]);
  await pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'fleet')", [workspaceId]);
  await run(
    `INSERT INTO agent (workspace_id, id, name, last_seen_at, retired_at, tags)
     SELECT $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'worker-' || lpad(n::text, 4, '0'),
       CASE WHEN n % 10 = 0 THEN NULL WHEN n % 25 = 1 THEN $2::timestamptz - interval '2 hours'
         ELSE $2::timestamptz - n * interval '100 milliseconds' END,
       CASE WHEN n % 50 = 3 THEN $2::timestamptz END, CASE WHEN n % 7 = 0 THEN '{prod}'::text[] ELSE '{}' END
     FROM generate_series(1, ${COUNT}) n`,
    [new Date(NOW)],
  );
  const [group, ...policies] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await run("INSERT INTO agent_group (workspace_id, id, name, position) VALUES ($1, $2, 'nightly', 0)", [group]);
  await run(
    `INSERT INTO agent_group_member (workspace_id, group_id, agent_id) SELECT $1, $2, id FROM agent
     WHERE workspace_id = $1 AND right(name, 2)::int BETWEEN 1 AND 40`,
    [group],
  );
  for (const [index, name] of ["guarded", "watched", "tried", "empty"].entries()) {
    const live = name === "guarded" || name === "watched" ? 1 : 0;
    const canary = name === "tried" ? 1 : null;
    await run(
      `INSERT INTO policy (workspace_id, id, name, latest_revision, live_revision, canary_revision, canary_share,
         canary_since, canary_by)
       VALUES ($1, $2, $3, 1, $4, $5::int, $5::int * 30, CASE WHEN $5 IS NOT NULL THEN now() END,
         CASE WHEN $5 IS NOT NULL THEN 'Ada' END)`,
      [policies[index], name, live, canary],
    );
    await run(
      `INSERT INTO policy_revision (workspace_id, policy_id, number, profile, source, hooks, sha256, note, author)
       VALUES ($1, $2, 1, '2026-07', '', '{}', 'hash', '', 'Ada')`,
      [policies[index]],
    );
    const isGroup = name === "guarded";
    await run(
      `INSERT INTO assignment (workspace_id, id, policy_id, scope, target_id, mode, observe_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        uuidv7(),
        policies[index],
        isGroup ? "group" : "workspace",
        isGroup ? group : null,
        name === "watched" ? "observe" : "enforce",
        name === "watched" ? new Date("2100-01-01T00:00:00Z") : null,
      ],
    );
  }
  await run(
    `INSERT INTO rollup_hour (workspace_id, bucket, agent_id, agent_name, model_id, allowed, denied, calls_priced, cost_nano)
     SELECT $1, date_trunc('hour', $2::timestamptz) - hour * interval '1 hour', id, name || part, 'm', 3, 1, 2, right(name, 4)::int
     FROM agent, unnest('{0,23,24}'::int[]) hour, unnest('{""," / reviewer"," / root"}'::text[]) part
     WHERE workspace_id = $1 AND last_seen_at IS NOT NULL AND (part = '' OR right(name, 4)::int % 100 = 7)`,
    [new Date(NOW)],
  );
  await run(
    `INSERT INTO session (workspace_id, agent_id, session_id, agent_name, parent_session_id, first_at, last_at, events, denied,
       compactions, calls_priced, calls_free, calls_unpriced, cost_nano, tokens)
     SELECT $1, id, 'below', name || ' / reviewer', 'above', $2::timestamptz, $2::timestamptz, 1, 0, 0, 0, 0, 0, 0, 0
     FROM agent WHERE workspace_id = $1 AND right(name, 2) = '07'`,
    [new Date(NOW)],
  );
  await at.owner.query("ANALYZE agent, agent_group_member, rollup_hour");
});
afterAll(() => at.drop());

const search = async (input: Partial<ReturnType<typeof searchAgents.parse>> = {}) =>
  agentsPage.parse(await fleet.search(at.database, workspaceId, searchAgents.parse(input), clock));

it.each([
  ["seen", true],
  ["name", false],
  ["spend", true],
] as const)("pages hold every agent once, in one order, by %s", async (sort, isDescending) => {
  const rows: FoundAgent[] = [];
  for (let cursor: { key: string; id: string } | null = null; ; ) {
    const input = searchAgents.parse({ sort, isDescending, cursor, limit: 199 });
    const page = await findPage(at.database, workspaceId, input, HOURS, new Date(NOW));
    expect(page.total).toBe(cursor === null ? COUNT : null);
    const shown = page.rows.slice(0, 199);
    rows.push(...shown);
    const last = shown.at(-1);
    if (page.rows.length < 200 || !last) break;
    cursor = { key: last.key, id: last.id };
  }
  expect(new Set(rows.map(({ id }) => id)).size).toBe(COUNT);
  const keys = rows.map(({ key }) => (sort === "name" ? key : Number(key)));
  const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  expect(keys).toEqual(isDescending ? sorted.toReversed() : sorted);
});

it("filters find exactly the agents that they name", async () => {
  const total = async (input: Parameters<typeof search>[0]) => {
    const parsed = searchAgents.parse({ ...input, limit: 1 });
    return (await findPage(at.database, workspaceId, parsed, HOURS, new Date(NOW))).total;
  };
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
  const countOf = (is: (n: number) => boolean) => numbers.filter(is).length;
  const isSilent = (n: number) => n % 10 !== 0 && n % 25 === 1;
  expect(await total({ seen: ["never"] })).toBe(500);
  expect(await total({ seen: [">1h"] })).toBe(countOf(isSilent));
  expect(await total({ seen: [">1h", "never"] })).toBe(countOf(isSilent) + 500);
  expect(await total({ statuses: ["silent"] })).toBe(countOf((n) => isSilent(n) && n % 50 !== 3));
  expect(await total({ tags: ["prod"], groups: ["nightly"] })).toBe(
    countOf((n) => n % 7 === 0 && n % 100 >= 1 && n % 100 <= 40),
  );
  expect(await total({ names: ["WORKER-123"] })).toBe(10);
  expect(await total({ text: "ORKER 4999" })).toBe(1);
  expect(await total({ text: "worker%" })).toBe(0);
  expect(await total({ policies: ["guarded"] })).toBe(countOf((n) => n % 100 >= 1 && n % 100 <= 40));
  expect(await total({ policies: ["empty"] })).toBe(0);
});

it("what is without policy, or observed only, is what resolving each agent's assignments finds", async () => {
  const setOf = await effectiveSets(at.database, workspaceId);
  const tried = Array.from({ length: COUNT }, (_, index) => index + 1).filter((n) =>
    setOf(agentId(n)).members.some(({ name }) => name === "tried"),
  );
  expect((await search({ policies: ["tried"], limit: 1 })).total).toBe(tried.length);
  const unguarded = Array.from({ length: COUNT }, (_, index) => index + 1).filter(
    (n) => n % 50 !== 3 && setOf(agentId(n)).members.length === 0,
  );
  expect((await search({ policies: ["observed"], limit: 1 })).total).toBe(unguarded.length);
  expect((await search({ policies: ["none"], limit: 1 })).total).toBe(0);
  const before = await fleet.counts(at.database, workspaceId, clock);
  expect(before).toEqual({
    enrolled: 4_900,
    withoutPolicy: 0,
    observedOnly: unguarded.length,
    silent: (await search({ statuses: ["silent"], limit: 1 })).total,
    neverSeen: 500,
    retired: 100,
    ...{ yolo: 0, outdated: 0, unchecked: 0, blindSpots: 0, undrilled: 4_900, needsAttention: 0 },
    tags: [{ value: "prod", count: 714 }],
  });
  await at.database.pool.query("DELETE FROM assignment WHERE workspace_id = $1 AND mode = 'observe'", [workspaceId]);
  const after = await fleet.counts(at.database, workspaceId, clock);
  expect([after.withoutPolicy, after.observedOnly]).toEqual([unguarded.length, 0]);
  expect((await search({ policies: ["none"], limit: 1 })).total).toBe(unguarded.length);
});

it("a row has the figures of 24 clock hours, with its sub-agents and apart from them", async () => {
  const [row] = (await search({ names: ["worker-0107"] })).rows;
  expect(row).toMatchObject({
    figures: { calls: 24, denied: 6, modelCalls: 12, unpriced: 0, nano: 642n },
    subAgents: [{ name: "reviewer", calls: 8, denied: 2, nano: 214n }],
    subAgentCount: 1,
    groups: ["nightly"],
    openKeys: 0,
    coverage: { implied: 0, missing: 0 },
  });
  expect(row?.policies.map(({ name }) => name)).toContain("guarded");
  const [never] = (await search({ seen: ["never"], limit: 1 })).rows;
  expect(never).toMatchObject({ lastSeenAt: null, figures: { calls: 0, modelCalls: 0 } });
});

it("agents are found by the client of their latest event", async () => {
  await at.database.pool.query("UPDATE agent SET client = 'codex' WHERE workspace_id = $1 AND id = ANY($2::uuid[])", [
    workspaceId,
    [agentId(1), agentId(2)],
  ]);
  await at.database.pool.query("UPDATE agent SET client = 'qwen' WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    agentId(4),
  ]);
  const found = await search({ clients: ["codex", "qwen"], sort: "name", isDescending: false });
  expect(found.rows.map(({ name, client }) => `${name} ${client}`)).toEqual([
    "worker-0001 codex",
    "worker-0002 codex",
    "worker-0004 qwen",
  ]);
  expect((await search({ names: ["worker-0005"] })).rows[0]?.client).toBeNull();
  await at.database.pool.query("UPDATE agent SET client = NULL WHERE workspace_id = $1", [workspaceId]);
});

it("an agent of another workspace is not found", async () => {
  await expect(agents.get(at.database, uuidv7(), { agentId: agentId(1) })).rejects.toMatchObject({
    code: "agent_not_found",
  });
  expect((await findRow(at.database, workspaceId, agentId(107), clock)).names.toSorted()).toEqual([
    "worker-0107",
    "worker-0107 / reviewer",
    "worker-0107 / root",
  ]);
});
