/** Logins of machines through a real gateway: by RFC 8628, with the agent's key on one side and a browser on the other. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type Heard, loginRig, type Machine } from "../../e2e/fixtures/login-rig.ts";
import * as agents from "../agents/index.ts";
import { removeMember } from "../people/members.ts";
import { assignPolicy } from "../policies/assignments/assignment-schema.ts";
import { assign } from "../policies/assignments/assignments.ts";
import { NO_CASES } from "../policies/publishing/case-gate.ts";
import { publishByName } from "../policies/publishing/publish.ts";
import * as principals from "../principals/service.ts";
import { LOGIN_LIMITS } from "./schema.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, command: "echo no >&2; exit 2" }]
`;

let db: TestDatabase;
let server: TestGateway;
let workspaceId: string;
let rig: ReturnType<typeof loginRig>;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  workspaceId = server.admin.workspaceId;
  rig = loginRig(db, server);
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const bus = () => server.running.app.bus;
async function poll({ key }: Machine, { device_code }: { device_code: string }): Promise<string | Heard["body"]> {
  // The interval has passed since the last question.
  await rig.sql("UPDATE device_login SET polled_at = polled_at - interval '2 minutes'");
  const { body } = await rig.post(key, "/login/result", { device_code });
  return body.error?.code ?? body;
}
const setOwner = (agentId: string, name: string) =>
  principals.setOwner(db.database, bus(), server.admin, { agentId, owner: { kind: "service", name } });
const whoami = async ({ key }: Machine) =>
  (await fetch(`${server.url}/api/v1/login`, { headers: { authorization: `Bearer ${key}` } })).json();

/** The principal of a call that the agent makes now. */
async function principalOfCall({ key }: Machine) {
  const { status } = await rig.post(key, "/hooks/pre_tool_use?lane=default", {
    ...{ session_id: randomUUID(), hook_event_name: "pre_tool_use", tool_name: "shell", tool_input: { cmd: "ls" } },
    tool_use_id: randomUUID(),
  });
  expect(status).toBe(200);
  const [row] = await rig.sql<{ facts: string }>(
    "SELECT facts FROM dispatch WHERE workspace_id = $1 ORDER BY received_at DESC LIMIT 1",
    [workspaceId],
  );
  return JSON.parse(row?.facts ?? "{}").principal ?? null;
}
const entries = async (kind: string, agentId: string) =>
  rig.sql<{ body: string }>("SELECT body FROM audit_entry WHERE kind = $1 AND body LIKE '%' || $2 || '%'", [
    kind,
    agentId,
  ]);

