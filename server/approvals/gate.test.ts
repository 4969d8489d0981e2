/** The promises of docs/approvals.md, through the agent API of two gateways over one database. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { createLog } from "../platform/log.ts";
import { createLapsing } from "./lapsing.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
    - matcher: "^deploy$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Two of us look at this.", "two people"] }
    - matcher: "shell"
      hooks:
        - type: command
          command: "if grep -q forbidden; then echo 'never this' >&2; exit 2; fi"
`;

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  second = await testGateway(db.url);
  await first.publish(POLICY);
  await vi.waitUntil(() => first.running.app.bus.isCurrent() && second.running.app.bus.isCurrent(), {
    timeout: 10_000,
  });
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

const context = () => ({ db: db.database, bus: second.running.app.bus });
const person = (name: string): Administrator => ({ ...first.admin, kind: "script", id: name, name });
const list = () => approvals.list(db.database, first.admin);
const answer = (input: Parameters<typeof answerRequest.parse>[0], who = person("Ada")) =>
  approvals.answer(context(), who, answerRequest.parse(input));

const PATIENTLY = { timeout: 100_000, interval: 200 };

interface Call {
  readonly input?: object;
  readonly session?: string;
  readonly tool?: string;
  readonly id?: string;
  readonly wait?: number;
  readonly at?: TestGateway;
  readonly lane?: string;
  readonly signal?: AbortSignal;
}

async function newAgent() {
  const { agentId, key } = await agents.create(db.database, first.running.app.bus, first.admin, {
    name: `agent ${randomUUID()}`,
  });
  const call = async (made: Call = {}) => {
    const {
      input = { cmd: "ls" },
      session = "s",
      tool = "shell",
      id = randomUUID(),
      wait,
      at = first,
      lane,
      signal,
    } = made;
    const ask = () =>
      fetch(`${at.url}/api/v1/hooks/pre_tool_use${lane ? `?lane=${lane}` : ""}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(wait === undefined ? {} : { "quarterdeck-wait-seconds": String(wait) }),
        },
        body: JSON.stringify({ session_id: session, tool_name: tool, tool_use_id: id, tool_input: input, cwd: "/srv" }),
        ...(signal && { signal }),
      });
    // A gateway that has too much to do says so, and the same call may ask again.
    const response = await vi.waitUntil(
      () => ask().then((answered) => (answered.status === 503 ? null : answered)),
      PATIENTLY,
    );
    expect(response.status).toBe(200);
    const { decision, reason, hook_specific_output: specific = {} } = await response.json();
    const isBlocked = decision === "block";
    return {
      verdict: (isBlocked ? "deny" : specific.permission_decision) as string | undefined,
      reason: (isBlocked ? reason : specific.permission_decision_reason) as string | undefined,
      input: specific.updated_input as object | undefined,
    };
  };
  return { agentId, call };
}

const openOf = async (agentId: string) => (await list()).open.filter((one) => one.agentId === agentId);
const firstOpen = (agentId: string) =>
  vi.waitUntil(async () => (await openOf(agentId))[0] ?? false, { timeout: 20_000, interval: 20 });

describe("a call that waits", () => {
  it("returns as a person allowed it, on another gateway, with who and why", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60 });
    const { id, number, reason, isWaiting, cwd, askedBy } = await firstOpen(agentId);
    expect({ reason, isWaiting, cwd }).toEqual({
      reason: "Is this meant for production?",
      isWaiting: true,
      cwd: "/srv",
    });
    expect(askedBy).toHaveLength(1);
    expect(await answer({ id, verdict: "allow", words: "go ahead" })).toEqual({ isLast: true });
    expect(await underWay).toEqual({ verdict: "allow", reason: `Allowed by Ada (QD-${number}): go ahead` });
    const { closed } = await list();
    expect(closed.find((one) => one.id === id)).toMatchObject({ state: "approved", usedAt: expect.any(Date) });
  });

  it("passes the other gates of the same call, each once, and no other call", async () => {
    const { agentId, call } = await newAgent();
    const id = randomUUID();
    const underWay = call({ wait: 60, id });
    const request = await firstOpen(agentId);
    await answer({ id: request.id, verdict: "allow" });
    expect((await underWay).verdict).toBe("allow");
    expect((await call({ id })).reason).toContain("Approval required");
    expect((await call({})).reason).toContain("Approval required");
  });

  it("is denied with the person's words", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60 });
    const { id, number } = await firstOpen(agentId);
    await answer({ id, verdict: "deny", words: "use the staging host" });
    expect(await underWay).toEqual({ verdict: "deny", reason: `Denied by Ada (QD-${number}): use the staging host` });
  });

  it("runs with the input that a person edited, and passes every hook again with it", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60, input: { cmd: "rm -rf build" } });
    const { id } = await firstOpen(agentId);
    await answer({ id, verdict: "allow", editedInput: '{"cmd":"rm -r build/tmp"}' });
    expect(await underWay).toMatchObject({ verdict: "allow", input: { cmd: "rm -r build/tmp" } });
    const denied = call({ wait: 60, input: { cmd: "ls" } });
    const other = await firstOpen(agentId);
    await answer({ id: other.id, verdict: "allow", editedInput: '{"cmd":"forbidden"}' });
    expect(await denied).toMatchObject({ verdict: "deny", reason: expect.stringContaining("never this") });
  });

  it("ends denied and lapsed when nobody answers, and when its client goes away", async () => {
    const { agentId, call } = await newAgent();
    expect((await call({ wait: 1 })).reason).toMatch(/^QD-\d+ was not answered within 1 s/);
    const gone = new AbortController();
    const underWay = call({ wait: 60, signal: gone.signal });
    const { id } = await firstOpen(agentId);
    gone.abort();
    await expect(underWay).rejects.toThrow();
    await vi.waitUntil(async () => (await list()).closed.find((one) => one.id === id)?.state === "lapsed", {
      timeout: 10_000,
    });
    await expect(answer({ id, verdict: "allow" })).rejects.toMatchObject({ code: "approval_closed" });
  });

  it("joins the wait of the same call", async () => {
    const { agentId, call } = await newAgent();
    const id = randomUUID();
    const both = [call({ wait: 60, id }), call({ wait: 60, id, at: second })];
    const request = await firstOpen(agentId);
    await vi.waitUntil(() => first.running.approvals.waiting + second.running.approvals.waiting === 2);
    expect(await openOf(agentId)).toHaveLength(1);
    await answer({ id: request.id, verdict: "allow" });
    expect((await Promise.all(both)).map(({ verdict }) => verdict)).toEqual(["allow", "allow"]);
  });

  it("is not ended by the same call that waits for less, or whose client goes away", async () => {
    const { agentId, call } = await newAgent();
    const id = randomUUID();
    const underWay = call({ wait: 60, id });
    const request = await firstOpen(agentId);
    const gone = new AbortController();
    const left = call({ wait: 60, id, signal: gone.signal }).catch(() => undefined);
    expect((await call({ wait: 1, id })).reason).toMatch(/^QD-\d+ was not answered within 1 s/);
    gone.abort();
    await left;
    await answer({ id: request.id, verdict: "allow" });
    expect((await underWay).verdict).toBe("allow");
    expect(first.running.approvals.waiting).toBe(0);
  });

  it("is refused when the agent's key was revoked meanwhile", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60 }).catch((error: unknown) => error);
    const { id } = await firstOpen(agentId);
    await db.owner.query("UPDATE agent_key SET revoked_at = now() WHERE agent_id = $1", [agentId]);
    await answer({ id, verdict: "allow" });
    expect(await underWay).toBeInstanceOf(Error);
  });

  it("holds no place of those that work", async () => {
    const narrow = await testGateway(db.url, { admissionLimits: { perAgentMax: 4 } });
    try {
      const { agentId, call } = await newAgent();
      const calls: ReturnType<typeof call>[] = [];
      for (let wave = 1; wave <= 5; wave += 1) {
        calls.push(...Array.from({ length: 4 }, () => call({ wait: 100, tool: "deploy", at: narrow })));
        await vi.waitUntil(() => narrow.running.approvals.waiting === wave * 4, { timeout: 30_000 });
      }
      expect((await call({ tool: "read_file", at: narrow })).verdict).toBeUndefined();
      for (const { id } of await openOf(agentId)) await answer({ id, verdict: "deny", words: "no" });
      expect(new Set((await Promise.all(calls)).map(({ verdict }) => verdict))).toEqual(new Set(["deny"]));
    } finally {
      await narrow.stop();
    }
  });

  it("above 200 of a session is a ticket at once", async () => {
    const { agentId, call } = await newAgent();
    await db.owner.query(
      `INSERT INTO approval_request (workspace_id, id, number, is_waiting, agent_id, agent_name, session_id, tool_name, call_id,
         input_sha256, input, is_whole, reason, asked_by, expires_at, lease_until)
       SELECT $1, gen_random_uuid(), 1000000 + n, true, $2, 'a', 'full', 'shell', n::text, sha256('x'), '{}', true, 'why', '[]',
         now() + interval '1 minute', now() + interval '1 minute' FROM generate_series(1, 200) AS n`,
      [first.admin.workspaceId, agentId],
    );
    expect((await call({ wait: 100, session: "full" })).reason).toContain("Approval required");
    await db.owner.query("DELETE FROM approval_request WHERE session_id = 'full'");
  });
});

describe("a ticket", () => {
  it("opens exactly that call, once", async () => {
    const { agentId, call } = await newAgent();
    const { number, id } = await call({ input: { cmd: "make", description: "build it" } }).then(() =>
      firstOpen(agentId),
    );
    expect((await call({ input: { cmd: "make" } })).reason).toContain(`QD-${number}`);
    await answer({ id, verdict: "allow" });
    const wrong: Call[] = [
      { input: { cmd: "make all" } },
      { input: { cmd: "make", extra: 1 } },
      { input: { cmd: "make" }, session: "other" },
      { input: { cmd: "make" }, tool: "shell_2" },
    ];
    for (const one of wrong) expect((await call(one)).verdict).not.toBe("allow");
    const stranger = await newAgent();
    expect((await stranger.call({ input: { cmd: "make" } })).verdict).toBe("deny");
    expect((await call({ input: { cmd: "make", description: "again, in other words" } })).verdict).toBe("allow");
    expect((await call({ input: { cmd: "make" } })).verdict).toBe("deny");
  });

  it("can be taken back before it is used, and not afterwards", async () => {
    const { agentId, call } = await newAgent();
    const { id } = await call().then(() => firstOpen(agentId));
    await answer({ id, verdict: "allow" });
    await approvals.withdraw(context(), person("Bo"), id);
    expect((await call()).verdict).toBe("deny");
    await expect(approvals.withdraw(context(), person("Bo"), id)).rejects.toMatchObject({ code: "approval_closed" });
  });
});

describe("an answer", () => {
  it("takes two different people where the policy says so", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60, tool: "deploy" });
    const { id, peopleNeeded } = await firstOpen(agentId);
    expect(peopleNeeded).toBe(2);
    const { workspaceId } = first.admin;
    const [ada, bo] = [await newMember(db, workspaceId), await newMember(db, workspaceId, { name: "Bo" })];
    expect(await answer({ id, verdict: "allow" }, ada)).toEqual({ isLast: false });
    await expect(answer({ id, verdict: "allow" }, ada)).rejects.toMatchObject({
      code: "approval_answered_twice",
    });
    expect((await openOf(agentId))[0]?.answers.map(({ name }) => name)).toEqual(["Ada"]);
    expect(await answer({ id, verdict: "allow" }, bo)).toEqual({ isLast: true });
    expect((await underWay).reason).toContain("Ada and Bo");
  });

  it("is one of two that come at the same time", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60 });
    const { id } = await firstOpen(agentId);
    const both = await Promise.allSettled([
      answer({ id, verdict: "allow" }, person("Ada")),
      answer({ id, verdict: "deny", words: "no" }, person("Bo")),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await underWay).verdict).toBe(both[0].status === "fulfilled" ? "allow" : "deny");
  });

  it("with another input is refused where it could not be what the person saw", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({
      wait: 60,
      input: { cmd: "curl -H 'Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789'" },
    });
    const { id, isWhole, input } = await firstOpen(agentId);
    expect(isWhole).toBe(false);
    expect(input).not.toContain("ghp_abcdef");
    const edited = { id, verdict: "allow" as const, editedInput: '{"cmd":"ls"}' };
    await expect(answer(edited)).rejects.toMatchObject({ code: "invalid_input" });
    await answer({ id, verdict: "deny", words: "no" });
    await underWay;
  });

  it("stands in the chain with the request's number", async () => {
    const { agentId, call } = await newAgent();
    const { id, number } = await call().then(() => firstOpen(agentId));
    await answer({ id, verdict: "deny", words: "no" });
    const { rows } = await db.owner.query<{ seq: number; kind: string }>(
      "SELECT seq::int, kind FROM audit_entry WHERE body LIKE '%' || $1 || '%' ORDER BY seq",
      [id],
    );
    expect(rows).toEqual([
      { seq: number, kind: "approval_requested" },
      { seq: expect.any(Number), kind: "approval_answered" },
    ]);
  });
});

it("closes what a dead gateway held, and allows nothing of it", async () => {
  const { agentId, call } = await newAgent();
  const gone = new AbortController();
  const underWay = call({ wait: 60, signal: gone.signal }).catch(() => undefined);
  const { id } = await firstOpen(agentId);
  await db.owner.query(
    `UPDATE approval_lease SET held_until = now() - interval '1 second'
     WHERE holder = (SELECT lease_holder FROM approval_request WHERE id = $1)`,
    [id],
  );
  await expect(answer({ id, verdict: "allow" })).rejects.toMatchObject({ code: "approval_closed" });
  const lapsing = createLapsing({
    pool: first.running.app.db.pool,
    bus: first.running.app.bus,
    log: createLog("silent"),
  });
  lapsing.start();
  await vi.waitUntil(async () => (await list()).closed.find((one) => one.id === id)?.state === "lapsed", {
    timeout: 10_000,
  });
  await lapsing.stop();
  gone.abort();
  await underWay;
  // A lease that ended is not taken up again: the next call waits under another one.
  const next = call({ wait: 60 });
  const { id: nextId } = await firstOpen(agentId);
  const { rows } = await db.owner.query<{ holders: number }>(
    "SELECT count(DISTINCT lease_holder)::int AS holders FROM approval_request WHERE id = ANY ($1)",
    [[id, nextId]],
  );
  expect(rows).toEqual([{ holders: 2 }]);
  await answer({ id: nextId, verdict: "allow" });
  expect((await next).verdict).toBe("allow");
});

it("webhooks are sent what is asked, answered and lapsed, from the transactions of these", async () => {
  const { workspaceId } = first.admin;
  await db.database.pool.query(
    `INSERT INTO webhook (workspace_id, id, url, kinds, is_enabled, secret, secret_set_at, updated_by)
     VALUES ($1, gen_random_uuid(), 'https://example.com/', $2, true, '\\x00', now(), 'ada')`,
    [workspaceId, ["approval.requested", "approval.answered", "approval.lapsed"]],
  );
  const { agentId, call } = await newAgent();
  await call({ input: { cmd: "answered" } });
  await answer({ id: (await firstOpen(agentId)).id, verdict: "deny", words: "not today" });
  expect((await call({ input: { cmd: "lapses" }, wait: 1 })).verdict).toBe("deny");
  const { rows } = await db.database.pool.query<{ kind: string; state: string; input: string }>(
    `SELECT kind, body::json->'data'->>'state' AS state, body::json->'data'->>'input' AS input FROM webhook_delivery
     WHERE body::json->'data'->>'agent' = $1 ORDER BY at, kind`,
    [agentId],
  );
  await db.database.pool.query("DELETE FROM webhook");
  const lapsing = '{"cmd":"lapses"}';
  expect(
    rows.toSorted((one, other) => one.input.localeCompare(other.input) || one.state.localeCompare(other.state)),
  ).toEqual([
    { kind: "approval.answered", state: "denied", input: '{"cmd":"answered"}' },
    { kind: "approval.requested", state: "pending", input: '{"cmd":"answered"}' },
    { kind: "approval.lapsed", state: "lapsed", input: lapsing },
    { kind: "approval.requested", state: "pending", input: lapsing },
  ]);
});
