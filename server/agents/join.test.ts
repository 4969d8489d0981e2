/** Enrolment tokens through a real gateway: what a machine is given, what it is refused, and who gets the last use. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { AppError } from "../errors/app-error.ts";
import { createEnrolmentToken, joinedView } from "./enrolment-token-schema.ts";
import * as enrolmentTokens from "./enrolment-tokens.ts";
import { createGroup, deleteGroup, groups, setGroupMembers } from "./groups.ts";

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const bus = () => gateway.running.app.bus;

async function newToken(asked: object = {}) {
  const input = createEnrolmentToken.parse({ name: `token ${randomUUID()}`, uses: 1, hours: 1, ...asked });
  return enrolmentTokens.createEnrolmentToken(db.database, bus(), gateway.admin, input);
}

async function join(token: string, name: string = randomUUID()) {
  const response = await fetch(`${gateway.url}/api/v1/join`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const body = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, body };
}

const rowOf = async (tokenId: string) =>
  (await enrolmentTokens.enrolmentTokens(db.database, gateway.admin.workspaceId)).find(({ id }) => id === tokenId);

describe("a machine with a token", () => {
  it("gets an agent with a key that opens, and is named on the token's row", async () => {
    const { tokenId, token } = await newToken({ uses: 2 });
    const { status, body } = await join(token, "runner 1");
    expect(status).toBe(201);
    const { agent_id: agentId, key } = joinedView.parse(body);
    const policy = await fetch(`${gateway.url}/api/v1/policy`, { headers: { authorization: `Bearer ${key}` } });
    expect(policy.status).toBe(200);
    expect(await rowOf(tokenId)).toMatchObject({ uses: 1, state: "open", agents: [{ id: agentId, name: "runner 1" }] });
  });

  it("is in the token's group from the beginning", async () => {
    const { groupId } = await createGroup(db.database, bus(), gateway.admin, { name: "runners" });
    const { token } = await newToken({ groupId });
    const { agent_id: agentId } = joinedView.parse((await join(token)).body);
    const group = (await groups(db.database, gateway.admin.workspaceId)).find(({ name }) => name === "runners");
    expect(group?.agentIds).toEqual([agentId]);
  });

  it("stands in the chain: token, agent, key and use; and the token itself stands nowhere", async () => {
    const { tokenId, token } = await newToken();
    await join(token);
    const { rows } = await db.owner.query<{ kind: string }>(
      "SELECT kind FROM audit_entry WHERE body LIKE '%' || $1 || '%' ORDER BY seq",
      [tokenId],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["enrolment_token_created", "enrolment_token_used"]);
    const kept = await db.owner.query("SELECT 1 FROM enrolment_token AS one WHERE one::text LIKE '%' || $1 || '%'", [
      token,
    ]);
    const told = await db.owner.query("SELECT 1 FROM audit_entry WHERE body LIKE '%' || $1 || '%'", [token]);
    expect([kept.rowCount, told.rowCount]).toEqual([0, 0]);
  });
});

describe("no machine joins", () => {
  it("with a token that is used up, has ended or is revoked, and hears which", async () => {
    const used = await newToken();
    await join(used.token);
    const ended = await newToken();
    await db.owner.query("UPDATE enrolment_token SET expires_at = clock_timestamp() WHERE id = $1", [ended.tokenId]);
    const revoked = await newToken();
    await enrolmentTokens.revokeEnrolmentToken(db.database, bus(), gateway.admin, { tokenId: revoked.tokenId });
    for (const [{ token }, says] of [
      [used, "was used once"],
      [ended, "ended at"],
      [revoked, "was revoked"],
    ] as const) {
      const { status, body } = await join(token);
      expect([status, body.error?.code]).toEqual([403, "enrolment_token_over"]);
      expect(body.error?.message).toContain(says);
    }
  });

  it("as an agent that is there, and the use stays with the token", async () => {
    const { tokenId, token } = await newToken({ uses: 2 });
    const name = randomUUID();
    expect((await join(token, name)).status).toBe(201);
    expect(await join(token, name)).toMatchObject({ status: 409, body: { error: { code: "name_taken" } } });
    expect(await rowOf(tokenId)).toMatchObject({ uses: 1 });
  });

  it.each(["", "qdj_short", `qdj_${"a".repeat(43)}`, `qd_${"a".repeat(43)}`])("with %j", async (token) => {
    expect(await join(token)).toMatchObject({ status: 401, body: { error: { code: "enrolment_token_invalid" } } });
  });

  it("under a name that is none", async () => {
    const { token } = await newToken();
    expect(await join(token, "../x")).toMatchObject({ status: 400, body: { error: { code: "invalid_input" } } });
  });

  it("into a group that is gone", async () => {
    const { groupId } = await createGroup(db.database, bus(), gateway.admin, { name: "short-lived" });
    const { token } = await newToken({ groupId });
    await deleteGroup(db.database, bus(), gateway.admin, { groupId });
    expect(await join(token)).toMatchObject({ status: 403, body: { error: { code: "enrolment_token_over" } } });
  });
});

it("gives 20 machines that race for 7 uses exactly 7 agents", async () => {
  const { tokenId, token } = await newToken({ uses: 7 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => join(token)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(7);
  expect(statuses.filter((status) => status === 403)).toHaveLength(13);
  const row = await rowOf(tokenId);
  expect(row).toMatchObject({ uses: 7, state: "used up" });
  expect(row?.agents).toHaveLength(7);
});

describe("a token", () => {
  it("is for no group with a name pattern", async () => {
    const { groupId } = await createGroup(db.database, bus(), gateway.admin, { name: "by name" });
    await setGroupMembers(db.database, bus(), gateway.admin, { groupId, namePattern: "by-name-*" });
    await expect(newToken({ groupId })).rejects.toMatchObject({ code: "group_has_pattern" });
  });

  it("is revoked once", async () => {
    const { tokenId } = await newToken();
    const revoke = () => enrolmentTokens.revokeEnrolmentToken(db.database, bus(), gateway.admin, { tokenId });
    await revoke();
    await expect(revoke()).rejects.toThrow(AppError);
  });

  const WRONG = [{ uses: 0 }, { uses: 1_001 }, { uses: 1.5 }, { hours: 0 }, { hours: 2_161 }, { name: "" }];
  it.each(WRONG)("is never %j", (asked) => {
    expect(createEnrolmentToken.safeParse({ name: "x", uses: 1, hours: 1, ...asked }).success).toBe(false);
  });
});