describe("a login", () => {
  it("makes the person who confirms it the proven owner of the agent, and is recorded", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    expect(await principalOfCall(laptop)).toBeNull();
    const begun = await rig.begin(laptop);
    expect(begun).toMatchObject({
      expires_in: 600,
      interval: 5,
      verification_uri: `${server.running.app.url}/agents/login`,
    });
    expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(await poll(laptop, begun)).toBe("authorization_pending");
    const typed = begun.user_code.toLowerCase().replace("-", " ");
    const { value } = await mia.browser.query("deviceLogin.find", { userCode: typed });
    expect(value).toMatchObject({ agentId: laptop.agentId, hostName: "mia-laptop", owner: null, obstacle: null });
    expect(value).toMatchObject({ code: begun.user_code, ip: "127.0.0.1" });
    expect(await rig.confirm(mia, typed)).toMatchObject({ status: 200, value: { replaced: null } });
    expect(await poll(laptop, begun)).toMatchObject({
      owner: { certainty: "proven", source: "login" },
      replaced: null,
    });
    expect(await principalOfCall(laptop)).toMatchObject({ certainty: "proven", source: "login" });
    expect(await whoami(laptop)).toMatchObject({ owner: { name: "viewer", certainty: "proven" } });
    const [entry] = await entries("agent_login_confirmed", laptop.agentId);
    expect(JSON.parse(entry?.body ?? "{}")).toMatchObject({ host: "mia-laptop", former: null });
  });

  it("works once: neither code can be used again", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const begun = await rig.begin(laptop);
    await rig.confirm(mia, begun.user_code);
    expect(await poll(laptop, begun)).toMatchObject({ agent: expect.any(String) });
    expect(await poll(laptop, begun)).toBe("invalid_grant");
    expect(await rig.confirm(mia, begun.user_code)).toMatchObject({ status: 404, value: "login_code_unknown" });
  });

  it("gives its result to the key that began it, and to no other key of the same agent", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const begun = await rig.begin(laptop);
    const other = await agents.createKey(db.database, bus(), server.admin, { agentId: laptop.agentId });
    await rig.confirm(mia, begun.user_code);
    expect(await poll({ ...laptop, key: other.key }, begun)).toBe("invalid_grant");
    expect(await poll(await rig.machine(), begun)).toBe("invalid_grant");
    expect(await poll(laptop, begun)).toMatchObject({ owner: { source: "login" } });
  });

  it("that was refused changes nothing, and the machine hears it", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const begun = await rig.begin(laptop);
    expect((await mia.browser.mutate("deviceLogin.refuse", { userCode: begun.user_code })).status).toBe(200);
    expect(await poll(laptop, begun)).toBe("access_denied");
    expect(await rig.confirm(mia, begun.user_code)).toMatchObject({ value: "login_code_unknown" });
    expect(await rig.ownerOf(laptop)).toBeNull();
    expect(await entries("agent_login_refused", laptop.agentId)).toHaveLength(1);
  });

  it("ends after ten minutes on both sides", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const begun = await rig.begin(laptop);
    await rig.sql("UPDATE device_login SET expires_at = clock_timestamp() WHERE agent_id = $1", [laptop.agentId]);
    expect(await rig.confirm(mia, begun.user_code)).toMatchObject({ value: "login_code_unknown" });
    expect(await poll(laptop, begun)).toBe("expired_token");
    expect(await rig.ownerOf(laptop)).toBeNull();
  });

  it("is confirmed by one of two people who confirm at the same time", async () => {
    const [laptop, mia, bo] = [await rig.machine(), await rig.person(), await rig.person("author")];
    const { user_code } = await rig.begin(laptop);
    const answers = await Promise.all([mia, bo].map((who) => rig.confirm(who, user_code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await entries("agent_login_confirmed", laptop.agentId)).toHaveLength(1);
  });

  it("asks a machine that asks too soon to wait longer", async () => {
    const laptop = await rig.machine();
    const { device_code } = await rig.begin(laptop);
    expect(await poll(laptop, { device_code })).toBe("authorization_pending");
    expect((await rig.post(laptop.key, "/login/result", { device_code })).body.error?.code).toBe("slow_down");
    const [row] = await rig.sql<{ interval_s: number }>("SELECT interval_s FROM device_login WHERE agent_id = $1", [
      laptop.agentId,
    ]);
    expect(row?.interval_s).toBe(LOGIN_LIMITS.intervalSeconds + 5);
  });

  it("stores neither of its codes", async () => {
    const laptop = await rig.machine();
    const { device_code, user_code } = await rig.begin(laptop);
    const [row] = await rig.sql<{ text: string }>(
      "SELECT login::text AS text FROM device_login AS login WHERE agent_id = $1",
      [laptop.agentId],
    );
    for (const code of [device_code, user_code, user_code.replace("-", "")]) {
      expect(row?.text).not.toContain(code);
      expect(row?.text).not.toContain(Buffer.from(code).toString("hex"));
    }
  });
});

