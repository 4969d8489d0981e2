/** An exception lifts nothing for an agent that its maker may not answer for. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import { type MakeException, makeException } from "./schema.ts";
import * as exceptions from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
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
beforeEach(() => db.owner.query("DELETE FROM membership WHERE workspace_id = $1", [gateway.admin.workspaceId]));

const bus = () => gateway.running.app.bus;
const member = (name: string) => newMember(db, gateway.admin.workspaceId, { name, role: "admin" });

async function newAgent(by: Administrator) {
  const { agentId, key } = await agents.create(db.database, bus(), by, { name: randomUUID() });
  return { agentId, key };
}

async function call(key: string, cmd: string): Promise<"asked" | "went on"> {
  const response = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ session_id: "s", tool_name: "shell", tool_use_id: randomUUID(), tool_input: { cmd }, cwd: "/" },
    }),
  });
  expect(response.status).toBe(200);
  return (await response.text()).includes("Approval required") ? "asked" : "went on";
}

async function make(by: Administrator, agentId: string, asked: Pick<MakeException, "scope" | "groupId">) {
  const { open } = await approvals.list(db.database, gateway.admin);
  const requestId = open.find((one) => one.agentId === agentId)?.id ?? "";
  const input = makeException.parse({ requestId, hours: 1, reason: "daily work", ...asked });
  return exceptions.make({ db: db.database, bus: bus() }, by, input);
}

describe("an exception from another person's agent", () => {
  it.each(["workspace", "group"] as const)("of scope %s covers no agent of its maker's", async (scope) => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    const [theirs, own] = [await newAgent(bob), await newAgent(olga)];
    const { groupId } = await agents.createGroup(db.database, bus(), olga, { name: randomUUID() });
    const agentIds = [theirs.agentId, own.agentId];
    await agents.setGroupMembers(db.database, bus(), olga, { groupId, agentIds });
    const cmd = `git push origin ${scope}`;
    expect(await call(theirs.key, cmd)).toBe("asked");
    await make(olga, theirs.agentId, { scope, ...(scope === "group" && { groupId }) });
    expect(await call(theirs.key, cmd)).toBe("went on");
    expect(await call(own.key, cmd)).toBe("asked");
    const later = await newAgent(olga);
    expect(await call(later.key, cmd)).toBe("asked");
  });

  it("covers that agent no more once its maker makes a key of it", async () => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    await member("Cy");
    const theirs = await newAgent(bob);
    const cmd = "git push origin later";
    expect(await call(theirs.key, cmd)).toBe("asked");
    await make(olga, theirs.agentId, { scope: "agent" });
    expect(await call(theirs.key, cmd)).toBe("went on");
    const { key } = await agents.createKey(db.database, bus(), olga, { agentId: theirs.agentId });
    await vi.waitFor(async () => expect(await call(key, cmd)).toBe("asked"), { timeout: 2_000 });
    expect(await call(theirs.key, cmd)).toBe("asked");
  });

  it("is not made by whoever makes a key of the agent at the same time", async () => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    await member("Cy");
    const theirs = await newAgent(bob);
    expect(await call(theirs.key, "git push origin race")).toBe("asked");
    const other = new pg.Client(db.ownerUrl);
    await other.connect();
    try {
      await other.query("BEGIN");
      await other.query("SELECT FROM agent WHERE id = $1 FOR UPDATE", [theirs.agentId]);
      const making = make(olga, theirs.agentId, { scope: "agent" }).then(
        () => "made",
        (error: { readonly code: string }) => error.code,
      );
      await vi.waitUntil(
        async () => {
          const { rows } = await other.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return rows.length > 0;
        },
        { timeout: 10_000 },
      );
      await other.query(
        `INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint, created_by_id)
         VALUES ($1, gen_random_uuid(), $2, sha256($3), 'x', $4)`,
        [gateway.admin.workspaceId, theirs.agentId, Buffer.from(randomUUID()), olga.id],
      );
      await other.query("COMMIT");
      expect(await making).toBe("approval_own_agent");
    } finally {
      await other.end();
    }
  });
});
