/** What docs/budgets.md promises, one rule after the other, through the agent API. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fire } from "../../e2e/fixtures/budget-race.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { BudgetView, CreateBudget } from "./schema.ts";
import * as budgets from "./service.ts";

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
  db.owner.query("DELETE FROM budget; DELETE FROM rollup_day; DELETE FROM session; DELETE FROM budget_unpriced_model"),
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

async function standing(name = "team"): Promise<BudgetView> {
  const found = (await budgets.budgetStandings(server.database, server.admin.workspaceId)).find(
    (one) => one.name === name,
  );
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
    const { budget, reservations, refusals } = await budgets.detail(server.database, server.admin.workspaceId, {
      budgetId,
    });
    expect(budget).toMatchObject({ state: "closed", account: { heldNano: 800_000_000n, refused: 1 } });
    expect(reservations.map(({ sessionId }) => sessionId).sort()).toEqual(["1", "2"]);
    expect(refusals).toMatchObject([{ agentName: "spender", sessionId: "3", modelId: "a/b" }]);
  });

  it("counts the cost once, however often it is told, and gives the rest back", async () => {
    await create();
    await asks("1");
    const named = { "idempotency-key": randomUUID() };
    await reports("1", { cost: 0.1 }, named);
    await reports("1", { cost: 0.1 }, named);
    expect((await standing()).account).toMatchObject({ spentNano: 100_000_000n, heldNano: 0n, priced: 1 });
  });

  it("keeps one reservation for one request, however often it is sent", async () => {
    await create();
    const named = { "idempotency-key": randomUUID() };
    await Promise.all([asks("1", {}, named), asks("1", {}, named)]);
    await asks("1", {}, named);
    expect((await standing()).account.heldNano).toBe(400_000_000n);
  });

  it("counts a cost that nobody reserved for, and shows what went beyond", async () => {
    await create();
    await reports("lone", { cost: 0.3 });
    await asks("1");
    await reports("1", { cost: 0.9 });
    const { account, state } = await standing();
    expect(account).toMatchObject({ spentNano: 1_200_000_000n, heldNano: 0n, beyond: 1 });
    expect(state).toBe("over");
  });

  it("gives back what another hook refused, what failed, and what was free", async () => {
    await create();
    expect((await asks("1", { iteration: 9 })).answer.decision).toBe("block");
    expect((await standing()).account.heldNano).toBe(0n);
    await asks("2");
    await fire(server.url, key, "turn_end", { session_id: "2", reason: "error" });
    expect((await standing()).account.heldNano).toBe(0n);
    await asks("3");
    await reports("3", { cost: 0 });
    expect((await standing()).account).toMatchObject({ heldNano: 0n, spentNano: 0n, free: 1 });
  });

  it("holds what is never heard of, also when the session ends, until a person releases it", async () => {
    const budgetId = await create();
    await asks("1");
    await fire(server.url, key, "session_end", { session_id: "1", reason: "stream_ended" });
    const { workspaceId } = server.admin;
    const [held] = (await budgets.detail(server.database, workspaceId, { budgetId })).reservations;
    if (!held) throw new Error("nothing is held");
    await budgets.release(world(), server.admin, { budgetId, agentId: held.agentId, requestId: held.requestId });
    expect((await standing()).account.heldNano).toBe(0n);
  });

  it.each([
    ["count", 400_000_000n, 1],
    ["pass", 0n, 1],
    ["deny", 400_000_000n, 1],
  ] as const)("under the rule %s an unpriced call counts as %i", async (unpriced, assumedNano, calls) => {
    await create({ unpriced });
    await asks("1");
    await reports("1", {});
    expect((await standing()).account).toMatchObject({ assumedNano, heldNano: 0n, spentNano: 0n, unpriced: calls });
    const again = await asks("2");
    expect(again.answer.decision).toBe(unpriced === "deny" ? "block" : undefined);
    expect(again.answer.reason ?? "nobody knows what a call of a/b costs").toContain(
      "nobody knows what a call of a/b costs",
    );
  });

  it("of each session lets every session have the whole amount", async () => {
    await create({ about: { scope: "session" }, period: "total", amountNano: 400_000_000n });
    expect((await asks("s1")).answer).toEqual({});
    expect((await asks("s2")).answer).toEqual({});
    expect((await asks("s1")).answer.decision).toBe("block");
    expect((await standing()).sessions).toMatchObject({ counted: 2, closed: 2 });
  });

  it("blocks when it cannot be asked, whatever its on_error says", async () => {
    await create();
    await db.owner.query("ALTER FUNCTION quarterdeck_budget_reserve RENAME TO away");
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
