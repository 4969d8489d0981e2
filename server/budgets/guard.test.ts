/** The promises of docs/budgets.md, one rule after the other, through the agent API. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fire } from "../../e2e/fixtures/budget-race.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as agents from "../agents/index.ts";
import type { BudgetView, CreateBudget } from "./schema.ts";
import * as budgets from "./service.ts";
import { budgetStatuses } from "./status.ts";

const POLICY = `
hooks:
  before_llm_call:
    - { type: builtin, command: budget_guard, on_error: ignore }
    - { type: builtin, command: max_iterations, args: ["5"] }
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("spender");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});
beforeEach(() =>
  db.owner.query(
    `DELETE FROM budget; DELETE FROM budget_unpriced_model;
     DELETE FROM rollup_day; DELETE FROM session; DELETE FROM tool_decision`,
  ),
);

const world = () => ({ db: server.database, bus: server.running.app.bus });
const ONE: CreateBudget = {
  name: "team",
  about: { scope: "workspace" },
  period: "day",
  amountNano: 1_000_000_000n,
  reserveNano: 400_000_000n,
  thresholds: [50, 80],
  isHard: true,
  unpriced: "count",
};
const create = async (input: Partial<CreateBudget> = {}) =>
  (await budgets.create(world(), server.admin, { ...ONE, ...input })).budgetId;

async function statusOf(name = "team"): Promise<BudgetView> {
  const found = (await budgetStatuses(server.database, server.admin.workspaceId)).find((one) => one.name === name);
  if (!found) throw new Error(`no budget ${name}`);
  return found;
}
const asks = (session: string, more: object = {}, headers = {}) =>
  fire(server.url, key, "before_llm_call", { session_id: session, model_id: "a/b", iteration: 1, ...more }, headers);
const reports = (session: string, more: object, headers = {}) =>
  fire(server.url, key, "after_llm_call", { session_id: session, model_id: "a/b", ...more }, headers);

describe("a hard budget", () => {
  it("refuses the call that does not fit, says why, and shows it among the decisions", async () => {
    const budgetId = await create();
    expect((await asks("1")).answer).toEqual({});
    expect((await asks("2")).answer).toEqual({});
    const { answer } = await asks("3");
    expect(answer).toMatchObject({
      decision: "block",
      reason: 'Budget "team": $0.80 of $1.00 spent or reserved; this call needs up to $0.40.',
    });
    const { budget, refusalText, reservations, refusals } = await budgets.detail(
      server.database,
      server.admin.workspaceId,
      {
        budgetId,
      },
    );
    expect(refusalText).toBe(answer.reason);
    expect(budget).toMatchObject({ state: "closed", account: { heldNano: 800_000_000n, refused: 1 } });
    expect(reservations.map(({ sessionId }) => sessionId).sort()).toEqual(["1", "2"]);
    expect(refusals).toMatchObject([{ agentName: "spender", sessionId: "3", modelId: "a/b" }]);
  });

  it("shows what a refused call will be answered with while there is room, and nothing where no call is refused", async () => {
    const textOf = async (budgetId: string) =>
      (await budgets.detail(server.database, server.admin.workspaceId, { budgetId })).refusalText;
    expect(await textOf(await create())).toBe(
      'Budget "team": $1.00 of $1.00 spent or reserved; this call needs up to $0.40.',
    );
    expect(await textOf(await create({ name: "soft", isHard: false }))).toBeNull();
  });

  it("counts the cost once, however often it is told, and gives the rest back", async () => {
    await create();
    await asks("1");
    const named = { "idempotency-key": randomUUID() };
    await reports("1", { cost: 0.1 }, named);
    await reports("1", { cost: 0.1 }, named);
    expect((await statusOf()).account).toMatchObject({ spentNano: 100_000_000n, heldNano: 0n, priced: 1 });
  });

  it("keeps one reservation for one request, however often it is sent", async () => {
    await create();
    const named = { "idempotency-key": randomUUID() };
    await Promise.all([asks("1", {}, named), asks("1", {}, named)]);
    await asks("1", {}, named);
    expect((await statusOf()).account.heldNano).toBe(400_000_000n);
  });

  it("counts a cost that nobody reserved for, and shows what went beyond", async () => {
    await create();
    await reports("lone", { cost: 0.3 });
    await asks("1");
    await reports("1", { cost: 0.9 });
    const { account, state } = await statusOf();
    expect(account).toMatchObject({ spentNano: 1_200_000_000n, heldNano: 0n, beyond: 1, unreserved: 1 });
    expect(state).toBe("over");
  });

  it("reserves what the dearest call of the period cost, where that is more than one call was said to cost", async () => {
    await create({ amountNano: 2_000_000_000n });
    await asks("1");
    await reports("1", { cost: 0.7 });
    expect(await statusOf()).toMatchObject({ state: "open", account: { dearestNano: 700_000_000n, beyond: 1 } });
    const about = { scope: "model", model: "lab/none" } as const;
    const { workspaceId } = server.admin;
    expect((await budgets.bindingOf(server.database, workspaceId, { about })).dearestNano).toBeNull();
    const workspace = await budgets.bindingOf(server.database, workspaceId, { about: { scope: "workspace" } });
    expect(workspace.dearestNano).toBeGreaterThanOrEqual(700_000_000n);
    expect((await asks("2")).answer).toEqual({});
    expect((await statusOf()).account.heldNano).toBe(700_000_000n);
    const { answer } = await asks("3");
    expect(answer.reason).toBe('Budget "team": $1.40 of $2.00 spent or reserved; this call needs up to $0.70.');
    expect((await statusOf()).state).toBe("closed");
  });

  it("says whom it binds: agents whose policy in force holds the guard, retired ones apart", async () => {
    const { workspaceId } = server.admin;
    const { agentId } = await agents.create(server.database, server.running.app.bus, server.admin, { name: "aside" });
    await create();
    const all = {
      bound: { count: 2, names: ["aside", "spender"] },
      unbound: { count: 0, names: [] },
      unasked: { count: 0, names: [] },
    };
    expect((await statusOf()).binding).toEqual(all);
    await create({ name: "soft", isHard: false });
    expect((await statusOf("soft")).binding).toBeNull();
    const group = await agents.createGroup(server.database, server.running.app.bus, server.admin, { name: "empty" });
    const none = { count: 0, names: [] };
    const ofGroup = { scope: "group", groupId: group.groupId } as const;
    const binding = await budgets.bindingOf(server.database, workspaceId, { about: ofGroup });
    expect(binding).toEqual({ bound: none, unbound: none, unasked: none, dearestNano: null });
    await agents.retire(server.database, server.running.app.bus, server.admin, { agentId });
    expect((await statusOf()).binding).toEqual({
      bound: { count: 1, names: ["spender"] },
      unbound: none,
      unasked: none,
    });
  });

  it("counts the agents that have no guard, and says so", async () => {
    await server.publish("hooks: {}");
    await create();
    expect((await statusOf()).binding).toMatchObject({ bound: { count: 0 }, unbound: { names: ["spender"] } });
    await server.publish(POLICY);
    expect((await statusOf()).binding).toMatchObject({ bound: { names: ["spender"] }, unbound: { count: 0 } });
  });

  it("only counts an agent whose client never asks before a model call, with or without the guard", async () => {
    const { workspaceId } = server.admin;
    await create();
    await server.database.prisma.agent.updateMany({ where: { workspaceId }, data: { client: "claude-code" } });
    const none = { count: 0, names: [] };
    expect((await statusOf()).binding).toEqual({
      bound: none,
      unbound: none,
      unasked: { count: 1, names: ["spender"] },
    });
    await server.database.prisma.agent.updateMany({ where: { workspaceId }, data: { client: "docker-agent" } });
    expect((await statusOf()).binding).toMatchObject({ bound: { names: ["spender"] }, unasked: none });
  });

  it("gives all lapsed reservations back together, keeps the young, and writes it down", async () => {
    const budgetId = await create({ amountNano: 9_000_000_000n });
    for (const session of ["1", "2", "3"]) await asks(session);
    await db.owner.query(
      "UPDATE budget_reservation SET made_at = now() - interval '61 minutes' WHERE session_id IN ('1', '2')",
    );
    const look = () => budgets.detail(server.database, server.admin.workspaceId, { budgetId });
    expect((await look()).lapsed).toEqual({ count: 2, nano: 800_000_000n });
    expect(await budgets.releaseLapsed(world(), server.admin, { budgetId })).toEqual({ count: 2 });
    const after = await look();
    expect(after.lapsed).toEqual({ count: 0, nano: 0n });
    expect(after.reservations.map(({ sessionId }) => sessionId)).toEqual(["3"]);
    expect(after.budget.account.heldNano).toBe(400_000_000n);
    const { rows } = await db.owner.query(
      "SELECT body::jsonb ->> 'count' AS count FROM audit_entry WHERE body::jsonb ->> 'kind' = 'budget_reservations_released'",
    );
    expect(rows).toEqual([{ count: "2" }]);
    expect(await budgets.releaseLapsed(world(), server.admin, { budgetId })).toEqual({ count: 0 });
  });

  it("gives back what another hook refused, what failed, and what was free", async () => {
    await create();
    expect((await asks("1", { iteration: 9 })).answer.decision).toBe("block");
    expect((await statusOf()).account.heldNano).toBe(0n);
    await asks("2");
    await fire(server.url, key, "turn_end", { session_id: "2", reason: "error" });
    expect((await statusOf()).account.heldNano).toBe(0n);
    await asks("3");
    await reports("3", { cost: 0 });
    expect((await statusOf()).account).toMatchObject({ heldNano: 0n, spentNano: 0n, free: 1 });
  });

  it("holds what is never heard of, also when the session ends, until a person releases it", async () => {
    const budgetId = await create();
    await asks("1");
    await fire(server.url, key, "session_end", { session_id: "1", reason: "stream_ended" });
    const { workspaceId } = server.admin;
    const [held] = (await budgets.detail(server.database, workspaceId, { budgetId })).reservations;
    if (!held) throw new Error("nothing is held");
    await budgets.release(world(), server.admin, { budgetId, agentId: held.agentId, requestId: held.requestId });
    expect((await statusOf()).account.heldNano).toBe(0n);
  });

  it.each([
    ["count", 400_000_000n, 1],
    ["pass", 0n, 1],
    ["deny", 400_000_000n, 1],
  ] as const)("under the rule %s an unpriced call counts as %i", async (unpriced, assumedNano, calls) => {
    await create({ unpriced });
    await asks("1");
    await reports("1", {});
    expect((await statusOf()).account).toMatchObject({ assumedNano, heldNano: 0n, spentNano: 0n, unpriced: calls });
    const again = await asks("2");
    expect(again.answer.decision).toBe(unpriced === "deny" ? "block" : undefined);
    expect(again.answer.reason ?? "the cost of a call to a/b is unknown").toContain(
      "the cost of a call to a/b is unknown",
    );
  });

  it("of each session lets every session have the whole amount", async () => {
    await create({ about: { scope: "session" }, period: "total", amountNano: 400_000_000n });
    expect((await asks("s1")).answer).toEqual({});
    expect((await asks("s2")).answer).toEqual({});
    expect((await asks("s1")).answer.decision).toBe("block");
    expect((await statusOf()).sessions).toMatchObject({ counted: 2, closed: 2 });
  });

  it("blocks when it cannot be asked, whatever its on_error says", async () => {
    await create();
    await db.owner.query(
      "ALTER FUNCTION quarterdeck_budget_reserve(uuid, uuid[], uuid[], text[], text[], uuid[], date) RENAME TO away",
    );
    try {
      const { answer } = await asks("1");
      expect(answer.decision).toBe("block");
      expect(answer.reason).toContain("The budgets could not be asked");
    } finally {
      await db.owner.query("ALTER FUNCTION away RENAME TO quarterdeck_budget_reserve");
    }
  });
});

it("a soft budget refuses nobody, starts with what the ledger holds, and warns once for each threshold", async () => {
  await reports("before", { cost: 0.3 });
  const budgetId = await create({ isHard: false, reserveNano: null, unpriced: "pass" });
  for (const session of ["1", "2", "3"]) {
    expect((await asks(session)).answer).toEqual({});
    await reports(session, { cost: 0.2 });
  }
  const { budget, alerts } = await budgets.detail(server.database, server.admin.workspaceId, { budgetId });
  expect(budget).toMatchObject({ state: "warned", passed: 80, account: { spentNano: 900_000_000n, priced: 4 } });
  expect(alerts.map(({ threshold }) => threshold).sort()).toEqual([50, 80]);
});

it("a budget for each session is summed before its making holds up anybody, and takes in what moved on meanwhile", async () => {
  await reports("old", { cost: 0.25 });
  await reports("moving", { cost: 0.1 });
  const { workspaceId } = server.admin;
  const other = await db.owner.connect();
  try {
    // A projector under way: it holds the figures, and the making of the budget comes to wait for it.
    await server.projected();
    await other.query("BEGIN");
    await other.query("SELECT FROM projection_cursor WHERE workspace_id = $1 FOR UPDATE", [workspaceId]);
    const { rows: own } = await other.query("SELECT pg_backend_pid() AS pid");
    const making = create({ about: { scope: "session" }, period: "total", name: "each" });
    const waiting = async () =>
      (
        await db.owner.query(
          `SELECT EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = activity.pid AND granted
                    AND relation = 'budget_account'::regclass AND mode = 'RowExclusiveLock') AS is_summed
           FROM pg_stat_activity activity WHERE $1::int = ANY (pg_blocking_pids(pid))`,
          [own[0].pid],
        )
      ).rows;
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([{ is_summed: true }]);
    await other.query(
      "UPDATE session SET cost_nano = cost_nano + 5 WHERE workspace_id = $1 AND session_id = 'moving'",
      [workspaceId],
    );
    await other.query("COMMIT");
    const budgetId = await making;
    const { rows } = await db.owner.query(
      "SELECT substr(subject, 38) AS session, spent_nano FROM budget_account WHERE budget_id = $1 ORDER BY 1",
      [budgetId],
    );
    expect(rows).toEqual([
      { session: "moving", spent_nano: "100000005" },
      { session: "old", spent_nano: "250000000" },
    ]);
  } finally {
    other.release(true);
  }
});
