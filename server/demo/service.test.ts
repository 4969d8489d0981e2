import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { projectorsOf } from "../../e2e/fixtures/projecting.ts";
import type { AgentActor } from "../access/actor.ts";
import { create as createAgent } from "../agents/index.ts";
import { type RunningApp, startApp } from "../composition/app.ts";
import { newestByAgent } from "../drills/index.ts";
import { ensureFirstRun } from "../people/index.ts";
import { createLog } from "../platform/log.ts";
import { openSecrets } from "../platform/secrets.ts";
import { assign, freeze, NO_CASES, publishByName, unfreeze } from "../policies/index.ts";
import type { Projectors } from "../projectors/index.ts";
import { heardIn } from "./live.ts";
import { play } from "./play.ts";
import { DEMO_POLICIES } from "./policies.ts";
import { SCENARIOS } from "./scenarios/all.ts";
import { type Demo, remove, startDemo } from "./service.ts";

let db: TestDatabase;
let dataDir: string;
let running: RunningApp;
let workspaceId: string;
let projectors: Projectors;
beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "quarterdeck-demo-"));
  const secrets = await openSecrets(dataDir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  const [log, url] = [createLog("error"), "http://127.0.0.1"];
  running = await startApp({ db: db.database, databaseUrl: db.url, dataDir, log, secrets, url });
  ({ workspaceId } = await ensureFirstRun(db.database));
  projectors = projectorsOf(db.database, running.app.bus);
  projectors.start();
});
afterAll(async () => {
  await projectors.stop();
  await running.close();
  await db.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const TABLES =
  "judge_prompt judge_prompt_revision judge_label judge_known_call judge_check judge_watch judge_call judge_day model_connection model_price policy_exception enrolment_token agent_drill agent_extension accepted_extension agent_group webhook service_account invitation person membership approval_request policy_case policy_draft policy_review dispatch tool_decision llm_call compaction session session_seen report_hour budget rollup_minute rollup_hour rollup_day delivery agent agent_key policy policy_revision assignment ledger_entry ledger_day alert_rule";

/** Rows per table. */
async function rows(): Promise<Record<string, number>> {
  await projectors.run();
  const counts: Record<string, number> = {};
  for (const table of TABLES.split(" ")) {
    const found = await db.database.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    counts[table] = found.rows[0]?.count ?? -1;
  }
  return counts;
}

/** At work: the calls that wait for a person are made after everything else, so one more of those says that it is. */
async function started(): Promise<Demo> {
  const dispatched = async () => {
    const sql = "SELECT count(*)::int AS count FROM dispatch WHERE session_id LIKE 'demo-deployment-%'";
    return (await db.database.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
  };
  const before = await dispatched();
  const demo = startDemo(running.app, workspaceId);
  await vi.waitFor(async () => expect(await dispatched()).toBeGreaterThan(before), { timeout: 60_000, interval: 100 });
  return demo;
}

const admin = { kind: "script", id: "test", name: "test" } as const;

describe("beside real data", () => {
  let before: Record<string, number>;
  let real: AgentActor;
  beforeAll(async () => {
    const actor = { ...admin, workspaceId };
    const { agentId } = await createAgent(db.database, running.app.bus, actor, { name: "real" });
    real = { kind: "agent", workspaceId, id: agentId, name: "real", scopes: ["dispatch"] };
    const source = "hooks:\n  session_start:\n    - { type: command, command: 'echo hello' }\n";
    await publishByName(db.database, running.app.bus, actor, { name: "real", source, note: "" }, NO_CASES);
    const input = { session_id: "s", model_id: "m/n", cost: 0.25, usage: { input_tokens: 1 } };
    const request = { event: "after_llm_call", lane: "default", text: JSON.stringify(input), input } as const;
    const client = { signal: new AbortController().signal };
    await running.app.dispatcher.dispatch(real, { ...request, idempotencyKey: "one", client });
    before = await rows();
  });

  test("it fills every page once, binds demo agents alone, and is removed row for row, but not past a rule", async () => {
    await showsEveryPage();
    await isNotRemovedPastRules();
    await isRemovedRowForRow();
  }, 120_000);

  /** Every page has something to show, and a second start sends no second history. */
  async function showsEveryPage(): Promise<void> {
    const demo = await started();
    await projectors.run();
    const { pool } = db.database;
    const kinds = await pool.query<Record<string, number>>(`SELECT
      count(*) FILTER (WHERE cost_usd > 0)::int AS priced, count(*) FILTER (WHERE cost_usd = 0)::int AS free,
      count(*) FILTER (WHERE cost_usd IS NULL)::int AS unpriced FROM llm_call`);
    for (const count of Object.values(kinds.rows[0] ?? {})) expect(count).toBeGreaterThan(20);
    const people =
      "SELECT (SELECT count(*)::int FROM ledger_entry) AS corrected, (SELECT count(*)::int FROM alert_rule) AS alerts";
    expect((await pool.query(people)).rows).toEqual([{ corrected: 1, alerts: 1 }]);
    const waiting = "SELECT count(*)::int AS count FROM approval_request WHERE state = 'pending'";
    await vi.waitFor(async () => expect((await pool.query(waiting)).rows).toEqual([{ count: 2 }]), { timeout: 10_000 });
    const furniture = `SELECT (SELECT count(*)::int FROM agent_group) AS groups,
      (SELECT count(*)::int FROM membership JOIN person ON id = person_id WHERE email LIKE '%@demo.invalid') AS people,
      (SELECT count(*)::int FROM service_account) AS services, (SELECT count(*)::int FROM webhook) AS webhooks,
      (SELECT count(*)::int FROM enrolment_token WHERE expires_at > now()) AS tokens,
      (SELECT count(*)::int FROM agent WHERE is_demo AND tags = '{}') AS untagged,
      (SELECT count(*)::int FROM halt WHERE resumed_at IS NOT NULL) AS halts,
      (SELECT count(DISTINCT policy_id)::int FROM policy_case) AS tested, (SELECT count(*)::int FROM policy_review) AS reviews`;
    const made = { groups: 2, people: 3, services: 1, tokens: 1, untagged: 0, webhooks: 1, halts: 1, reviews: 1 };
    const all = { ...made, tested: DEMO_POLICIES.length };
    expect((await pool.query(furniture)).rows).toEqual([all]);
    await decidesAndDrills();
    await judgesMessages();
    const gated = `SELECT count(DISTINCT occurred_at::date)::int AS days FROM dispatch
      WHERE event = 'pre_tool_use' AND verdict = 'deny'`;
    expect((await pool.query<{ days: number }>(gated)).rows[0]?.days).toBeGreaterThanOrEqual(6);
    const told = "SELECT count(*)::int AS count FROM dispatch WHERE origin = 'report'";
    const first = await pool.query(told);
    await demo.stop();
    const again = await started();
    await again.stop();
    expect((await pool.query(told)).rows).toEqual(first.rows);
    const { members } = await running.app.plans.planFor(real);
    expect(members.map(({ name }) => name)).toEqual(["real"]);
  }

  /** People answered two approvals and made an exception; each allowed call was made again. Drills were blocked. */
  async function decidesAndDrills(): Promise<void> {
    const { pool } = db.database;
    const answers = `SELECT state, used_at IS NOT NULL AS "isUsed", answer.person_name AS person
      FROM approval_request JOIN approval_answer AS answer ON answer.request_id = approval_request.id ORDER BY state`;
    expect((await pool.query(answers)).rows).toEqual([
      { state: "approved", isUsed: true, person: "Ben (demo)" },
      { state: "denied", isUsed: false, person: "Ben (demo)" },
    ]);
    const exceptions = "SELECT made_by, expires_at > now() AS lasts, ended_at FROM policy_exception";
    expect((await pool.query(exceptions)).rows).toEqual([{ made_by: "Mia (demo)", lasts: true, ended_at: null }]);
    const passed = "SELECT verdict FROM dispatch WHERE session_id = 'demo-coverage' ORDER BY occurred_at, id";
    expect((await pool.query<{ verdict: string }>(passed)).rows.map(({ verdict }) => verdict)).toEqual([
      "deny",
      "none",
    ]);
    const drills = [...(await newestByAgent(db.database, workspaceId)).values()];
    expect(drills.map(({ isHeld }) => isHeld)).toEqual([true, true, true, true, true]);
  }

  /** The demo's judge decided seven messages, one of them wrongly; people labelled four, and its known calls are planned. */
  async function judgesMessages(): Promise<void> {
    const { pool } = db.database;
    const judged = "SELECT verdict, count(*)::int AS count FROM judge_call WHERE cost_nano > 0 GROUP BY 1 ORDER BY 1";
    expect((await pool.query(judged)).rows).toEqual([
      { verdict: "allow", count: 4 },
      { verdict: "ask", count: 1 },
      { verdict: "deny", count: 2 },
    ]);
    const labels = "SELECT word, person, count(*)::int AS count FROM judge_label GROUP BY 1, 2 ORDER BY 1";
    expect((await pool.query(labels)).rows).toEqual([
      { word: "right", person: "Mia (demo)", count: 3 },
      { word: "too_strict", person: "Mia (demo)", count: 1 },
    ]);
    const known = `SELECT (SELECT count(*)::int FROM judge_known_call) AS calls,
      (SELECT count(*)::int FROM judge_check WHERE kind = 'known') AS runs, (SELECT count(*)::int FROM judge_watch) AS watches`;
    expect((await pool.query(known)).rows).toEqual([{ calls: 6, runs: 1, watches: 1 }]);
  }

  /** Neither past four eyes that guard agents of one's own, nor past a freeze. */
  async function isNotRemovedPastRules(): Promise<void> {
    const { pool } = db.database;
    const actor = { ...admin, workspaceId };
    const { rows: found } = await pool.query<{ id: string; name: string }>(
      "SELECT id, name FROM policy WHERE is_demo AND latest_revision > 0 ORDER BY name LIMIT 1",
    );
    const policy = found[0] ?? { id: "", name: "" };
    const agentsOf = "SELECT id FROM agent WHERE is_demo";
    const demoAgents = (await pool.query<{ id: string }>(agentsOf)).rows.map(({ id }) => id);
    const to = (agentIds: string[]) =>
      assign(db.database, running.app.bus, actor, { policyId: policy.id, scope: "chosen", groupIds: [], agentIds });
    await to([...demoAgents, real.id]);
    await pool.query("UPDATE policy SET four_eyes = true WHERE id = $1", [policy.id]);
    const refused = remove(running.app, actor);
    await expect(refused).rejects.toMatchObject({
      code: "review_required",
      message: expect.stringContaining(`Nothing was removed: ${policy.name}`),
    });
    expect((await pool.query(agentsOf)).rowCount).toBe(demoAgents.length);
    await pool.query("UPDATE policy SET four_eyes = false WHERE id = $1", [policy.id]);
    await freeze(db.database, running.app.bus, actor, { reason: "an incident" });
    await expect(remove(running.app, actor)).rejects.toMatchObject({ code: "workspace_frozen" });
    await unfreeze(db.database, running.app.bus, actor);
    expect((await pool.query(agentsOf)).rowCount).toBe(demoAgents.length);
  }

  /** The rows of before are left, and the removal is one audit entry. */
  async function isRemovedRowForRow(): Promise<void> {
    const removals = async () => {
      const chain = "SELECT count(*)::int AS count FROM audit_entry WHERE kind = 'demo_removed'";
      return (await db.database.pool.query<{ count: number }>(chain)).rows[0]?.count ?? 0;
    };
    const removalsBefore = await removals();
    const sequence = "SELECT value FROM policy_sequence WHERE workspace_id = $1";
    const { rows: was } = await db.database.pool.query<{ value: string }>(sequence, [workspaceId]);
    await remove(running.app, { ...admin, workspaceId });
    const { rows: is } = await db.database.pool.query<{ value: string }>(sequence, [workspaceId]);
    expect(BigInt(is[0]?.value ?? 0)).toBeGreaterThan(BigInt(was[0]?.value ?? 0));
    expect(await rows()).toEqual(before);
    expect(await removals()).toBe(removalsBefore + 1);
  }

  test("a removal in the middle of the work leaves nothing either", async () => {
    await started();
    await remove(running.app, { ...admin, workspaceId });
    expect(await rows()).toEqual(before);
  }, 90_000);
});

describe("what the scripts expect of the policies", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await started();
    await demo.stop();
  }, 90_000);
  afterAll(() => remove(running.app, { ...admin, workspaceId }));

  const runs = SCENARIOS.flatMap((scenario) => scenario.runs.map((run) => ({ scenario, run })));
  type Run = (typeof runs)[number];

  /** Dispatches a run's events; each answer is the verdict that the script expects. */
  async function dispatchRun({ scenario, run }: Run, session: string): Promise<void> {
    const agent = await db.database.prisma.agent.findFirst({ where: { workspaceId, name: scenario.agent } });
    const actor: AgentActor = { kind: "agent", workspaceId, id: agent?.id ?? "", name: scenario.agent, scopes: [] };
    const client = { signal: new AbortController().signal };
    const playing = play(scenario, run, session);
    for (let next = playing.next(); !next.done; ) {
      const { event, input, expected } = next.value;
      const request = { event, lane: "default", text: JSON.stringify(input), input, idempotencyKey: null } as const;
      const heard = heardIn((await running.app.dispatcher.dispatch(actor, { ...request, client })).answer);
      expect(heard.verdict, `${event} ${JSON.stringify(input.tool_input ?? "")} ${heard.reason}`).toBe(
        expected.verdict,
      );
      next = playing.next(heard);
    }
  }

  test.each(runs)("$scenario.agent: $run.prompt", (one) => dispatchRun(one, `expected ${one.run.prompt}`), 60_000);

  test("each policy passes its own test cases", async () => {
    const actor = { ...admin, workspaceId };
    const policies = await db.database.prisma.policy.findMany({ where: { workspaceId, isDemo: true } });
    for (const { id: policyId, name } of policies) {
      const run = { policyId, subject: { kind: "live" } } as const;
      const { cases } = await running.app.bench.runCases(actor, run, new AbortController().signal);
      expect(cases.length, name).toBeGreaterThan(0);
      expect(
        cases.filter(({ passed }) => !passed),
        name,
      ).toEqual([]);
    }
  }, 60_000);

  test("a compaction is steered, one is replaced and one is vetoed", async () => {
    const compacting = runs.filter(({ run }) => run.steps.some(({ does }) => does === "compact"));
    for (const one of compacting) await dispatchRun(one, `compacted ${one.run.prompt}`);
    await projectors.run();
    const effects = await db.database.pool.query<{ effect: string }>(
      "SELECT DISTINCT effect FROM compaction WHERE event <> 'after_compaction'",
    );
    expect(effects.rows.map(({ effect }) => effect).sort()).toEqual(
      expect.arrayContaining(["replaced", "steered", "vetoed"]),
    );
  }, 60_000);
});
