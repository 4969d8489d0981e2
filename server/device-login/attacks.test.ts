/** Logins under attack: codes guessed and raced, keys revoked, people who leave or merge at the same moment, and approvals. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { loginRig, type Machine, type Person } from "../../e2e/fixtures/login-rig.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { answerRequest } from "../approvals/schema.ts";
import * as approvals from "../approvals/service.ts";
import { removeMember } from "../people/members.ts";
import { inWorkspace } from "../platform/scope.ts";
import { listProven } from "../policies/assignments/audience-repository.ts";
import { mergePeople } from "../principals/merge.ts";
import * as principals from "../principals/service.ts";
import { byUserCode, CODE_LETTERS, LOGIN_LIMITS } from "./schema.ts";
import { confirm } from "./service.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: builtin, command: ask_a_person }]
`;
const RACES = 8;

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
  await vi.waitUntil(() => server.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const bus = () => server.running.app.bus;
const personIdOf = async ({ agentId }: Machine) =>
  (await principals.getOwner(db.database, workspaceId, agentId)).owner?.id ?? "";
const isProven = ({ agentId }: Machine) =>
  inWorkspace(workspaceId, async () => (await listProven(db.database.prisma, workspaceId, [agentId])).has(agentId));
const removed = ({ id }: Pick<Person, "id">) => removeMember(db.database, server.admin, { personId: id });

describe("codes", () => {
  it("that one person tries at the same time are counted like those in turn", async () => {
    const mia = await rig.person();
    const letters = [...CODE_LETTERS].flatMap((one) => [...CODE_LETTERS].map((two) => `BBBBBB${one}${two}`));
    const answers = await Promise.all(
      letters.slice(0, 60).map((userCode) => mia.browser.query("deviceLogin.find", { userCode })),
    );
    const tried = answers.filter(({ value }) => value === "login_code_unknown");
    expect(tried.length).toBeLessThanOrEqual(LOGIN_LIMITS.wrongCodes);
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set(["login_code_unknown", "too_many_attempts"]));
  });

  it("are void once the key that asked is revoked", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const { user_code } = await rig.begin(laptop);
    const [key] = await rig.sql<{ id: string }>("SELECT id FROM agent_key WHERE agent_id = $1", [laptop.agentId]);
    await agents.revokeKey(db.database, bus(), server.admin, { agentId: laptop.agentId, keyId: key?.id ?? "" });
    expect(await rig.confirm(mia, user_code)).toMatchObject({ status: 404, value: "login_code_unknown" });
    expect(await rig.ownerOf(laptop)).toBeNull();
  });

  it("that a machine polls at the same time give the result once", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    const { user_code, device_code } = await rig.begin(laptop);
    await rig.confirm(mia, user_code);
    const asked = Array.from({ length: 6 }, () => rig.post(laptop.key, "/login/result", { device_code }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it("that one person confirms and refuses at the same time have one answer", async () => {
    for (let race = 0; race < RACES; race += 1) {
      const [laptop, mia] = [await rig.machine(), await rig.person()];
      const bo = await rig.person("author");
      const { user_code: userCode } = await rig.begin(laptop);
      const [yes, no] = await Promise.all([
        rig.confirm(mia, userCode),
        bo.browser.mutate("deviceLogin.refuse", { userCode }),
      ]);
      expect([yes.status, no.status].toSorted()).toEqual([200, 404]);
      expect((await rig.ownerOf(laptop)) !== null).toBe(yes.status === 200);
    }
  });
});

describe("a person who leaves while they log in", () => {
  it("proves nothing afterwards, and neither of the two fails", async () => {
    for (let race = 0; race < RACES; race += 1) {
      const [laptop, mia] = [await rig.machine(), await rig.person()];
      const { user_code } = await rig.begin(laptop);
      const [answer] = await Promise.all([rig.confirm(mia, user_code), removed(mia)]);
      expect([200, 401, 403, 404]).toContain(answer.status);
      expect((await rig.ownerOf(laptop))?.certainty).not.toBe("proven");
      expect(await isProven(laptop)).toBe(false);
    }
  });

  it("does not block changes of owners", async () => {
    for (let race = 0; race < RACES; race += 1) {
      const [laptop, desktop, mia] = [await rig.machine(), await rig.machine(), await rig.person()];
      await rig.loggedIn(laptop, mia);
      const owner = { kind: "service", name: "nightly review" } as const;
      const set = (agentId: string) => principals.setOwner(db.database, bus(), server.admin, { agentId, owner });
      await Promise.all([removed(mia), set(laptop.agentId), set(desktop.agentId)]);
      expect(await rig.ownerOf(laptop)).toMatchObject({ name: "nightly review" });
    }
  });

  it("is no proven owner for policies once their access has ended, although nothing has removed them yet", async () => {
    const [laptop, mia] = [await rig.machine(), await rig.person()];
    await rig.loggedIn(laptop, mia);
    expect(await isProven(laptop)).toBe(true);
    await rig.sql("UPDATE membership SET ends_at = clock_timestamp() WHERE person_id = $1", [mia.id]);
    expect(await isProven(laptop)).toBe(false);
  });
});

describe("a person who turns out to be another", () => {
  it("takes their logins along, and logout brings back the remaining person", async () => {
    const [laptop, other, mia, bo] = [await rig.machine(), await rig.machine(), await rig.person(), await rig.person()];
    await rig.loggedIn(other, bo);
    const intoId = await personIdOf(other);
    await rig.loggedIn(laptop, mia);
    const personId = await personIdOf(laptop);
    const desktop = await rig.machine();
    const owner = { kind: "principal", principalId: personId } as const;
    await principals.setOwner(db.database, bus(), server.admin, { agentId: desktop.agentId, owner });
    await rig.loggedIn(desktop, await rig.person());
    await mergePeople(db.database, bus(), server.admin, { personId, intoId }, []);
    expect(await personIdOf(laptop)).toBe(intoId);
    expect(await isProven(laptop)).toBe(true);
    const [row] = await rig.sql<{ former: string }>(
      "SELECT former_principal_id AS former FROM agent_owner WHERE agent_id = $1",
      [desktop.agentId],
    );
    expect(row?.former).toBe(intoId);
    await rig.post(desktop.key, "/login/end");
    expect(await personIdOf(desktop)).toBe(intoId);
    for (const who of [mia, bo]) await removed(who);
    expect(await rig.ownerOf(laptop)).toMatchObject({ certainty: "stated" });
    expect(await isProven(laptop)).toBe(false);
  });
});

describe("a person who logged in on an agent", () => {
  const member = (name: string) => newMember(db, workspaceId, { name, role: "admin" });
  const allow = (who: Administrator, id: string) =>
    approvals.answer({ db: db.database, bus: bus() }, who, answerRequest.parse({ id, verdict: "allow" }));
  const refusal = { code: "approval_own_agent" };

  async function logIn(on: Machine, who: Administrator): Promise<void> {
    const { user_code } = await rig.begin(on);
    await inWorkspace(workspaceId, () =>
      confirm(server.running.app.deviceLogins, who, byUserCode.parse({ userCode: user_code })),
    );
  }
  async function call({ key }: Machine): Promise<"asked" | "passed"> {
    const { status, body } = await rig.post(key, "/hooks/pre_tool_use", {
      ...{ session_id: "s", tool_name: "shell", tool_use_id: randomUUID(), tool_input: {}, cwd: "/" },
    });
    expect(status).toBe(200);
    return JSON.stringify(body).includes("Approval required") ? "asked" : "passed";
  }
  async function ticket(machine: Machine): Promise<string> {
    expect(await call(machine)).toBe("asked");
    const { open } = await approvals.list(db.database, server.admin);
    return open.find(({ agentId }) => agentId === machine.agentId)?.id ?? "";
  }

  it("approves none of its calls, also after logout", async () => {
    const [laptop, mia, bo] = [await rig.machine(), await member("Mia"), await member("Bo")];
    await logIn(laptop, mia);
    const id = await ticket(laptop);
    const { open } = await approvals.list(db.database, mia);
    expect(open.find((one) => one.id === id)).toMatchObject({ isOwn: true, isForReader: false });
    await expect(allow(mia, id)).rejects.toMatchObject(refusal);
    await rig.post(laptop.key, "/login/end");
    expect(await rig.ownerOf(laptop)).toBeNull();
    await expect(allow(mia, id)).rejects.toMatchObject(refusal);
    expect(await allow(bo, id)).toEqual({ isLast: true });
    expect(await call(laptop)).toBe("passed");
  });

  it("still approves the calls of other agents", async () => {
    const [laptop, desktop, mia] = [await rig.machine(), await rig.machine(), await member("Mia")];
    await logIn(laptop, mia);
    expect(await allow(mia, await ticket(desktop))).toEqual({ isLast: true });
  });

  it("ends the approval that they gave before, and people are asked again", async () => {
    const [laptop, mia] = [await rig.machine(), await member("Mia")];
    await member("Bo");
    expect(await allow(mia, await ticket(laptop))).toEqual({ isLast: true });
    await logIn(laptop, mia);
    expect(await call(laptop)).toBe("asked");
  });

  it("lets no call pass by an answer at the same moment", async () => {
    const mia = await member("Mia");
    for (let race = 0; race < RACES; race += 1) {
      const laptop = await rig.machine();
      const id = await ticket(laptop);
      const answered = await Promise.allSettled([allow(mia, id), logIn(laptop, mia)]);
      expect(answered[1]).toMatchObject({ status: "fulfilled" });
      if (answered[0]?.status === "rejected") expect(answered[0].reason).toMatchObject(refusal);
      expect(await call(laptop)).toBe("asked");
    }
  });
});
