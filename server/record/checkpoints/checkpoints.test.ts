import { once } from "node:events";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newWorkspace } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { checkpoint, isSignedBy } from "../../audit/checkpoint.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { stoppedClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { addressRule, VARIABLES } from "../../platform/outgoing/address-rule.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { signNow } from "../service.ts";
import { createWebhook } from "../webhook.ts";
import { checkpointFile, readCheckpoints } from "./checkpoint-file.ts";
import { createCheckpointer } from "./checkpoints.ts";

let at: TestDatabase;
let dir: string;
let secrets: Secrets;
let workspaceId: string;
const log = createLog("silent");
const clock = stoppedClock(Date.now());

beforeAll(async () => {
  at = await testDatabase();
  dir = await mkdtemp("/tmp/quarterdeck-checkpoints-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
});
beforeEach(async () => {
  // A tick looks at every workspace: what the test before left would count in this one's.
  await make().tick(true);
  workspaceId = await newWorkspace(at.database, "test");
});
afterAll(async () => {
  await at.drop();
  await rm(dir, { recursive: true });
});

const make = (more: { secrets?: Secrets; deliver?: () => Promise<void> } = {}) =>
  createCheckpointer({ pool: at.database.pool, secrets, dir: join(dir, "points"), log, clock, ...more });
const act = (count: number) =>
  at.database.prisma.$transaction(async (tx) => {
    for (let index = 0; index < count; index += 1)
      await recordAudit(tx, workspaceId, { kind: "sign_in_link_created", version: 1, by: "test" });
  });
const written = () => readCheckpoints(checkpointFile(join(dir, "points"), workspaceId));
const set = (column: string, value: unknown) =>
  at.database.pool.query(
    `INSERT INTO record_setting (workspace_id, ${column}) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET ${column} = excluded.${column}`,
    [workspaceId, value],
  );

test("a checkpoint is written after so many entries or so long, and never twice for the same entry", async () => {
  await set("checkpoint_entries", 5);
  await set("checkpoint_seconds", 60);
  const points = make();
  await act(2);
  expect(await points.tick()).toBe(1);
  expect(await points.tick()).toBe(0);
  await act(4);
  expect(await points.tick()).toBe(0);
  await act(1);
  expect(await points.tick()).toBe(1);
  await act(1);
  expect(await points.tick()).toBe(0);
  clock.advance(61_000);
  expect(await points.tick()).toBe(1);
  expect((await written()).map(({ seq }) => seq)).toEqual([2, 7, 8]);
  for (const one of await written()) {
    expect(checkpoint.safeParse(one).success).toBe(true);
    expect(isSignedBy(one, secrets.signingPublicKey)).toBe(true);
    expect(isSignedBy({ ...one, seq: one.seq + 1 }, secrets.signingPublicKey)).toBe(false);
  }
});

test("two nodes at once write one checkpoint, and a start goes on where the last one stopped", async () => {
  await act(10);
  const counts = await Promise.all([make().tick(true), make().tick(true), make().tick(true)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  // A crash in the middle of a line.
  await appendFile(checkpointFile(join(dir, "points"), workspaceId), '{"type":"checkpoint","works');
  await act(1);
  expect(await make().tick(true)).toBe(1);
  expect((await written()).map(({ seq }) => seq)).toEqual([10, 11]);
});

test("a chain that contradicts what was written outside is not signed over, and says so until it is mended", async () => {
  const { pool } = at.database;
  await act(4);
  expect(await make().tick(true)).toBe(1);
  await act(3);
  const points = make();
  const setActor = (name: string | null) =>
    pool.query("UPDATE audit_entry SET actor_name = $2 WHERE workspace_id = $1 AND seq = 6", [workspaceId, name]);
  const fault = async () => {
    const text = "SELECT checkpoint_fault AS fault FROM record_setting WHERE workspace_id = $1";
    return (await pool.query<{ fault: string | null }>(text, [workspaceId])).rows[0]?.fault;
  };
  await setActor("mallory");
  expect(await points.tick(true)).toBe(0);
  const answer = () => signNow(at.database, workspaceId, { checkpointer: points });
  expect(await answer()).toMatchObject({ seq: 4, unvouched: 3, fault: expect.stringContaining("Entry 6") });
  expect(await fault()).toContain("Entry 6 (sign_in_link_created)");
  await setActor(null);
  const cutOff = `audit_entry WHERE workspace_id = '${workspaceId}' AND seq >= 4`;
  await at.owner.query(`CREATE TABLE kept AS SELECT * FROM ${cutOff}`);
  await pool.query(`DELETE FROM ${cutOff}`);
  expect(await points.tick(true)).toBe(0);
  expect(await fault()).toContain("Checkpoint 4");
  await pool.query("INSERT INTO audit_entry SELECT * FROM kept");
  expect(await answer()).toEqual({ seq: 7, unvouched: 0, fault: null });
  expect(await answer()).toEqual({ seq: 7, unvouched: 0, fault: null });
  expect(await fault()).toBeNull();
});

test("a new key signs from then on, the old one stays listed, and the change is an entry", async () => {
  const { pool } = at.database;
  const other = await mkdtemp("/tmp/quarterdeck-key-");
  const renewed = await openSecrets(other, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  await act(1);
  expect(await make().tick(true)).toBe(1);
  await act(1);
  expect(await make({ secrets: renewed }).tick(true)).toBe(1);
  const keys = await pool.query("SELECT key_id FROM audit_key WHERE workspace_id = $1", [workspaceId]);
  expect(keys.rowCount).toBe(2);
  const entries = await pool.query<{ body: string }>(
    "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'checkpoint_key_used'",
    [workspaceId],
  );
  expect(entries.rows.map(({ body }) => JSON.parse(body).key)).toEqual([renewed.signingKeyId]);
  await rm(other, { recursive: true });
});

test("a webhook gets every checkpoint; a failure is tried again, and stays visible until it arrived", async () => {
  const { pool } = at.database;
  const bodies: unknown[] = [];
  let status = 500;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    bodies.push(JSON.parse(text));
    response.writeHead(status).end("anything");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server's address, once it listens
  await set("webhook_url", `http://127.0.0.1:${port}/`);
  const state = async () =>
    (
      await pool.query<{ attempts: number; error: string | null; delivered: boolean }>(
        `SELECT webhook_attempts AS attempts, webhook_error AS error, webhook_delivered_at IS NOT NULL AS delivered
         FROM audit_checkpoint WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 1`,
        [workspaceId],
      )
    ).rows[0];

  const refusing = createWebhook({ pool, log, addresses: addressRule("none", VARIABLES.webhooks) });
  await act(1);
  await make({ deliver: refusing }).tick(true);
  expect(bodies).toEqual([]);
  expect((await state())?.error).toContain("QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS");

  const deliver = createWebhook({ pool, log, addresses: addressRule("loopback", VARIABLES.webhooks) });
  const due = () => pool.query("UPDATE audit_checkpoint SET webhook_next_at = now() WHERE webhook_next_at IS NOT NULL");
  await due();
  await deliver();
  expect(await state()).toEqual({ attempts: 2, error: "It answered 500.", delivered: false });
  await deliver();
  expect((await state())?.attempts).toBe(2);
  status = 204;
  await due();
  await deliver();
  expect(await state()).toEqual({ attempts: 3, error: null, delivered: true });
  expect(bodies.at(-1)).toEqual((await written()).at(-1));
  server.close();
});
