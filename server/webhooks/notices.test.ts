/** Notices of approval requests, from the transaction of a request to a receiver over HTTP. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { startReceiver } from "../../e2e/fixtures/receiver.ts";
import type { Administrator } from "../access/actor.ts";
import { holdNotices } from "../approvals/notices-repository.ts";
import { createBus } from "../events/index.ts";
import { stoppedClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import { sha256 } from "../platform/secrets.ts";
import { deliverDue } from "./deliver.ts";
import { gatherNotices, NOTICES_A_MINUTE_MAX } from "./gather-notices.ts";
import { transaction } from "./repository.ts";
import type { WebhookShape } from "./schema.ts";
import * as service from "./service.ts";

const url = "https://quarterdeck.example";
const agentId = uuidv7();
const log = createLog("silent");
const clock = stoppedClock(Date.now());
let at: TestDatabase;
let actor: Administrator;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let bus: ReturnType<typeof createBus>;
let number = 0;

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
  for (const table of ["webhook", "approval_request"]) await at.database.pool.query(`DELETE FROM ${table}`);
});

const node = () => {
  const addresses = addressRule("loopback", VARIABLES.webhooks);
  return service.createWebhooks({ db: at.database, bus, log, addresses, key: Buffer.alloc(32, 7), url, clock });
};
const made = (shape: WebhookShape = "json") =>
  service.save(node(), actor, {
    url: `${receiver.url}/${shape}`,
    kinds: ["approval.requested"],
    shape,
    isEnabled: true,
  });

/** Requests with these inputs, and their notices, in one transaction. */
function ask(inputs: readonly string[], fail = false, agent = agentId): Promise<void> {
  return transaction(at.database.pool, async (client) => {
    const ids: string[] = [];
    for (const input of inputs) {
      const id = uuidv7();
      number += 1;
      await client.query(
        `INSERT INTO approval_request (workspace_id, id, number, is_waiting, agent_id, agent_name, session_id, tool_name, call_id,
           input_sha256, input, is_whole, reason, asked_by, expires_at)
         VALUES ($1, $2::uuid, $3, true, $4, 'worker', 's', 'shell', $2::uuid::text, $5, $6, true, 'why', '[]', now() + interval '1 hour')`,
        [actor.workspaceId, id, number, agent, sha256(input), input],
      );
      ids.push(id);
    }
    await holdNotices(client, actor.workspaceId, "approval.requested", ids);
    if (fail) throw new Error("taken back");
  });
}
const gather = () => gatherNotices({ pool: at.database.pool, now: new Date(clock.now()), url });
async function deliverAll(): Promise<void> {
  // The database dates what it writes by its own clock, which goes on.
  clock.advance(Math.max(0, Date.now() - clock.now()) + 50);
  while ((await deliverDue(node())) > 0);
}
const sent = () => receiver.received.map(({ text }) => JSON.parse(text));

test("a request is one message with its link and without secrets, and one that was taken back is none", async () => {
  await made();
  await expect(ask(['{"cmd":"never"}'], true)).rejects.toThrow("taken back");
  const secret = ["ghp", "wQ8zR3kT7mN2pL9vX4cB6hJ1sD5fG0yUaEoI"].join("_");
  await ask([`{"cmd":"echo ${secret}"}`]);
  await deliverAll();
  expect(sent()).toEqual([]);
  expect(await gather()).toBe(1);
  expect(await gather()).toBe(0);
  await deliverAll();
  expect(sent()).toMatchObject([
    {
      type: "approval.requested",
      data: { number, count: 1, agentName: "worker", tool: "shell", url: `${url}/approvals#QD-${number}` },
    },
  ]);
  expect(receiver.received[0]?.text).not.toContain(secret);
});

test("equal requests are one message with a count, for each of two nodes that gather at once", async () => {
  await made();
  await ask(Array(12).fill('{"cmd":"same"}'));
  const gathered = await Promise.all([gather(), gather()]);
  expect(gathered.toSorted()).toEqual([0, 1]);
  await deliverAll();
  expect(sent().map(({ data }) => data.count)).toEqual([12]);
});

test("of a flood of 1,000 requests a webhook gets the stated maximum in a minute, and the rest as one count", async () => {
  await made();
  await made("slack");
  await ask(Array.from({ length: 1_000 }, (_, index) => `{"cmd":"${index}"}`));
  expect(await gather()).toBe(2 * NOTICES_A_MINUTE_MAX);
  await ask(['{"cmd":"later"}']);
  // Their minute is full.
  expect(await gather()).toBe(0);
  await deliverAll();
  const told = receiver.received.filter(({ path }) => path === "/json").map(({ text }) => JSON.parse(text));
  expect(told).toHaveLength(NOTICES_A_MINUTE_MAX);
  const rest = 1_000 - (NOTICES_A_MINUTE_MAX - 1);
  expect(told.find(({ type }) => type === "approval.summary")?.data).toEqual({
    counts: [{ kind: "approval.requested", count: rest }],
    url: `${url}/approvals`,
  });
  const titles = receiver.received.filter(({ path }) => path === "/slack").map(({ text }) => JSON.parse(text).text);
  expect(titles).toContain(`${rest} more notices of approvals, counted in this message`);
  clock.advance(61_000);
  expect(await gather()).toBe(2);
});

test("the flood of one agent leaves no request of another one to the summary", async () => {
  await made();
  await ask(Array.from({ length: 50 }, (_, index) => `{"cmd":"${index}"}`));
  const other = uuidv7();
  await ask(['{"cmd":"one of another"}'], false, other);
  expect(await gather()).toBe(NOTICES_A_MINUTE_MAX);
  await deliverAll();
  expect(sent().filter(({ data }) => data.agent === other)).toHaveLength(1);
});

test("a chat is sent its own shape, also as a test, and a held notice is no delivery yet", async () => {
  const { id } = await made("teams");
  await ask(['{"cmd":"ls"}']);
  expect((await service.deliveries(at.database, actor.workspaceId, { limit: 100 })).rows).toEqual([]);
  await service.test(node(), actor, { id });
  await gather();
  await deliverAll();
  expect(sent().map(({ type, attachments }) => [type, attachments[0].content.type])).toEqual([
    ["message", "AdaptiveCard"],
    ["message", "AdaptiveCard"],
  ]);
  expect(await service.list(at.database, actor.workspaceId)).toMatchObject([{ shape: "teams", waiting: 0 }]);
});
