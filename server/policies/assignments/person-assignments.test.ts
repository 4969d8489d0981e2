/** Policies that are assigned to people and to groups of the sign-on provider, at the door that agents use. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { addMember } from "../../../e2e/fixtures/members.ts";
import type { Administrator } from "../../access/actor.ts";
import * as agents from "../../agents/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { removeMember } from "../../people/members.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { mergePeople } from "../../principals/merge.ts";
import * as principals from "../../principals/service.ts";
import { erasePerson } from "../../record/erasure/erase-person.ts";
import { requestChange } from "../../reviews/binding-changes.ts";
import { mergeAssignments } from "../binding/owners.ts";
import { explainAgent } from "../effective/explain-agent.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import { get } from "../views.ts";
import { assignPolicy } from "./assignment-schema.ts";
import { assign, listAudienceChoices } from "./assignments.ts";

/** Denies the shell, and approves any other tool. */
const SOURCE = `hooks:
  permission_request:
    - matcher: "*"
      hooks:
        - { name: approve, type: command, command: 'echo "{\\"hook_specific_output\\":{\\"permission_decision\\":\\"allow\\"}}"' }
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { name: no shell, type: command, command: 'echo no >&2; exit 2' }
`;

let db: TestDatabase;
let server: TestGateway;
let workspaceId: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  workspaceId = server.admin.workspaceId;
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});
const world = () => [server.database, server.running.app.bus, server.admin] as const;

const newMember = (name: string): Promise<Administrator> => addMember(db.owner, workspaceId, { name, role: "admin" });
async function newAgent(owner: Administrator | null) {
  const { agentId, key } = await agents.create(...world(), { name: `agent ${randomUUID()}` });
  if (owner) await own(agentId, owner);
  const known = await principals.getOwner(server.database, workspaceId, agentId);
  return { agentId, key: server.running.app.answerKeys.complete(key), personId: known.owner?.id ?? "" };
}
const own = (agentId: string, owner: Administrator | null, by: Administrator = server.admin) =>
  principals.setOwner(server.database, server.running.app.bus, by, {
    agentId,
    owner: owner && { kind: "account", accountId: owner.id },
  });