describe("the owner before a login", () => {
  it("is named on both sides when a second person logs in, and logout brings back the one from before the first", async () => {
    const [laptop, mia, bo] = [await rig.machine(), await rig.person(), await rig.person("author")];
    const account = { kind: "account", accountId: bo.id } as const;
    await principals.setOwner(db.database, bus(), server.admin, { agentId: laptop.agentId, owner: account });
    await rig.loggedIn(laptop, mia);
    const begun = await rig.begin(laptop);
    const { value } = await bo.browser.query("deviceLogin.find", { userCode: begun.user_code });
    expect(value).toMatchObject({ owner: { name: "viewer", certainty: "proven", isReader: false } });
    expect(await rig.confirm(bo, begun.user_code)).toMatchObject({ value: { replaced: { name: "viewer" } } });
    expect(await poll(laptop, begun)).toMatchObject({ owner: { name: "author" }, replaced: { name: "viewer" } });
    expect((await rig.post(laptop.key, "/login/end")).body).toMatchObject({
      ended: { name: "author" },
      owner: { name: "author", certainty: "stated", source: "console" },
    });
    expect(await entries("agent_logged_out", laptop.agentId)).toHaveLength(1);
    expect((await rig.post(laptop.key, "/login/end")).body).toMatchObject({ ended: null });
  });

  it("is unknown again after logout where there was none, from the next call on", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    await rig.loggedIn(laptop, mia);
    expect(await principalOfCall(laptop)).toMatchObject({ source: "login" });
    await rig.post(laptop.key, "/login/end");
    expect(await rig.ownerOf(laptop)).toBeNull();
    expect(await principalOfCall(laptop)).toBeNull();
  });

  it("stays when it is a service, unless the person may change owners", async () => {
    const [laptop, mia, admin] = [await rig.machine(), await rig.person("author"), await rig.person("admin")];
    await setOwner(laptop.agentId, "nightly review");
    const { user_code } = await rig.begin(laptop);
    const { value } = await mia.browser.query("deviceLogin.find", { userCode: user_code });
    expect(value).toMatchObject({ owner: { kind: "service" }, obstacle: "shared_agent" });
    expect(await rig.confirm(mia, user_code)).toMatchObject({ status: 403, value: "forbidden" });
    expect(await rig.ownerOf(laptop)).toMatchObject({ name: "nightly review" });
    expect(await rig.confirm(admin, user_code)).toMatchObject({ value: { replaced: { kind: "service" } } });
    expect(await rig.ownerOf(laptop)).toMatchObject({ name: "admin", source: "login" });
    const next = await rig.begin(laptop);
    expect(await rig.confirm(mia, next.user_code)).toMatchObject({ status: 403, value: "forbidden" });
  });

  it("is set by an admin over a login, and logout does not touch it", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    await rig.loggedIn(laptop, mia);
    await setOwner(laptop.agentId, "ci");
    expect((await rig.post(laptop.key, "/login/end")).body).toMatchObject({ ended: null, owner: { name: "ci" } });
  });
});

describe("a person who leaves", () => {
  it("proves nothing from then on: their agents keep them as a stated owner, with limits and policies", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    await rig.loggedIn(laptop, mia);
    expect(await principalOfCall(laptop)).toMatchObject({ certainty: "proven" });
    await removeMember(db.database, server.admin, { personId: mia.id });
    expect(await rig.ownerOf(laptop)).toMatchObject({ name: "viewer", certainty: "stated" });
    await server.running.app.untilHeardEverywhere();
    expect(await principalOfCall(laptop)).toMatchObject({ certainty: "stated" });
    expect(await entries("agent_logins_ended", laptop.agentId)).toHaveLength(1);
    expect((await rig.post(laptop.key, "/login/end")).body).toMatchObject({ ended: { name: "viewer" }, owner: null });
  });

  it("proves nothing once their access has ended, although nothing has removed them yet", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    await rig.loggedIn(laptop, mia);
    await rig.sql("UPDATE membership SET ends_at = clock_timestamp() WHERE person_id = $1", [mia.id]);
    bus().tell(workspaceId, ["keys"]);
    expect(await principalOfCall(laptop)).toMatchObject({ certainty: "stated" });
  });
});

