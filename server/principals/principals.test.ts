/** The person behind a call through a real gateway: from the key's owner, a token, telemetry, and no one. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { addMember, type Member } from "../../e2e/fixtures/members.ts";
import { CLAUDE, claudeRequest, exportLogs } from "../../e2e/fixtures/otlp-exports.ts";
import type { Administrator } from "../access/actor.ts";
import { joinedView } from "../agents/enrolment-token-schema.ts";
import * as agents from "../agents/index.ts";
import { searchAgents } from "../agents/schema.ts";
import { callFacets, listCalls } from "../decisions/calls.ts";
import { exportCalls } from "../decisions/calls-export.ts";
import { countDecisionsInput, listDecisions } from "../decisions/schema.ts";
import { get } from "../decisions/service.ts";
import { AppError } from "../errors/app-error.ts";
import { uuidv7 } from "../platform/ids.ts";
import { erasePerson } from "../record/erasure/erase-person.ts";
import { verifyStored } from "../record/verification/verify-stored.ts";
import { mergePeople } from "./merge.ts";
import type { OwnerChoice } from "./schema.ts";
import * as principals from "./service.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, command: "echo no >&2; exit 2" }]
`;

let db: TestDatabase;
let server: TestGateway;
let workspaceId: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  workspaceId = server.admin.workspaceId;
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const bus = () => server.running.app.bus;
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const newMember = (name: string): Promise<Member> => addMember(db.owner, workspaceId, { name, role: "admin" });

async function newAgent() {
  const { agentId, key } = await agents.create(server.database, bus(), server.admin, { name: `agent ${randomUUID()}` });
  return { agentId, key: server.running.app.answerKeys.complete(key) };
}

const setOwner = (agentId: string, owner: OwnerChoice | null, by: Administrator = server.admin) =>
  principals.setOwner(server.database, bus(), by, { agentId, owner });
const account = ({ id }: Member) => ({ kind: "account", accountId: id }) as const;
/** The cached look-ups of keys are made again. */
const forgetKeys = () => bus().tell(workspaceId, ["keys"]);

