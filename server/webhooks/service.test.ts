import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { startReceiver } from "../../e2e/fixtures/receiver.ts";
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { WebhookKind } from "../audit/webhook-kinds-schema.ts";
import { createBus } from "../events/index.ts";
import { stoppedClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import { notifyBudgetCrossings } from "./budgets.ts";
import { ATTEMPTS_MAX, deliverDue } from "./deliver.ts";
import { queueDenials } from "./denials.ts";
import { dropOld } from "./repository.ts";
import * as service from "./service.ts";

let at: TestDatabase;
let actor: Administrator;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let bus: ReturnType<typeof createBus>;
const log = createLog("silent");
const key = Buffer.alloc(32, 7);
const clock = stoppedClock(Date.now());
const DAY = 86_400_000;

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log);
  receiver = await startReceiver();
  const workspaceId = uuidv7();
  await at.database.pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'test')", [workspaceId]);
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  actor = { kind: "script", workspaceId, id: "test", name: "ada" };
});
afterAll(async () => {
  receiver.stop();
  await bus.close();
  await at.drop();
});
afterEach(async () => {
  receiver.received.length = 0;
  receiver.answer(200);
  await at.database.pool.query("DELETE FROM webhook");
});

const node = (allowed = "loopback") =>
  service.createWebhooks({
    db: at.database,
    bus,
    log,
    addresses: addressRule(allowed, VARIABLES.webhooks),
    key,
    url: "https://quarterdeck.example",
    clock,
  });
const made = async (path = "/hook", kinds: WebhookKind[] = ["policy.published"]) =>
  service.save(node(), actor, { url: `${receiver.url}${path}`, kinds, shape: "json", isEnabled: true });
const publish = (note = "", fail = false) =>
  at.database.prisma.$transaction(async (tx) => {
    const entry = {
      kind: "policy_published",
      version: 1,
      by: "ada",
      policy: "p",
      revision: 3,
      sha256: "s",
      note,
    } as const;
    await recordAudit(tx, actor, entry);
    if (fail) throw new Error("taken back");
  });
const rows = async () => (await service.deliveries(at.database, actor.workspaceId, { limit: 100 })).rows;
/** The database dates what it writes by its own clock, which goes on. */
const due = () => clock.advance(DAY);

test("what happened is told with a signature that the library verifies, and nothing of what was taken back", async () => {
  const { secret } = await made();
  await expect(publish("no", true)).rejects.toThrow();
  await publish("yes");
  clock.advance(Date.now() - clock.now() + 50);
  expect(await deliverDue(node())).toBe(1);
  const [sent] = receiver.received;
  const headers = Object.fromEntries(Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  const told = new Webhook(secret ?? "").verify(sent?.text ?? "", headers);
  expect(told).toMatchObject({ type: "policy.published", data: { by: "ada", policy: "p", revision: 3, note: "yes" } });
  expect(() => new Webhook(secret ?? "").verify(`${sent?.text} `, headers)).toThrow();
  expect(await rows()).toMatchObject([{ state: "delivered", status: 200, attempts: 1, error: null }]);
});

test("a former secret signs beside the new one until its time is over", async () => {
  clock.advance(Date.now() - clock.now() + 50);
  const { id, secret: former } = await made();
  const { secret } = await service.rotate(node(), actor, { id, overlapHours: 1 });
  expect(await service.test(node(), actor, { id })).toEqual({ status: 200, error: null });
  const verifies = (by: string | null, index: number) => {
    const { headers, text = "" } = receiver.received[index] ?? {};
    const plain = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
    return Boolean(new Webhook(by ?? "").verify(text, plain));
  };
  expect([verifies(former, 0), verifies(secret, 0)]).toEqual([true, true]);
  await service.rotate(node(), actor, { id, overlapHours: 0 });
  await service.test(node(), actor, { id });
  expect(() => verifies(secret, 1)).toThrow();
  const stored = await at.database.pool.query<{ secret: Buffer }>("SELECT secret FROM webhook");
  expect(stored.rows[0]?.secret.toString("latin1")).not.toContain("whsec_");
});

test("a failure is tried again after growing pauses, is dead after the last, and a person tries again or discards", async () => {
  await made();
  receiver.answer(500);
  await publish();
  await publish();
  due();
  expect(await deliverDue(node())).toBe(2);
  expect(await deliverDue(node())).toBe(0);
  expect((await rows())[0]).toMatchObject({ state: "waiting", status: 500, error: "It answered 500.", attempts: 1 });
  for (let attempt = 2; attempt <= ATTEMPTS_MAX; attempt += 1) {
    due();
    expect(await deliverDue(node())).toBe(2);
  }
  due();
  expect(await deliverDue(node())).toBe(0);
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ["dead", ATTEMPTS_MAX],
    ["dead", ATTEMPTS_MAX],
  ]);
  const [first] = await rows();
  expect(await service.resolveDead(node(), actor, { act: "discarded", id: first?.id ?? null })).toEqual({ count: 1 });
  receiver.answer(204);
  expect(await service.resolveDead(node(), actor, { act: "retried", id: null })).toEqual({ count: 1 });
  expect(await deliverDue(node())).toBe(1);
  expect((await rows()).map(({ state }) => state).sort()).toEqual(["delivered", "discarded"]);
  const entries = await at.database.pool.query("SELECT 1 FROM audit_entry WHERE kind = 'webhook_deliveries_settled'");
  expect(entries.rowCount).toBe(2);
});