describe("policies that are assigned to the owner", () => {
  const GUARD = POLICY.replace("shell", "deploy");
  /** A policy for the agents of this machine's owner. */
  async function guardOwnerOf({ agentId }: Machine): Promise<void> {
    const world = [db.database, bus(), server.admin] as const;
    const personId = (await principals.getOwner(db.database, workspaceId, agentId)).owner?.id ?? "";
    const { policyId } = await publishByName(
      ...world,
      { name: `guard ${randomUUID()}`, source: GUARD, note: "" },
      NO_CASES,
    );
    await assign(...world, assignPolicy.parse({ policyId, scope: "chosen", personIds: [personId] }));
  }
  const policyOf = async ({ key }: Machine) =>
    (await fetch(`${server.url}/api/v1/policy`, { headers: { authorization: `Bearer ${key}` } })).text();

  it("stay: no key logs out of them, and no member takes them off, unless they may publish", async () => {
    const [laptop, mia, bo, author] = [
      await rig.machine(),
      await rig.person(),
      await rig.person(),
      await rig.person("author"),
    ];
    await rig.loggedIn(laptop, mia);
    await guardOwnerOf(laptop);
    const refused = {
      status: 403,
      body: { error: { code: "forbidden", message: expect.stringContaining("policies") } },
    };
    expect(await rig.post(laptop.key, "/login/end")).toMatchObject(refused);
    // Bo has a principal by a machine of their own.
    await rig.loggedIn(await rig.machine(), bo);
    const { user_code } = await rig.begin(laptop);
    const { value } = await bo.browser.query("deviceLogin.find", { userCode: user_code });
    expect(value).toMatchObject({ obstacle: "policies" });
    expect(await rig.confirm(bo, user_code)).toMatchObject({ status: 403, value: "forbidden" });
    expect(await rig.ownerOf(laptop)).toMatchObject({ name: "viewer", source: "login" });
    expect(await rig.confirm(author, user_code)).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect(await policyOf(laptop)).not.toContain("deploy"));
  });

  it("come with a login, which needs no permission for that, and stay when the person leaves", async () => {
    const [laptop, desktop, mia] = [await rig.machine(), await rig.machine(), await rig.person()];
    await rig.loggedIn(laptop, mia);
    await guardOwnerOf(laptop);
    await rig.loggedIn(desktop, mia);
    await vi.waitFor(async () => expect(await policyOf(desktop)).toContain("deploy"));
    await removeMember(db.database, server.admin, { personId: mia.id });
    await server.running.app.untilHeardEverywhere();
    expect(await policyOf(desktop)).toContain("deploy");
  });
});

describe("the limits", () => {
  it("ten logins of one agent in ten minutes", async () => {
    const laptop = await rig.machine();
    for (let count = 0; count < LOGIN_LIMITS.perAgent; count += 1) await rig.begin(laptop);
    expect(await rig.post(laptop.key, "/login", { host_name: "x" })).toMatchObject({
      status: 429,
      body: { error: { code: "too_many_logins" } },
    });
  });

  it("ten wrong codes of one person: then the right one waits too", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const { user_code } = await rig.begin(laptop);
    for (let count = 0; count < LOGIN_LIMITS.wrongCodes; count += 1)
      expect(await mia.browser.query("deviceLogin.find", { userCode: "BBBBBBBB" })).toMatchObject({ status: 404 });
    expect(await rig.confirm(mia, user_code)).toMatchObject({ status: 429, value: "too_many_attempts" });
    expect(await rig.ownerOf(laptop)).toBeNull();
  });

  it("no other workspace sees or confirms a code", async () => {
    const laptop = await rig.machine();
    const { user_code } = await rig.begin(laptop);
    const stranger = await rig.person("owner", await newWorkspace(db.database, "elsewhere"));
    const refused = { status: 404, value: "login_code_unknown" };
    expect(await stranger.browser.query("deviceLogin.find", { userCode: user_code })).toMatchObject(refused);
    expect(await rig.confirm(stranger, user_code)).toMatchObject(refused);
  });

  it("no token of a service or of the machine confirms a code", async () => {
    const laptop = await rig.machine();
    const { user_code } = await rig.begin(laptop);
    const headers = { authorization: `Bearer ${server.secrets.adminToken}`, "content-type": "application/json" };
    const body = JSON.stringify({ json: { userCode: user_code } });
    const answer = await fetch(`${server.url}/api/trpc/deviceLogin.confirm`, { method: "POST", headers, body });
    expect(answer.status).toBe(403);
    expect(await rig.ownerOf(laptop)).toBeNull();
  });

  it.each(["", "a b", "x".repeat(254), "über", "<b>"])("the host name %j is refused", async (host_name) => {
    const { key } = await rig.machine();
    expect(await rig.post(key, "/login", { host_name })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_input" } },
    });
  });
});
