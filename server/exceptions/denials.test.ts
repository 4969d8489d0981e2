/** Exceptions from denials, through the agent API of a real gateway, and the ways to widen one that must not work. */
import { randomUUID } from "node:crypto";
import type { PlannedHook } from "@quarterdeck/hooks";
import { ruleOf } from "@quarterdeck/hooks/contract/identity";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import { appRouter } from "../composition/router.ts";
import { createLog } from "../platform/log.ts";
import { sha256 } from "../platform/secrets.ts";
import { createCallerFactory } from "../trpc/init.ts";
import { createExceptionsInForce } from "./exceptions-in-force.ts";
import { createExceptionLapses } from "./lapses.ts";
import { endException, type MakeException, makeException, reviewException } from "./schema.ts";
import * as exceptions from "./service.ts";

const NO_FETCH = `{ type: command, name: no-fetch, command: "echo never >&2; exit 2" }`;
const GUARD = `profile: 2026-08
hooks:
  pre_tool_use:
    - matcher: "^(fetch|doubled)$"
      hooks: [${NO_FETCH}]
    - matcher: "^fetch$"
      hooks: [{ type: command, name: second, command: "if grep -q twice; then echo no >&2; exit 2; fi" }]
    - matcher: "^flaky$"
      hooks: [{ type: command, name: flaky, command: "if grep -q breaks; then exit 3; fi; exit 2" }]
    - matcher: "^kept$"
      hooks: [{ type: command, name: kept, command: "exit 2", ungrantable: true }]
    - matcher: "^asked$"
      hooks:
        - { type: command, name: no, command: "exit 2" }
        - { type: builtin, command: ask_a_person, args: ["Is this meant?"] }
`;

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(GUARD, "guard");
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const context = () => ({ db: db.database, bus: gateway.running.app.bus });
const person = (name: string): Administrator => ({ ...gateway.admin, kind: "script", id: name, name });

async function newAgent(by: Administrator = gateway.admin) {
  const { agentId, key } = await agents.create(db.database, gateway.running.app.bus, by, { name: randomUUID() });
  /** "asked", "denied" or "went on", as the agent is answered. */
  const call = async (tool: string, cmd = "cat page", waitSeconds = 0) => {
    const response = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(waitSeconds > 0 && { "quarterdeck-wait-seconds": String(waitSeconds) }),
      },
      body: JSON.stringify({
        ...{ session_id: "s", tool_name: tool, tool_use_id: randomUUID(), tool_input: { cmd }, cwd: "/" },
      }),
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    if (text.includes("Approval required")) return "asked";
    return text.includes('"block"') || text.includes('"deny"') ? "denied" : "went on";
  };
  /** The newest record of a call. */
  const record = async () => {
    const { rows } = await db.owner.query<{ occurredAt: Date; id: string; hooks: string }>(
      `SELECT occurred_at AS "occurredAt", id, hooks FROM dispatch WHERE agent_id = $1 ORDER BY received_at DESC LIMIT 1`,
      [agentId],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("nothing is on record");
    return row;
  };
  const make = async (asked: Partial<MakeException> = {}, who = person("Ada")) => {
    const { occurredAt, id } = await record();
    const input = { dispatch: { occurredAt, id }, scope: "agent", hours: 1, reason: "we need it", ...asked };
    return exceptions.make(context(), who, makeException.parse(input));
  };
  return { agentId, call, record, make };
}

const end = (id: string) => exceptions.end(context(), person("Bo"), endException.parse({ id, reason: "no longer" }));
const pastDue = async (id: string) => {
  await db.owner.query("UPDATE policy_exception SET expires_at = clock_timestamp() WHERE id = $1", [id]);
  gateway.running.app.bus.announce(gateway.admin.workspaceId, ["exceptions"]);
};