async function denied(key: string, session: string = randomUUID(), more: object = {}): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use?lane=default`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ session_id: session, hook_event_name: "pre_tool_use", tool_name: "shell", tool_input: { cmd: "ls" } },
      ...{ tool_use_id: randomUUID(), ...more },
    }),
  });
  expect(response.status).toBe(200);
  return response.headers.get("quarterdeck-dispatch-id") ?? "";
}

const RANGE = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
async function calls(filters: object) {
  const asked = listDecisions.parse({ range: RANGE, filters });
  return (await listCalls(server.database, workspaceId, asked)).rows;
}
async function principalOf(dispatchId: string) {
  const { rows } = await server.database.pool.query<{ facts: string; principal_id: string; certainty: string }>(
    `SELECT dispatch.facts, one.principal_id, one.certainty FROM dispatch
     JOIN tool_decision AS one ON one.workspace_id = dispatch.workspace_id AND one.dispatch_id = dispatch.id WHERE id = $1`,
    [dispatchId],
  );
  const [row] = rows;
  const facts = JSON.parse(row?.facts ?? "{}").principal ?? null;
  expect([row?.principal_id ?? undefined, row?.certainty ?? undefined]).toEqual([facts?.id, facts?.certainty]);
  return facts;
}
const ownerOf = (agentId: string) => principals.getOwner(server.database, workspaceId, agentId);
const telemetry = (key: string, session: string, person: Record<string, string>) =>
  exportLogs({ url: `${server.url}/api/otlp`, key }, CLAUDE, [claudeRequest(session, { "user.email": "", ...person })]);
async function modelCallOf(session: string) {
  const { rows } = await server.database.pool.query<{ principal_id: string | null; facts: string; input: string }>(
    `SELECT call.principal_id, facts, input FROM llm_call AS call JOIN dispatch ON dispatch.workspace_id = call.workspace_id
       AND dispatch.id = call.dispatch_id WHERE call.session_id = $1`,
    [session],
  );
  const [row] = rows;
  return {
    id: row?.principal_id ?? null,
    principal: JSON.parse(row?.facts ?? "{}").principal ?? null,
    input: row?.input,
  };
}

describe("the owner of an agent", () => {
  it("is proven when a signed-in person takes the agent, and stated when another person sets it", async () => {
    const [ada, grace] = [await newMember("Ada"), await newMember("Grace")];
    const { agentId, key } = await newAgent();
    expect(await principalOf(await denied(key))).toBeNull();
    await setOwner(agentId, account(ada), ada);
    const own = await principalOf(await denied(key));
    expect(own).toMatchObject({ certainty: "proven", source: "sign_in" });
    await setOwner(agentId, account(grace), ada);
    expect(await principalOf(await denied(key))).toMatchObject({ certainty: "stated", source: "console" });
    await setOwner(agentId, null);
    expect(await principalOf(await denied(key))).toBeNull();
    expect((await calls({ person: [own.id] })).length).toBe(1);
  });

  it("is a service for an agent that people share", async () => {
    const { agentId, key } = await newAgent();
    await setOwner(agentId, { kind: "service", name: "nightly ci" });
    await setOwner((await newAgent()).agentId, { kind: "service", name: "nightly ci" });
    const { owner } = await ownerOf(agentId);
    expect(owner).toMatchObject({ kind: "service", name: "nightly ci", certainty: "stated" });
    expect(await principalOf(await denied(key))).toMatchObject({ id: owner?.id });
  });

  it("owns the calls of sub-agents and sub-sessions too", async () => {
    const ada = await newMember("Ada");
    const { agentId, key } = await newAgent();
    await setOwner(agentId, account(ada));
    const { owner } = await ownerOf(agentId);
    const sub = await denied(key, randomUUID(), { parent_session_id: "parent", agent_name: "researcher" });
    expect(await principalOf(sub)).toMatchObject({ id: owner?.id });
  });

  it("cannot be a person of another workspace, and an agent of another workspace has none", async () => {
    const { agentId } = await newAgent();
    expect(await codeOf(setOwner(agentId, { kind: "account", accountId: uuidv7() }))).toBe("person_not_found");
    expect(await codeOf(setOwner(agentId, { kind: "principal", principalId: uuidv7() }))).toBe("person_not_found");
    expect(await codeOf(setOwner(uuidv7(), null))).toBe("agent_not_found");
  });

  it("is shown under the present name, and as one who left", async () => {
    const ada = await newMember("Ada");
    const { agentId } = await newAgent();
    await setOwner(agentId, account(ada));
    await db.owner.query("UPDATE person SET name = 'Ada King' WHERE id = $1", [ada.id]);
    expect((await ownerOf(agentId)).owner).toMatchObject({ name: "Ada King", hasLeft: false });
    await db.owner.query("DELETE FROM membership WHERE person_id = $1", [ada.id]);
    expect((await ownerOf(agentId)).owner).toMatchObject({ name: "Ada King", hasLeft: true });
  });
});

describe("a machine that joins", () => {
  async function joined(owner: OwnerChoice | undefined, by: Administrator, body: object = {}) {
    const asked = { name: `token ${randomUUID()}`, uses: 2, hours: 1, ...(owner && { owner }) };
    const { token } = await agents.createEnrolmentToken(server.database, bus(), by, asked);
    return async () => {
      const response = await fetch(`${server.url}/api/v1/join`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: randomUUID(), ...body }),
      });
      return { status: response.status, body: await response.json() };
    };
  }

  it("works for the owner of the token, proven if the owner made it", async () => {
    const [ada, grace] = [await newMember("Ada"), await newMember("Grace")];
    for (const [by, certainty] of [
      [ada, "proven"],
      [grace, "stated"],
    ] as const) {
      const join = await joined(account(ada), by, { os_user: "someone" });
      const { agent_id: agentId, key } = joinedView.parse((await join()).body);
      expect((await ownerOf(agentId)).owner).toMatchObject({ name: "Ada", certainty, source: "token" });
      expect(await principalOf(await denied(key))).toMatchObject({ certainty });
    }
  });

  it("is refused once the owner of the token has left", async () => {
    const ada = await newMember("Ada");
    const join = await joined(account(ada), server.admin);
    await db.owner.query("DELETE FROM membership WHERE person_id = $1", [ada.id]);
    expect(await join()).toMatchObject({ status: 403, body: { error: { code: "enrolment_token_over" } } });
  });

  it("has the user of its operating system as a guess, unless that user is shared", async () => {
    const join = await joined(undefined, server.admin, { os_user: "alice" });
    const { agent_id: agentId } = joinedView.parse((await join()).body);
    expect((await ownerOf(agentId)).owner).toMatchObject({ name: "alice", certainty: "guessed", source: "os_user" });
    const shared = await joined(undefined, server.admin, { os_user: "root" });
    expect((await ownerOf(joinedView.parse((await shared()).body).agent_id)).owner).toBeNull();
    const hostile = await joined(undefined, server.admin, { os_user: "a\u0000b" });
    expect((await hostile()).status).toBe(400);
  });
});

describe("telemetry", () => {
  it("states the person of a call, of its session, and as a guess of the agent's next session", async () => {
    const { key } = await newAgent();
    const [session, next] = [randomUUID(), randomUUID()];
    expect(await principalOf(await denied(key, session))).toBeNull();
    expect(await telemetry(key, session, { "user.email": "Linus@Example.org" })).toBe(true);
    const { id, principal, input } = await modelCallOf(session);
    expect(principal).toEqual({ certainty: "stated", id, source: "telemetry" });
    expect(input).not.toContain("example.org");
    forgetKeys();
    expect(await principalOf(await denied(key, session))).toMatchObject({ id, certainty: "stated" });
    expect(await principalOf(await denied(key, randomUUID(), { parent_session_id: session }))).toMatchObject({
      ...{ id, certainty: "stated" },
    });
    expect(await principalOf(await denied(key, next))).toMatchObject({
      id,
      certainty: "guessed",
      source: "earlier_session",
    });
  });

  it("tells two people on one machine apart", async () => {
    const { key } = await newAgent();
    const [first, second] = [randomUUID(), randomUUID()];
    await telemetry(key, first, { "user.account_uuid": "11111111-aaaa" });
    await telemetry(key, second, { "user.account_uuid": "22222222-bbbb" });
    const [one, other] = [await modelCallOf(first), await modelCallOf(second)];
    expect(one.id).not.toBe(other.id);
    forgetKeys();
    expect(await principalOf(await denied(key, first))).toMatchObject({ id: one.id });
    expect(await principalOf(await denied(key, second))).toMatchObject({ id: other.id });
  });

  it("recognises a member by a proven address, and an account by the address sent with it", async () => {
    const ada = await newMember("Ada");
    const { agentId, key } = await newAgent();
    const session = randomUUID();
    await telemetry(key, session, { "user.email": ada.email, "user.account_uuid": "33333333-cccc" });
    const { id } = await modelCallOf(session);
    await setOwner(agentId, account(ada));
    expect((await ownerOf(agentId)).owner?.id).toBe(id);
    const again = randomUUID();
    await telemetry(key, again, { "user.account_uuid": "33333333-cccc" });
    expect((await modelCallOf(again)).id).toBe(id);
  });

  it("does not overrule the owner of the key, and the difference is recorded and shown", async () => {
    const ada = await newMember("Ada");
    const { agentId, key } = await newAgent();
    await setOwner(agentId, account(ada));
    const session = randomUUID();
    await telemetry(key, session, { "user.email": "mallory@example.org" });
    const { owner, named } = await ownerOf(agentId);
    expect(named).toMatchObject([{ name: "mallory@example.org", sessions: 1 }]);
    const { principal } = await modelCallOf(session);
    expect(principal).toEqual({ certainty: "stated", id: owner?.id, named: named[0]?.id, source: "console" });
    forgetKeys();
    await denied(key, session);
    const [row] = await calls({ session: [session] });
    const detail = await get(server.database, workspaceId, {
      occurredAt: row?.occurredAt ?? new Date(0),
      id: row?.id ?? "",
    });
    expect(detail.principalFacts).toMatchObject({ id: owner?.id, named: named[0]?.id });
  });

  it("names no person by an address or an account in another form", async () => {
    const { key } = await newAgent();
    for (const person of [{ "user.email": "no address" }, { "user.account_uuid": "a\u0000b" }, { "user.email": "" }]) {
      const session = randomUUID();
      expect(await telemetry(key, session, person)).toBe(true);
      expect((await modelCallOf(session)).id).toBeNull();
    }
  });
});

describe("calls by person", () => {
  it("are filtered, counted and exported, those of an unknown person too", async () => {
    const ada = await newMember("Ada Exported");
    const { agentId, key } = await newAgent();
    const session = randomUUID();
    await denied(key, session);
    await setOwner(agentId, account(ada));
    await denied(key, session);
    const id = (await ownerOf(agentId)).owner?.id ?? "";
    expect((await calls({ person: [id] })).map(({ principal }) => principal)).toEqual([{ id, certainty: "stated" }]);
    expect((await calls({ person: ["unknown"], session: [session] })).map(({ principal }) => principal)).toEqual([
      null,
    ]);
    expect(await calls({ person: ["unknown", id], session: [session] })).toHaveLength(2);
    const asked = countDecisionsInput.parse({ range: RANGE, filters: { session: [session] } });
    const { values } = await callFacets(server.database, workspaceId, asked);
    expect(values.person.toSorted((a, b) => (a.value < b.value ? -1 : 1))).toEqual(
      [
        { value: id, count: 1 },
        { value: "unknown", count: 1 },
      ].toSorted((a, b) => (a.value < b.value ? -1 : 1)),
    );
    const { text } = await exportCalls(server.database, workspaceId, asked);
    expect(text).toContain("Ada Exported,stated");
    expect(text).toContain("unknown person,");
  });
});

describe("people who turn out to be one", () => {
  const merge = (personId: string, intoId: string) =>
    mergePeople(server.database, bus(), server.admin, { personId, intoId }, []);

  it("have their calls, agents and later telemetry together, under the ids that were recorded", async () => {
    const ada = await newMember("Ada Merged");
    const { agentId, key } = await newAgent();
    await setOwner(agentId, account(ada));
    await denied(key);
    const into = (await ownerOf(agentId)).owner?.id ?? "";
    const { key: bare } = await newAgent();
    const session = randomUUID();
    await telemetry(bare, session, { "user.email": "private.ada@example.org" });
    const from = (await modelCallOf(session)).id ?? "";
    forgetKeys();
    await denied(bare, session);
    await merge(from, into);
    expect((await calls({ person: [into] })).map(({ principal }) => principal?.id).toSorted()).toEqual(
      [from, into].toSorted(),
    );
    const asked = countDecisionsInput.parse({ range: RANGE, filters: { person: [into] } });
    expect((await callFacets(server.database, workspaceId, asked)).values.person).toContainEqual({
      value: into,
      count: 2,
    });
    const stranger = await newMember("Grace");
    expect(await principals.getPerson(server.database, stranger, { personId: "me" })).toBeNull();
    const person = await principals.getPerson(server.database, ada, { personId: "me" });
    expect(person).toMatchObject({ id: into, agents: 1, isReader: true, merged: [{ id: from }] });
    const later = randomUUID();
    await telemetry(bare, later, { "user.email": "private.ada@example.org" });
    expect([from, into]).toContain((await modelCallOf(later)).id);
    expect((await principals.getPerson(server.database, ada, { personId: from }))?.id).toBe(into);
  });

  it("are two usable principals of one kind", async () => {
    const [one, two] = [await newAgent(), await newAgent()];
    await setOwner(one.agentId, { kind: "service", name: "merge ci" });
    await setOwner(two.agentId, account(await newMember("Grace")));
    const [service, person] = [
      (await ownerOf(one.agentId)).owner?.id ?? "",
      (await ownerOf(two.agentId)).owner?.id ?? "",
    ];
    expect(await codeOf(merge(service, person))).toBe("invalid_input");
    expect(await codeOf(merge(person, person))).toBe("invalid_input");
    expect(await codeOf(merge(person, uuidv7()))).toBe("person_not_found");
  });
});

describe("agents by person", () => {
  it("are listed for each person, and without an owner for the unknown one", async () => {
    const ada = await newMember("Ada Listed");
    const { agentId } = await newAgent();
    const { agentId: bare } = await newAgent();
    await setOwner(agentId, account(ada));
    const id = (await ownerOf(agentId)).owner?.id ?? "";
    const found = async (persons: string[]) => {
      const input = searchAgents.parse({ persons, limit: 200 });
      return (await agents.search(server.database, workspaceId, input)).rows;
    };
    expect((await found([id])).map((row) => [row.id, row.owner])).toEqual([[agentId, { id, certainty: "stated" }]]);
    const unknown = (await found(["unknown"])).map((row) => row.id);
    expect(unknown).toContain(bare);
    expect(unknown).not.toContain(agentId);
    expect(await principals.listPeople(server.database, ada)).toContainEqual(
      expect.objectContaining({ id, name: "Ada Listed", agents: 1, isReader: true }),
    );
  });
});

describe("an erased person", () => {
  it("leaves the calls, the figures and the chain whole, and no word of them stays", async () => {
    const ada = await newMember("Ada Erased");
    const { agentId, key } = await newAgent();
    await setOwner(agentId, account(ada));
    const { key: bare } = await newAgent();
    const session = randomUUID();
    await telemetry(bare, session, { "user.email": ada.email });
    await denied(key);
    const id = (await ownerOf(agentId)).owner?.id ?? "";
    const owner: Administrator = { ...server.admin };
    const erase = () => erasePerson(server.database, bus(), owner, { person: id, reason: "request 7" });
    expect(await codeOf(erase())).toBe("invalid_input");
    await db.owner.query("DELETE FROM membership WHERE person_id = $1", [ada.id]);
    await erase();
    expect((await calls({ person: [id] })).length).toBe(1);
    expect(await principals.names(server.database, workspaceId)).toContainEqual({
      ...{ id, kind: "person", name: "an erased person", isErased: true, hasLeft: false, mergedInto: null },
    });
    expect(await ownerOf(agentId)).toEqual({ owner: null, named: [] });
    for (const table of ["principal", "audit_name", "audit_entry", "dispatch", "tool_decision", "llm_call"]) {
      const { rows } = await db.owner.query(
        `SELECT FROM ${table} AS one WHERE one::text LIKE '%Ada Erased%' OR one::text LIKE '%' || $1 || '%'`,
        [ada.email],
      );
      expect([table, rows.length]).toEqual([table, 0]);
    }
    const report = await verifyStored(server.database, workspaceId, { keys: [], outside: null });
    expect(report).toMatchObject({ altered: { count: 0 }, missing: { count: 0 } });
  });
});
