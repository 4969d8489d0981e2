/** Two people are two people: not one with two accounts, and not one of whom the account is gone. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import * as agents from "../agents/index.ts";
import { setRole } from "../people/index.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^deploy$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["", "two people"] }
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person }
`;

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

/** A member; one that somebody invited has an address that nobody has proven. */
const member = (invitedBy: Administrator | null, role: Role = "approver") =>
  newMember(db, gateway.admin.workspaceId, { role, invitedBy: invitedBy?.id ?? null });

const allow = (who: Administrator, id: string) =>
  approvals.answer(
    { db: db.database, bus: gateway.running.app.bus },
    who,
    answerRequest.parse({ id, verdict: "allow" }),
  );

async function ticket(tool: string, by: Administrator = gateway.admin) {
  const { agentId, key } = await agents.create(db.database, gateway.running.app.bus, by, { name: randomUUID() });
  const body = JSON.stringify({
    session_id: "s",
    tool_name: tool,
    tool_use_id: randomUUID(),
    tool_input: {},
    cwd: "/",
  });
  await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  const { open } = await approvals.list(db.database, gateway.admin);
  const found = open.find((one) => one.agentId === agentId);
  return { id: found?.id ?? "", agentId };
}

describe("a call that needs two people", () => {
  it("is not allowed by one with a second account that their own link made", async () => {
    const admin = await member(null, "admin");
    const madeUp = await member(admin);
    const { id } = await ticket("deploy");
    expect(await allow(admin, id)).toEqual({ isLast: false });
    await expect(allow(madeUp, id)).rejects.toMatchObject({ code: "approval_answered_twice" });
    expect(await allow(await member(null), id)).toEqual({ isLast: true });
  });

  it("is not allowed by one with two made-up accounts", async () => {
    const admin = await member(null, "admin");
    const { id } = await ticket("deploy");
    expect(await allow(await member(admin), id)).toEqual({ isLast: false });
    await expect(allow(await member(admin), id)).rejects.toMatchObject({ code: "approval_answered_twice" });
  });

  it.each([
    ["was removed", "DELETE FROM membership WHERE person_id = $1"],
    ["may not answer any more", "UPDATE membership SET role = 'viewer' WHERE person_id = $1"],
  ])("takes another allowance where the first one's person %s meanwhile", async (_how, change) => {
    const gone = await member(null);
    const { id } = await ticket("deploy");
    expect(await allow(gone, id)).toEqual({ isLast: false });
    await db.owner.query(change, [gone.id]);
    expect(await allow(await member(null), id)).toEqual({ isLast: false });
    expect(await allow(await member(null), id)).toEqual({ isLast: true });
  });
});

const viewOf = async (reader: Administrator, id: string) => {
  const { open } = await approvals.list(db.database, reader);
  const found = open.find((one) => one.id === id);
  const counted = found?.answers.map(({ isCounted }) => isCounted);
  return { moreNeeded: found?.moreNeeded, ownAllowance: found?.ownAllowance, counted };
};

describe("an installation's script", () => {
  it("is not one of two people, and may deny", async () => {
    const { id } = await ticket("deploy");
    await expect(allow(gateway.admin, id)).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("have to sign in"),
    });
    expect(await allow(await member(null), id)).toEqual({ isLast: false });
    await expect(allow(gateway.admin, id)).rejects.toMatchObject({ code: "forbidden" });
    const context = { db: db.database, bus: gateway.running.app.bus };
    const denial = answerRequest.parse({ id, verdict: "deny", words: "not today" });
    expect(await approvals.answer(context, gateway.admin, denial)).toEqual({ isLast: true });
  });

  it("answers a call that needs one person, as before", async () => {
    const { id } = await ticket("shell");
    expect(await allow(gateway.admin, id)).toEqual({ isLast: true });
  });
});

describe("the list says of a call that needs two people", () => {
  it("how many more it takes, and what a yes of the reader's would be", async () => {
    const [first, second] = [await member(null, "admin"), await member(null)];
    const madeUp = await member(first);
    const { id } = await ticket("deploy");
    expect(await viewOf(second, id)).toEqual({ moreNeeded: 2, ownAllowance: "none", counted: [] });
    await allow(first, id);
    expect(await viewOf(second, id)).toEqual({ moreNeeded: 1, ownAllowance: "none", counted: [true] });
    expect(await viewOf(first, id)).toMatchObject({ ownAllowance: "given" });
    expect(await viewOf(madeUp, id)).toMatchObject({ moreNeeded: 1, ownAllowance: "same_person" });
  });

  it("that an allowance counts no longer, as soon as its person may not answer any more", async () => {
    const [gone, other, third] = [await member(null), await member(null), await member(null)];
    const { id } = await ticket("deploy");
    await allow(gone, id);
    const { bus } = gateway.running.app;
    const heard = new Promise((resolve) => {
      const stop = bus.subscribe((workspaceId, topics) => {
        if (workspaceId !== gone.workspaceId || !topics.includes("approvals")) return;
        stop();
        resolve(topics);
      });
    });
    await setRole(db.database, gateway.admin, { personId: gone.id, role: "viewer" });
    await heard;
    expect(await viewOf(other, id)).toEqual({ moreNeeded: 2, ownAllowance: "none", counted: [false] });
    expect(await allow(other, id)).toEqual({ isLast: false });
    expect(await viewOf(third, id)).toEqual({ moreNeeded: 1, ownAllowance: "none", counted: [false, true] });
    expect(await allow(third, id)).toEqual({ isLast: true });
  });
});

describe("a call of one's own agent", () => {
  it("is not answered by a second account that one's own link made", async () => {
    const maker = await member(null, "admin");
    const madeUp = await member(maker);
    await member(null);
    const { id } = await ticket("shell", maker);
    await expect(allow(madeUp, id)).rejects.toMatchObject({ code: "approval_own_agent" });
    const { open } = await approvals.list(db.database, madeUp);
    expect(open.find((one) => one.id === id)?.isOwn).toBe(true);
    expect(await allow(await member(null), id)).toEqual({ isLast: true });
  });

  it("is answered by it where the workspace has nobody else", async () => {
    await db.owner.query("DELETE FROM membership WHERE workspace_id = $1", [gateway.admin.workspaceId]);
    const maker = await member(null, "admin");
    const madeUp = await member(maker);
    const { id } = await ticket("shell", maker);
    await expect(allow(maker, id)).rejects.toMatchObject({ code: "approval_own_agent" });
    expect(await allow(madeUp, id)).toEqual({ isLast: true });
  });
});

it("words that hold a secret are refused: they would stand in the record and in notices", async () => {
  const { id } = await ticket("shell");
  const words = "use ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const denial = approvals.answer(
    { db: db.database, bus: gateway.running.app.bus },
    await member(null),
    answerRequest.parse({ id, verdict: "deny", words }),
  );
  await expect(denial).rejects.toMatchObject({ code: "invalid_input" });
});