/** A policy for these people and groups. */
async function policyFor(targets: { personIds?: string[]; signOnGroupIds?: string[] }): Promise<string> {
  const name = `policy ${randomUUID()}`;
  const { policyId } = await publishByName(...world(), { name, source: SOURCE, note: "" }, NO_CASES);
  await assign(...world(), assignPolicy.parse({ policyId, scope: "chosen", ...targets }));
  return policyId;
}
async function ask(key: string, event: "pre_tool_use" | "permission_request", tool: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/hooks/${event}?lane=default`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ session_id: randomUUID(), hook_event_name: event, tool_name: tool, tool_input: { cmd: "ls" } },
      tool_use_id: randomUUID(),
    }),
  });
  expect(response.status).toBe(200);
  return response.text();
}
const isDenied = async (key: string) => (await ask(key, "pre_tool_use", "shell")).includes('"no"');
const isApproved = async (key: string) => (await ask(key, "permission_request", "read")).includes('"allow"');
const within = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 1_000, interval: 20 });
const errorOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => new AppError("internal", "nothing was thrown"),
    (error: unknown) => error as AppError, // the functions here throw no other
  );

describe("a policy that is assigned to a person", () => {
  it("binds the agents of that person, and within a second those that get this owner", async () => {
    const ada = await newMember("Ada");
    const [own1, other, unknown] = [
      await newAgent(ada),
      await newAgent(await newMember("Grace")),
      await newAgent(null),
    ];
    const policyId = await policyFor({ personIds: [own1.personId] });
    expect(await isDenied(own1.key)).toBe(true);
    for (const { key } of [other, unknown]) expect(await isDenied(key)).toBe(false);
    expect(await get(server.database, workspaceId, policyId)).toMatchObject({
      ...{ scope: "chosen", bound: 1, people: [{ id: own1.personId, name: "Ada" }] },
    });
    await own(unknown.agentId, ada);
    await within(async () => expect(await isDenied(unknown.key)).toBe(true));
    expect((await get(server.database, workspaceId, policyId)).bound).toBe(2);
    await own(own1.agentId, null);
    await within(async () => expect(await isDenied(own1.key)).toBe(false));
    const { policies, others } = await explainAgent(server.database, workspaceId, unknown.agentId);
    expect(policies.find(({ id }) => id === policyId)).toMatchObject({
      ...{ through: [{ scope: "person", group: "Ada", tag: null }], cannotAllow: true },
    });
    const seen = await explainAgent(server.database, workspaceId, other.agentId);
    expect(seen.others.find(({ id }) => id === policyId)).toMatchObject({ people: ["Ada"] });
    expect(others).toEqual(expect.not.arrayContaining([expect.objectContaining({ id: policyId })]));
  });

  it("approves a call only for an owner who is proven, and denies for any", async () => {
    const ada = await newMember("Ada");
    const [stated, proven] = [await newAgent(ada), await newAgent(null)];
    await own(proven.agentId, ada, ada);
    await policyFor({ personIds: [stated.personId] });
    expect([await isDenied(stated.key), await isApproved(stated.key)]).toEqual([true, false]);
    expect([await isDenied(proven.key), await isApproved(proven.key)]).toEqual([true, true]);
    await removeMember(server.database, server.admin, { personId: ada.id });
    await within(async () => expect(await isApproved(proven.key)).toBe(false));
    expect(await isDenied(proven.key)).toBe(true);
  });

  it("follows two people who turn out to be one, and is enforced if it was for one of them", async () => {
    const [one, two] = [await newAgent(await newMember("Ada")), await newAgent(await newMember("A. Lovelace"))];
    const policyId = await policyFor({ personIds: [one.personId, two.personId] });
    const only = await policyFor({ personIds: [one.personId] });
    await db.owner.query(
      `UPDATE assignment SET mode = 'observe', observe_until = now() + interval '1 day', observe_since = now(), observe_by = 'x'
       WHERE policy_id = $1 AND target_id = $2`,
      [policyId, two.personId],
    );
    const { database, running } = server;
    const people = { personId: one.personId, intoId: two.personId };
    await mergePeople(database, running.app.bus, server.admin, people, [mergeAssignments]);
    for (const id of [policyId, only])
      expect(await get(database, workspaceId, id)).toMatchObject({
        people: [{ id: two.personId }],
        bound: 2,
        observed: null,
      });
    await within(async () => expect(await isDenied(two.key)).toBe(true));
  });

  it("cannot be lost by another owner without the permission to publish, nor without a second person where it has four eyes", async () => {
    const [ada, grace] = [await newMember("Ada"), await newMember("Grace")];
    const { agentId, personId, key } = await newAgent(ada);
    const policyId = await policyFor({ personIds: [personId] });
    const author: Administrator = { kind: "person", workspaceId, id: uuidv7(), name: "Vic", role: "viewer" };
    expect((await errorOf(own(agentId, grace, author))).code).toBe("forbidden");
    await db.owner.query("UPDATE policy SET four_eyes = true WHERE id = $1", [policyId]);
    expect((await errorOf(own(agentId, grace))).code).toBe("review_required");
    // Proven from now on, the policy could approve calls: that loosens too.
    expect((await errorOf(own(agentId, ada, ada))).code).toBe("review_required");
    expect(await isDenied(key)).toBe(true);
    const input = { agentId, owner: { kind: "account", accountId: grace.id } } as const;
    const { changeId } = await requestChange(server.database, server.running.app.bus, server.admin, {
      ...{ change: { kind: "set_agent_owner", input }, note: "" },
    });
    expect(changeId).toBeTruthy();
  });

  it("keeps its person from being erased until it is assigned elsewhere, and stays when the person leaves", async () => {
    const ada = await newMember("Ada");
    const { personId, key, agentId } = await newAgent(ada);
    const policyId = await policyFor({ personIds: [personId] });
    await db.owner.query("DELETE FROM membership WHERE person_id = $1", [ada.id]);
    expect(await isDenied(key)).toBe(true);
    const { database, running, admin } = server;
    const erase = () => erasePerson(database, running.app.bus, admin, { person: personId, reason: "asked" });
    const refused = await errorOf(erase());
    expect([refused.code, refused.message.length > 0]).toEqual(["invalid_input", true]);
    await assign(...world(), assignPolicy.parse({ policyId, scope: "chosen", agentIds: [agentId] }));
    await erase();
    expect(await isDenied(key)).toBe(true);
    const error = await errorOf(
      assign(...world(), assignPolicy.parse({ policyId, scope: "chosen", personIds: [personId] })),
    );
    expect(error.code).toBe("person_not_found");
  });
});

describe("a policy that is assigned to a group of the sign-on provider", () => {
  it("binds the agents of its members, as the newest sign-in names them", async () => {
    const ada = await newMember("Ada");
    const { agentId, key } = await newAgent(ada);
    const groupId = uuidv7();
    await db.owner.query("INSERT INTO sign_on_group (workspace_id, id, name) VALUES ($1, $2, 'platform')", [
      ...[workspaceId, groupId],
    ]);
    const policyId = await policyFor({ signOnGroupIds: [groupId] });
    expect(await isDenied(key)).toBe(false);
    await db.owner.query("INSERT INTO sign_on_group_member (workspace_id, group_id, person_id) VALUES ($1, $2, $3)", [
      ...[workspaceId, groupId, ada.id],
    ]);
    server.running.app.bus.tell(workspaceId, ["policies"]);
    await within(async () => expect(await isDenied(key)).toBe(true));
    expect(await get(server.database, workspaceId, policyId)).toMatchObject({
      ...{ bound: 1, signOnGroups: [{ id: groupId, name: "platform" }] },
    });
    const { signOnGroups } = await listAudienceChoices(server.database, workspaceId);
    expect(signOnGroups).toContainEqual({ id: groupId, name: "platform", agentIds: [agentId] });
  });
});