describe("an exception from a denial", () => {
  it("lifts the denial of that call, names itself in the record, and ends", async () => {
    const agent = await newAgent();
    expect(await agent.call("fetch")).toBe("denied");
    const { id } = await agent.make();
    expect(await agent.call("fetch")).toBe("went on");
    const { id: dispatchId, hooks } = await agent.record();
    await gateway.projected();
    const decided = await db.owner.query("SELECT kind, verdict, reason FROM tool_decision WHERE dispatch_id = $1", [
      dispatchId,
    ]);
    const listed = (await exceptions.list(db.database, person("Ada"))).find((one) => one.id === id);
    expect(listed).toMatchObject({ lifts: "verdict", requestNumber: null, isOwn: true });
    const reason = `Not denied by "no-fetch" (guard revision 1, hooks.pre_tool_use[0].hooks[0]): exception EX-${listed?.number} of Ada.`;
    expect(decided.rows).toEqual([{ kind: "gate", verdict: "lifted", reason }]);
    expect(JSON.parse(hooks)).toMatchObject([{ exception: id, lifted: "deny", said: "nothing" }, {}]);
    expect(await agent.call("fetch", "get other")).toBe("denied");
    expect(await (await newAgent()).call("fetch")).toBe("denied");
    await end(id);
    expect(await agent.call("fetch")).toBe("denied");
  });

  it("is the person's own for who made it alone, though two ask for the list in the same moment", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const { id } = await agent.make({}, person("Ada"));
    const { app } = gateway.running;
    const callerOf = createCallerFactory(appRouter);
    const lists = ["Bo", "Ada", "Bo"].map((name) =>
      callerOf({ db: app.db, app, actor: person(name), session: null, setHeader: () => undefined }).exceptions.list(),
    );
    const own = (await Promise.all(lists)).map((list) => list.find((one) => one.id === id)?.isOwn);
    expect(own).toEqual([false, true, false]);
  });

  it("is numbered by its entry in the chain", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const { id } = await agent.make();
    const { rows } = await db.owner.query(
      `SELECT one.number = entry.seq AS same FROM policy_exception AS one
       JOIN audit_entry AS entry ON entry.kind = 'exception_made' AND entry.body LIKE '%' || one.id || '%' WHERE one.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ same: true }]);
  });

  it("stands at its rule and at the agents that it reaches, while it is in force", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const { id } = await agent.make();
    const rule = { of: "rule", policy: "guard", event: "pre_tool_use", hook: "no-fetch" } as const;
    const touching = async (subject: Parameters<typeof exceptions.touching>[2]) =>
      (await exceptions.touching(db.database, person("Ada"), subject)).map((one) => one.id);
    expect(await touching(rule)).toContain(id);
    expect(await touching({ ...rule, hook: "second" })).toEqual([]);
    expect(await touching({ ...rule, event: "tool_guard" })).toEqual([]);
    expect(await touching({ of: "agent", agentId: agent.agentId })).toEqual([id]);
    expect(await touching({ of: "agent", agentId: (await newAgent()).agentId })).toEqual([]);
    await end(id);
    expect(await touching(rule)).not.toContain(id);
  });
});

describe("it lifts no more than the verdict of the rule that it names", () => {
  it("not the denial of another rule, nor a failure of the same one", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    await agent.make({ commandWords: 2 });
    expect(await agent.call("fetch", "cat page three")).toBe("went on");
    expect(await agent.call("fetch", "cat page twice")).toBe("denied");
    await agent.call("flaky");
    await agent.make({ commandWords: 2 });
    expect(await agent.call("flaky", "cat page now")).toBe("went on");
    expect(await agent.call("flaky", "cat page breaks")).toBe("denied");
    await expect(agent.make()).rejects.toMatchObject({ code: "exception_refused" });
  });

  it("not an equal hook for other tools, nor one of another policy that is run as the same", async () => {
    const agent = await newAgent();
    await agent.call("doubled");
    await agent.make();
    expect(await agent.call("doubled")).toBe("went on");
    await gateway.publish(
      `profile: 2026-08\nhooks:\n  pre_tool_use:\n    - matcher: doubled\n      hooks: [${NO_FETCH}]\n`,
      "other",
    );
    await vi.waitUntil(async () => (await agent.call("doubled")) === "denied", { timeout: 10_000 });
    await db.owner.query("DELETE FROM assignment USING policy WHERE policy.id = policy_id AND policy.name = 'other'");
    gateway.running.app.bus.announce(gateway.admin.workspaceId, ["policies"]);
    expect(await agent.call("doubled")).toBe("went on");
  });

  it("not the rule of a policy that has got the name of the one it was made from", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    await agent.make();
    const { rows } = await db.owner.query<{ id: string }>("SELECT id FROM policy WHERE name = 'guard'");
    const log = createLog("silent");
    const { workspaceId } = gateway.admin;
    const input = { session_id: "s", tool_name: "fetch", tool_input: { cmd: "cat page" } };
    const { bus } = gateway.running.app;
    const lift = createExceptionsInForce({ pool: db.database.pool, bus, log }).lifterFor({
      workspaceId,
      agentId: agent.agentId,
      input,
    });
    const hook = { type: "command", name: "no-fetch", command: "echo never >&2; exit 2" };
    const named = { event: "pre_tool_use", lane: "default", matcher: "^(fetch|doubled)$", hook } as const;
    const planned = (policyId: string | undefined, rule = ruleOf(named)) =>
      ({ origin: { policy: "guard", policyId }, definition: hook, rule }) as PlannedHook; // holds: no more of it is read
    expect(await lift(planned(rows[0]?.id), "deny")).toMatchObject({ label: expect.stringMatching(/^exception EX-/) });
    expect(await lift(planned(randomUUID()), "deny")).toBeNull();
    expect(await lift(planned(undefined), "deny")).toBeNull();
    for (const more of [{ event: "permission_request" }, { lane: "preempt_yolo" }, { matcher: "" }] as const)
      expect(await lift(planned(rows[0]?.id, ruleOf({ ...named, ...more })), "deny")).toBeNull();
  });

  it("not a rule that is ungrantable, also where a row says so", async () => {
    const agent = await newAgent();
    await agent.call("kept");
    await expect(agent.make()).rejects.toMatchObject({
      code: "exception_refused",
      message: expect.stringContaining("ungrantable"),
    });
    await agent.call("fetch");
    const { id } = await agent.make();
    const hook = { type: "command", name: "kept", command: "exit 2", ungrantable: true };
    const rule = sha256(ruleOf({ event: "pre_tool_use", lane: "default", matcher: "^kept$", hook })).toString("hex");
    await db.owner.query(
      `UPDATE policy_exception SET tool_name = 'kept', rules = jsonb_set(rules, '{0,sha256}', to_jsonb($2::text)) WHERE id = $1`,
      [id, rule],
    );
    gateway.running.app.bus.announce(gateway.admin.workspaceId, ["exceptions"]);
    expect(await agent.call("kept")).toBe("denied");
  });

  it("not a denial, where it was made from a question", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const { id } = await agent.make();
    await db.owner.query("UPDATE policy_exception SET lifts = 'question' WHERE id = $1", [id]);
    gateway.running.app.bus.announce(gateway.admin.workspaceId, ["exceptions"]);
    expect(await agent.call("fetch")).toBe("denied");
  });
});

describe("nobody makes one", () => {
  it("who may only answer", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const approver: Administrator = {
      ...gateway.admin,
      kind: "person",
      id: randomUUID(),
      name: "Cy",
      role: "approver",
    };
    await expect(agent.make({}, approver)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("from a call of which a part is masked, from one that went on, or from none", async () => {
    const agent = await newAgent();
    await agent.call("fetch", `get ghp_${"a1B2".repeat(9)}`);
    await expect(agent.make()).rejects.toMatchObject({ code: "exception_refused" });
    await agent.call("harmless");
    await expect(agent.make()).rejects.toMatchObject({ code: "exception_refused" });
    const nowhere = { occurredAt: new Date(), id: randomUUID() };
    await expect(agent.make({ dispatch: nowhere })).rejects.toMatchObject({ code: "exception_refused" });
    expect(() => makeException.parse({ scope: "agent", hours: 1, reason: "none named" })).toThrow("Choose a request");
  });
});

describe("the end of its time", () => {
  it("is that of the database's clock, whatever this machine's says", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const { id } = await agent.make();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
    expect(await agent.call("fetch")).toBe("went on");
    await pastDue(id);
    vi.setSystemTime(Date.now() - 2 * 86_400_000);
    expect(await agent.call("fetch")).toBe("denied");
    vi.useRealTimers();
    await expect(end(id)).rejects.toMatchObject({ code: "exception_over" });
  });

  it("comes while people answer another question about the call: then the call is judged again", async () => {
    const agent = await newAgent();
    expect(await agent.call("asked")).toBe("denied");
    const { id } = await agent.make();
    const request = async () =>
      (await approvals.list(db.database, gateway.admin)).open.find((one) => one.agentId === agent.agentId);
    const answered = async (isEnded: boolean) => {
      const waiting = agent.call("asked", "cat page", 60);
      const open = await vi.waitUntil(request, { timeout: 10_000 });
      if (isEnded) await end(id);
      await approvals.answer(context(), person("Bo"), { id: open.id, verdict: "allow", words: "", confirmed: false });
      return waiting;
    };
    expect(await answered(false)).toBe("went on");
    expect(await answered(true)).toBe("denied");
  });

  it("is written into the chain once, on any node, and waits for one review", async () => {
    const agent = await newAgent();
    await agent.call("fetch");
    const { id } = await agent.make();
    const review = () =>
      exceptions.review(context(), person("Ada"), reviewException.parse({ id, words: "the rule was right" }));
    await expect(review()).rejects.toMatchObject({ code: "exception_not_lapsed" });
    await pastDue(id);
    const world = { pool: db.database.pool, bus: gateway.running.app.bus, log: createLog("silent") };
    const nodes = [1, 2].map(() => createExceptionLapses({ ...world, lookMs: 1 }));
    for (const node of nodes) node.start();
    const lapsed = async () =>
      (await exceptions.list(db.database, person("Ada"))).find((one) => one.id === id)?.lapsedAt ?? null;
    await vi.waitUntil(async () => (await lapsed()) !== null, { timeout: 10_000 });
    await Promise.all(nodes.map((node) => node.stop()));
    const { rows } = await db.owner.query(
      "SELECT kind FROM audit_entry WHERE kind = 'exceptions_lapsed' AND body LIKE '%' || $1 || '%'",
      [id],
    );
    expect(rows).toHaveLength(1);
    await review();
    await expect(review()).rejects.toMatchObject({ code: "exception_not_lapsed" });
  });
});
