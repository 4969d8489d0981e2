import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import { may } from "../access/permissions.ts";
import type { AppError } from "../errors/app-error.ts";
import { type Bus, createBus } from "../events/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { createAuthenticator } from "./authenticate.ts";
import { createKey, revokeKey, rotateKey, undoKeyRevocation } from "./keys.ts";
import * as agents from "./service.ts";

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  admin = await newWorkspace();
});

async function newWorkspace(): Promise<Administrator> {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  return { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
}
const create = (name: string) => agents.create(at.database, bus, admin, { name });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => error.code,
  );

it("a new agent's key opens, speaks for it, and is stored as a hash alone", async () => {
  const { agentId, key } = await create("ci");
  expect(key).toMatch(/^qd_[0-9A-Za-z]{43}$/);
  const actor = await createAuthenticator(at.database, bus).authenticate(key);
  expect(actor).toEqual({
    kind: "agent",
    keyFingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    workspaceId: admin.workspaceId,
    id: agentId,
    name: "ci",
    scopes: ["dispatch", "report", "policy"],
    tags: [],
    worksFor: expect.objectContaining({ people: { owner: null, sessions: new Map(), latest: null } }),
  });
  const { rows } = await at.database.pool.query("SELECT * FROM agent_key WHERE agent_id = $1", [agentId]);
  expect(JSON.stringify(rows)).not.toContain(key);
  expect(rows[0].hint).toBe(key.slice(0, 8));
});

it("a revoked key is refused at once, also where it was just in use; its sisters still open", async () => {
  const { agentId, keyId, key } = await create("ci");
  const second = await createKey(at.database, bus, admin, { agentId });
  const authenticator = createAuthenticator(at.database, bus);
  await authenticator.authenticate(key);
  await revokeKey(at.database, bus, admin, { agentId, keyId });
  expect(await codeOf(authenticator.authenticate(key))).toBe("key_revoked");
  expect(await codeOf(authenticator.authenticate(second.key))).toBe("nothing was thrown");
});

it("a key is revoked once; again, or for another agent or workspace, is said to be nothing", async () => {
  const { agentId, keyId } = await create("ci");
  const other = await create("other");
  expect(await codeOf(revokeKey(at.database, bus, admin, { agentId: other.agentId, keyId }))).toBe("agent_not_found");
  const stranger = await newWorkspace();
  expect(await codeOf(revokeKey(at.database, bus, stranger, { agentId, keyId }))).toBe("agent_not_found");
  expect(await codeOf(revokeKey(at.database, bus, admin, { agentId, keyId }))).toBe("nothing was thrown");
  expect(await codeOf(revokeKey(at.database, bus, admin, { agentId, keyId }))).toBe("agent_not_found");
});

it("a revocation can be undone for one minute, which is recorded", async () => {
  const { agentId, keyId, key } = await create("ci");
  const authenticator = createAuthenticator(at.database, bus);
  const undo = () => codeOf(undoKeyRevocation(at.database, bus, admin, { agentId, keyId }));
  expect(await undo()).toBe("agent_not_found");
  await revokeKey(at.database, bus, admin, { agentId, keyId });
  expect(await codeOf(authenticator.authenticate(key))).toBe("key_revoked");
  const stranger = await newWorkspace();
  expect(await codeOf(undoKeyRevocation(at.database, bus, stranger, { agentId, keyId }))).toBe("agent_not_found");
  expect(await undo()).toBe("nothing was thrown");
  expect(await codeOf(authenticator.authenticate(key))).toBe("nothing was thrown");
  const { rows } = await at.database.pool.query(
    "SELECT body::json->>'key' AS key FROM audit_entry WHERE workspace_id = $1 AND body::json->>'kind' = 'agent_key_restored'",
    [admin.workspaceId],
  );
  expect(rows).toEqual([{ key: keyId }]);
  await revokeKey(at.database, bus, admin, { agentId, keyId });
  await at.database.pool.query("UPDATE agent_key SET revoked_at = now() - interval '61 seconds' WHERE id = $1", [
    keyId,
  ]);
  expect(await undo()).toBe("agent_not_found");
});

it("a key past its end does not open", async () => {
  const { keyId, key } = await create("ci");
  await at.database.pool.query("UPDATE agent_key SET expires_at = now() - interval '1 second' WHERE id = $1", [keyId]);
  expect(await codeOf(createAuthenticator(at.database, bus).authenticate(key))).toBe("key_revoked");
});

it.each(["", "qd_", "qd_short", `qd_${"x".repeat(43)}`, `qd_${"x".repeat(42)}'`, "Bearer qd_x", "\0"])(
  "what is no key (%j) is refused as nobody",
  async (key) => {
    expect(await codeOf(createAuthenticator(at.database, bus).authenticate(key))).toBe("unauthenticated");
  },
);

it("a name is taken once, also by two at the same moment", async () => {
  const both = await Promise.all([codeOf(create("same")), codeOf(create("same"))]);
  expect(both.sort()).toEqual(["name_taken", "nothing was thrown"]);
});

it("a key by name adds to the agent of that name, or makes it", async () => {
  const made = await agents.createKeyByName(at.database, bus, admin, { name: "script" });
  const again = await agents.createKeyByName(at.database, bus, admin, { name: "script" });
  expect(again.agentId).toBe(made.agentId);
  expect(again.key).not.toBe(made.key);
  const [row] = await agents.list(at.database, admin.workspaceId);
  expect(row).toMatchObject({ name: "script", revisionInForce: "none", lastRevision: null, policies: [] });
  expect(row?.keys.length).toBe(2);
});

it("the agents of another workspace are not listed, and get no key", async () => {
  const { agentId } = await create("ours");
  const stranger = await newWorkspace();
  expect(await agents.list(at.database, stranger.workspaceId)).toEqual([]);
  expect(await codeOf(createKey(at.database, bus, stranger, { agentId }))).toBe("agent_not_found");
});

it("a key is for what it says alone, and is noted when it is used", async () => {
  const { agentId } = await create("ci");
  const { key, keyId } = await createKey(at.database, bus, admin, { agentId, scopes: ["policy"], days: 30 });
  const actor = await createAuthenticator(at.database, bus).authenticate(key);
  expect(actor.scopes).toEqual(["policy"]);
  expect([may(actor, "agent:policy"), may(actor, "agent:dispatch"), may(actor, "agent:report")]).toEqual([
    true,
    false,
    false,
  ]);
  const kept = async () => (await agents.list(at.database, admin.workspaceId))[0]?.keys.find(({ id }) => id === keyId);
  await expect.poll(async () => (await kept())?.lastUsedAt).toBeInstanceOf(Date);
  expect((await kept())?.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000);
});

it("a key that gives way to another opens until the overlap is over, also where it was just in use", async () => {
  const { agentId, keyId, key } = await create("ci");
  const authenticator = createAuthenticator(at.database, bus);
  await authenticator.authenticate(key);
  const next = await rotateKey(at.database, bus, admin, { agentId, keyId, overlapHours: 1 });
  expect((await authenticator.authenticate(key)).id).toBe(agentId);
  expect((await authenticator.authenticate(next.key)).id).toBe(agentId);
  const last = await rotateKey(at.database, bus, admin, { agentId, keyId: next.keyId, overlapHours: 0 });
  expect(await codeOf(authenticator.authenticate(next.key))).toBe("key_revoked");
  expect((await authenticator.authenticate(last.key)).id).toBe(agentId);
  expect(await codeOf(rotateKey(at.database, bus, admin, { agentId, keyId: next.keyId, overlapHours: 1 }))).toBe(
    "agent_not_found",
  );
});