test("nodes that look at the same time deliver each message once", async () => {
  await made("/a");
  await made("/b");
  for (let count = 0; count < 4; count += 1) await publish();
  due();
  await Promise.all([deliverDue(node()), deliverDue(node()), deliverDue(node())]);
  while ((await deliverDue(node())) > 0);
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([8, 8]);
});

test("an address with a query is not kept, where everybody who may read webhooks could read a secret in it", async () => {
  for (const end of ["?token=hidden", "#hidden"])
    await expect(made(`/hook${end}`)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("from ? or # on"),
    });
  const { id } = await made();
  const changed = {
    id,
    url: `${receiver.url}/hook?token=hidden`,
    kinds: ["policy.published" as const],
    shape: "json" as const,
    isEnabled: true,
  };
  await expect(service.save(node(), actor, changed)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await service.list(at.database, actor.workspaceId)).toMatchObject([{ url: `${receiver.url}/hook` }]);
});

test("a private address is neither saved nor sent to, and a webhook that is off is told nothing", async () => {
  const url = `${receiver.url}/`;
  const input = { url, kinds: ["policy.published" as const], shape: "json" as const, isEnabled: true };
  await expect(service.save(node("none"), actor, input)).rejects.toThrow("private");
  const { id } = await made();
  expect((await service.test(node("none"), actor, { id })).error).toContain("private");
  await service.save(node(), actor, { ...input, id, isEnabled: false });
  await publish();
  expect(receiver.received).toEqual([]);
  expect((await rows()).map(({ kind }) => kind)).toEqual(["test"]);
});

test("denied calls are told a minute at a time with counts, once, and not by who did not ask", async () => {
  const { pool } = at.database;
  await made();
  const kinds = ["approval.denied" as const];
  await service.save(node(), actor, { url: receiver.url, kinds, shape: "json", isEnabled: true });
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  await pool.query(
    `INSERT INTO rollup_minute (workspace_id, bucket, agent_id, agent_name, model_id, gate_denied, denied)
     VALUES ($1, $2, $3, 'a', '', 4, 3), ($1, $2, $4, 'b', '', 0, 2), ($1, $2, $5, 'c', '', 0, 0)`,
    [actor.workspaceId, new Date(minute - 60_000), uuidv7(), uuidv7(), uuidv7()],
  );
  const told = await Promise.all([queueDenials(pool, minute + 15_000), queueDenials(pool, minute + 15_000)]);
  expect(told[0] + told[1]).toBe(1);
  expect(await queueDenials(pool, minute + 80_000)).toBe(0);
  const [row] = await rows();
  expect(JSON.parse(row?.body ?? "")).toMatchObject({
    type: "approval.denied",
    data: { denied: { byHooks: 4, inTheEnd: 5 }, agents: [{ name: "a" }, { name: "b" }] },
  });
});

test("what was settled goes after a month, what failed for good after three", async () => {
  await made();
  await publish();
  await publish();
  due();
  await deliverDue(node());
  const [first] = await rows();
  await at.database.pool.query("UPDATE webhook_delivery SET state = 'dead' WHERE id = $1", [first?.id]);
  await dropOld(at.database.pool, new Date(Date.now() + 31 * DAY));
  expect((await rows()).map(({ state }) => state)).toEqual(["dead"]);
  await dropOld(at.database.pool, new Date(Date.now() + 91 * DAY));
  expect(await rows()).toEqual([]);
});

test("a threshold that a budget crossed is sent once, to those who asked for it", async () => {
  await made("/hook", ["budget.crossed"]);
  const budget = uuidv7();
  const { pool } = at.database;
  await pool.query(
    `INSERT INTO budget (workspace_id, id, name, scope, target, period, amount_nano, thresholds, is_hard, unpriced, created_by, updated_by)
     VALUES ($1, $2, 'team', 'workspace', '', 'day', 1000, '{50,100}', false, 'pass', 'ada', 'ada')`,
    [actor.workspaceId, budget],
  );
  await pool.query(
    `INSERT INTO budget_alert (workspace_id, budget_id, period_start, subject, threshold, used_nano, amount_nano)
     VALUES ($1, $2, '2026-01-01', '', 100, 1200, 1000)`,
    [actor.workspaceId, budget],
  );
  expect([await notifyBudgetCrossings(pool), await notifyBudgetCrossings(pool)]).toEqual([1, 0]);
  const { rows: sent } = await pool.query<{ kind: string; body: string }>("SELECT kind, body FROM webhook_delivery");
  expect(sent.map(({ kind }) => kind)).toEqual(["budget.crossed"]);
  expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({
    type: "budget.crossed",
    data: { budget, name: "team", threshold: 100, usedNano: "1200", amountNano: "1000", isUsedUp: true },
  });
});
