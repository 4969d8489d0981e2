/** The promises of docs/runaway-rules.md, through the agent API of two gateways over one database. */
import { randomUUID } from "node:crypto";
import {
  builtinKind,
  createExecutor,
  type HooksConfig,
  systemClock as hookClock,
  serverBuiltins,
} from "@quarterdeck/hooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as agents from "../agents/index.ts";
import * as halts from "../halts/index.ts";
import { systemClock } from "../platform/clock.ts";
import { openDatabase } from "../platform/db.ts";
import { INSTALLATION, inWorkspace } from "../platform/scope.ts";
import { createRepeatGuards } from "./guard.ts";
import { addTool, countNewTools, countRunawayHalts, listSpend, removeRested } from "./repository.ts";

const guard = (matcher: string, ...rules: string[]) => `    - matcher: "${matcher}"
      hooks:
        - { type: builtin, command: repeat_guard, args: ${JSON.stringify(rules)} }
`;
const POLICY = [
  "hooks:\n  pre_tool_use:\n",
  guard("^shell$", "same call 3 in 10m: ask"),
  guard("^raced$", "same call 11 in 10m: deny"),
  guard("^looped$", "same call 3 in 10m: ask", "same call 4 in 10m: halt"),
  guard("^wild$", "same call 2 in 10m: halt agent"),
  guard("^(flaky|steady)$", "failures 3 in 10m: deny"),
  guard("^dear$", "spend 0.50 in 5m: deny"),
  guard("^novel.*$", "new tool: ask"),
  guard("^quiet.*$", "new tool: alarm"),
].join("");

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  second = await testGateway(db.url);
  await vi.waitUntil(() => first.running.app.bus.isCurrent() && second.running.app.bus.isCurrent(), {
    timeout: 10_000,
  });
  await first.publish(POLICY);
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

const context = () => ({ db: db.database, bus: first.running.app.bus });

interface Call {
  readonly input?: object;
  readonly session?: string;
  readonly at?: TestGateway;
  readonly key?: string;
}

async function newAgent() {
  const { agentId, key } = await agents.create(db.database, first.running.app.bus, first.admin, {
    name: `agent ${randomUUID()}`,
  });
  const send = async (path: string, body: object, at = first, headers: Record<string, string> = {}) => {
    const response = await fetch(`${at.url}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer;
  };
  const call = async (tool: string, { input = { cmd: "ls" }, session = "s", at, key: named }: Call = {}) => {
    const made = { session_id: session, tool_name: tool, tool_use_id: "always the same", tool_input: input };
    const answer = await send("hooks/pre_tool_use", made, at, named === undefined ? {} : { "idempotency-key": named });
    const { hook_specific_output: specific = {}, decision, reason, continue: goesOn = true } = answer;
    if (!goesOn) return { verdict: "halted", reason };
    return decision === "block"
      ? { verdict: "deny", reason }
      : { verdict: specific.permission_decision ?? "none", reason: specific.permission_decision_reason };
  };
  const verdicts = async (tool: string, count: number, made: Call = {}) => {
    const said: string[] = [];
    for (let round = 0; round < count; round += 1) said.push((await call(tool, made)).verdict);
    return said;
  };
  const outcomeOf = (tool: string, isFailure: boolean, session = "s") => ({
    ...{ session_id: session, tool_name: tool, tool_use_id: randomUUID(), tool_input: {} },
    ...{ tool_response: "x", tool_error: isFailure },
  });
  return { agentId, send, call, verdicts, outcomeOf };
}

describe("the same call", () => {
  it("is asked about from the stated number on, whatever comments on it and whatever id it bears", async () => {
    const { verdicts, call } = await newAgent();
    expect(await verdicts("shell", 2)).toEqual(["none", "none"]);
    const third = await call("shell", { input: { cmd: "ls", description: "lists the files" }, at: second });
    expect(third).toEqual({
      verdict: "ask",
      reason: "Runaway rule: the tool shell was called 3 times with the same input within 10 min.",
    });
    expect(await verdicts("shell", 1, { input: { cmd: "pwd" } })).toEqual(["none"]);
    expect(await verdicts("shell", 1, { session: "other" })).toEqual(["none"]);
    expect(await (await newAgent()).verdicts("shell", 1)).toEqual(["none"]);
    expect(await verdicts("shell", 1)).toEqual(["ask"]);
  });

  it("is counted once, however often its delivery is sent", async () => {
    const { call, verdicts } = await newAgent();
    const key = randomUUID();
    for (const at of [first, first, second]) expect((await call("shell", { key, at })).verdict).toBe("none");
    expect(await verdicts("shell", 2)).toEqual(["none", "ask"]);
  });

  it("passes exactly as often as allowed when it races over two gateways", async () => {
    const { call } = await newAgent();
    const raced = Array.from({ length: 40 }, (_, index) => call("raced", { at: index % 2 === 0 ? first : second }));
    const said = (await Promise.all(raced)).map(({ verdict }) => verdict);
    expect(said.filter((verdict) => verdict === "none")).toHaveLength(10);
    expect(said.filter((verdict) => verdict === "deny")).toHaveLength(30);
  });
});

describe("a halt by a rule", () => {
  it("halts the session from that very call on, is on record, and counts anew once it is resumed", async () => {
    const { agentId, verdicts, call } = await newAgent();
    const from = new Date();
    expect(await verdicts("looped", 3)).toEqual(["none", "none", "ask"]);
    const { verdict, reason } = await call("looped", { at: second });
    expect(verdict).toBe("halted");
    expect(reason).toMatch(
      /^This session is halted since .* by repeat_guard: Runaway rule: the tool looped was called 4 times .* within 10 min\. Calls are denied/,
    );
    expect((await call("anything")).verdict).toBe("halted");
    expect((await call("looped", { session: "other" })).verdict).toBe("none");
    const made = (await halts.list(db.database, first.admin.workspaceId)).find((one) => one.agentId === agentId);
    expect(made).toMatchObject({ scope: "session", sessionId: "s", haltedBy: "repeat_guard", resumedAt: null });
    const { rows } = await db.owner.query(
      `SELECT actor_kind, body::jsonb ->> 'by' AS by FROM audit_entry WHERE kind = 'halted' AND body LIKE '%' || $1 || '%'`,
      [made?.id],
    );
    expect(rows).toEqual([{ actor_kind: null, by: "repeat_guard" }]);
    const window = { from, to: new Date(Date.now() + 60_000) };
    expect(await countRunawayHalts(db.database.pool, first.admin.workspaceId, window)).toBe(1n);
    await halts.resume(context(), first.admin, { id: made?.id ?? "", reason: "it looked at a log" });
    expect(await verdicts("looped", 3)).toEqual(["none", "none", "ask"]);
  });

  it("halts the agent with all of its sessions where the rule says so", async () => {
    const { agentId, verdicts, call } = await newAgent();
    expect(await verdicts("wild", 2)).toEqual(["none", "halted"]);
    expect((await call("anything", { session: "other", at: second })).verdict).toBe("halted");
    const listed = await halts.list(db.database, first.admin.workspaceId);
    expect(listed.find((one) => one.agentId === agentId)).toMatchObject({ scope: "agent", isQuarantine: false });
  });

  it("denies where no halt can name the session", async () => {
    const { verdicts, call } = await newAgent();
    const session = "s".repeat(513);
    await verdicts("looped", 3, { session });
    expect(await call("looped", { session })).toEqual({
      verdict: "deny",
      reason: expect.stringMatching(/within 10 min\. The call has no session to halt\.$/),
    });
  });
});

describe("a failing loop", () => {
  it("counts failures of one tool in a row, dispatched or reported, each delivery once", async () => {
    const { call, send, outcomeOf } = await newAgent();
    expect((await call("flaky")).verdict).toBe("none");
    await send("hooks/post_tool_use", outcomeOf("flaky", true));
    const reported = { event_id: randomUUID(), event: "post_tool_use", input: outcomeOf("flaky", true) };
    await send("events", [reported], second);
    await send("events", [reported], first);
    await send("hooks/post_tool_use", outcomeOf("steady", false));
    expect((await call("flaky")).verdict).toBe("none");
    await send("hooks/post_tool_use", outcomeOf("flaky", true), second);
    expect(await call("flaky")).toEqual({
      verdict: "deny",
      reason: "Runaway rule: the tool flaky failed 3 times in a row within 10 min.",
    });
    expect((await call("steady")).verdict).toBe("none");
    await send("hooks/post_tool_use", outcomeOf("flaky", false));
    expect((await call("flaky", { at: second })).verdict).toBe("none");
  });
});

describe("a burst of spend", () => {
  it("is what the agent's calls cost within the time, in all of its sessions", async () => {
    const { call, send } = await newAgent();
    const spend = (cost: number) => send("hooks/after_llm_call", { session_id: randomUUID(), model_id: "a/b", cost });
    await spend(0.25);
    await spend(0.25);
    await first.projected();
    expect((await call("dear")).verdict).toBe("none");
    await spend(0.01);
    await first.projected();
    // Each gateway reads sums at most every two seconds; this one has not read any.
    expect(await call("dear", { at: second })).toEqual({
      verdict: "deny",
      reason: expect.stringMatching(/^Runaway rule: the agent spent \$0\.51 within 5 min, more than \$0\.50\.$/),
    });
    expect((await (await newAgent()).call("dear", { at: second })).verdict).toBe("none");
  });

  it("counts the minute in which the time begins as a whole", async () => {
    const { agentId, send } = await newAgent();
    await send("hooks/after_llm_call", { session_id: randomUUID(), model_id: "a/b", cost: 0.25 });
    await first.projected();
    const spent = async (secondsAgo: number) => {
      await db.owner.query(
        "UPDATE rollup_minute SET bucket = clock_timestamp() - $2 * interval '1 second' WHERE agent_id = $1",
        [agentId, secondsAgo],
      );
      const { workspaceId } = first.admin;
      return (await inWorkspace(workspaceId, () => listSpend(db.database.pool, workspaceId, 300))).get(agentId) ?? 0n;
    };
    expect([await spent(350), await spent(370)]).toEqual([250_000_000n, 0n]);
  });
});

describe("a tool never seen before", () => {
  it("is asked about for a day, and by a second agent too", async () => {
    const { call } = await newAgent();
    expect(await call("novel_a")).toEqual({
      verdict: "ask",
      reason: "Runaway rule: the tool novel_a is new in this workspace.",
    });
    expect((await (await newAgent()).call("novel_a")).verdict).toBe("ask");
    await db.owner.query(
      "UPDATE workspace_tool SET first_seen_at = now() - interval '25 hours' WHERE tool_name = 'novel_a'",
    );
    expect((await call("novel_a", { at: second })).verdict).toBe("none");
  });

  it("is one that no decision was taken about for a day, whatever an agent reports of last year", async () => {
    const { agentId, call, send } = await newAgent();
    const input = { session_id: "s", tool_name: "novel_b", tool_use_id: "x", tool_input: {} };
    const occurred_at = new Date(Date.now() - 300 * 86_400_000).toISOString();
    await send("events", [{ event_id: randomUUID(), event: "pre_tool_use", occurred_at, input }]);
    await first.projected();
    expect((await call("novel_b")).verdict).toBe("ask");
    const old = Date.now() - 2 * 86_400_000;
    const time = old.toString(16).padStart(12, "0");
    const dispatchId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
    await db.owner.query(
      `INSERT INTO tool_decision (workspace_id, occurred_at, dispatch_id, kind, agent_id, agent_name, session_id, event, tool_name,
         verdict, source, reason, excerpt)
       VALUES ($1, $2, $3, 'gate', $4, 'a', 's', 'pre_tool_use', 'novel_c', 'none', '', '', '')`,
      [first.admin.workspaceId, new Date(old), dispatchId, agentId],
    );
    expect((await call("novel_c")).verdict).toBe("none");
  });

  it("is known by its decisions alone where the workspace has too many tools", async () => {
    const { workspaceId } = first.admin;
    const added = () => inWorkspace(workspaceId, () => addTool(db.database.pool, workspaceId, "one_too_many", 0));
    expect(await added()).toBeNull();
  });

  it("is counted for an alert where the rule only gives an alarm", async () => {
    const { call } = await newAgent();
    const from = new Date();
    expect((await call("quiet_a")).verdict).toBe("none");
    expect((await call("quiet_a")).verdict).toBe("none");
    const window = { from: new Date(from.getTime() - 1_000), to: new Date(Date.now() + 60_000) };
    const { rows } = await db.owner.query(
      "SELECT count(*)::int AS count FROM workspace_tool WHERE first_seen_at >= $1",
      [window.from],
    );
    expect(await countNewTools(db.database.pool, first.admin.workspaceId, window)).toBe(BigInt(rows[0].count));
    expect(rows[0].count).toBeGreaterThanOrEqual(1);
  });
});

describe("where no call is made", () => {
  const rules = [{ kind: "same call", count: 2, seconds: 60, action: "halt" }] as const;

  it("a drill looks without counting, and halts nobody", async () => {
    const { agentId, call } = await newAgent();
    const { workspaceId } = first.admin;
    const { check } = createRepeatGuards({ ...context(), clock: systemClock }).guardOf(workspaceId);
    const input = { session_id: "s", tool_name: "raced", tool_input: { cmd: "ls" } };
    const looked = { agent: agentId, request: null, event: "pre_tool_use", lane: "default", input, rules } as const;
    expect([await check(looked), await check(looked)]).toEqual([null, null]);
    await call("raced");
    expect(await check(looked)).toEqual({
      decision: "deny",
      reason: "Runaway rule: the tool raced was called 2 times with the same input within 1 min. It would be halted.",
    });
    const listed = await halts.list(db.database, workspaceId);
    expect(listed.filter((one) => one.agentId === agentId)).toEqual([]);
  });

  it("a policy that is only observed counts for itself, failures too, and halts nobody", async () => {
    const { agentId, send, outcomeOf } = await newAgent();
    const policy = await first.running.app.plans.planFor({ ...first.admin, kind: "agent", id: agentId, scopes: [] });
    const guards = createRepeatGuards({ ...context(), clock: systemClock });
    const [one, other] = [guards, guards].map((each) => each.observedGuardOf(first.admin.workspaceId));
    const input = { session_id: "s", tool_name: "flaky", tool_input: {} };
    const seen = { agent: agentId, request: null, event: "pre_tool_use", lane: "default", input, rules } as const;
    expect(await one?.check(seen)).toBeNull();
    expect(await other?.check(seen)).toBeNull();
    expect(await one?.check(seen)).toMatchObject({ decision: "deny", reason: expect.stringContaining("2 times") });
    const failing = [{ kind: "failures", count: 2, seconds: 60, action: "ask" }] as const;
    const actor = { kind: "agent", workspaceId: first.admin.workspaceId, id: agentId, name: "a", scopes: [] } as const;
    const observed = { executor: policy.executor, observed: [{ executor: policy.executor }] };
    const fails = (isFailure: boolean) =>
      guards.noteOutcome(actor, observed, outcomeOf("flaky", isFailure), randomUUID());
    const asked = () => other?.check({ ...seen, rules: failing });
    await fails(true);
    expect(await asked()).toBeNull();
    await fails(true);
    expect(await asked()).toMatchObject({
      decision: "ask",
      reason: expect.stringContaining("failed 2 times in a row"),
    });
    await fails(false);
    expect(await asked()).toBeNull();
    expect((await send("hooks/pre_tool_use", input)).continue).not.toBe(false);
  });

  it("a text on trial says nothing, and one whose rules cannot be read denies", async () => {
    const said = async (args: string[]) => {
      const config: HooksConfig = { pre_tool_use: [{ hooks: [{ type: "builtin", command: "repeat_guard", args }] }] };
      const kinds = [builtinKind(serverBuiltins())];
      const executor = createExecutor({ config, profile: "2026-08", kinds, clock: hookClock, workingDir: "/" });
      return (await executor.dispatch({ event: "pre_tool_use", input: { tool_name: "x" } })).result;
    };
    expect(await said(["same call 2 in 1m: halt"])).toMatchObject({ allowed: true });
    expect(await said(["same call two: halt"])).toMatchObject({ allowed: false });
  });
});

it("a call of an agent that was removed fails alone, whatever is counted together with it", async () => {
  const { agentId } = await newAgent();
  const { check } = createRepeatGuards({ ...context(), clock: systemClock }).guardOf(first.admin.workspaceId);
  const rules = [{ kind: "same call", count: 9, seconds: 60, action: "ask" }] as const;
  const input = { session_id: "together", tool_name: "shell", tool_input: {} };
  const checked = (agent: string) =>
    check({ agent, request: randomUUID(), event: "pre_tool_use", lane: "default", input, rules });
  // The first one's statement is under way while the others gather.
  const all = await Promise.allSettled([agentId, agentId, randomUUID(), agentId].map(checked));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const { rows } = await db.owner.query("SELECT cardinality(calls) AS calls FROM guarded_session WHERE agent_id = $1", [
    agentId,
  ]);
  expect(rows).toEqual([{ calls: 3 }]);
});

it("denies when the counters cannot be asked, which no exception lifts", async () => {
  const away = openDatabase(db.url, { connectionsMax: 1, outside: INSTALLATION });
  await away.close();
  const guards = createRepeatGuards({ db: away, bus: first.running.app.bus, clock: systemClock });
  const budgets = { reserve: async () => null };
  const kinds = [builtinKind(serverBuiltins({ budgets, repeats: guards.guardOf(first.admin.workspaceId) }))];
  const args = ["same call 2 in 1m: ask"];
  const config: HooksConfig = { pre_tool_use: [{ hooks: [{ type: "builtin", command: "repeat_guard", args }] }] };
  const executor = createExecutor({ config, profile: "2026-08", kinds, clock: hookClock, workingDir: "/" });
  const asker = { agent: randomUUID(), request: randomUUID() };
  const liftVerdict = async () => ({ id: "1", label: "exception EX-1" });
  const { result } = await executor.dispatch({ event: "pre_tool_use", input: { tool_name: "x" }, asker, liftVerdict });
  expect(result).toMatchObject({ allowed: false });
  expect(result.message).toContain("The runaway rules could not be asked");
});

it("removes the counters of sessions that rested, and keeps at most 200 calls of one", async () => {
  const { agentId, verdicts } = await newAgent();
  await verdicts("shell", 1);
  const like = [Buffer.alloc(32, 7), agentId];
  await db.owner.query(
    `INSERT INTO guarded_session (workspace_id, agent_id, session_sha256, calls, requests, called_at, touched_at)
     SELECT workspace_id, agent_id, $1, array_fill(5::bigint, ARRAY[200]), array_fill(6::bigint, ARRAY[200]),
       array_fill(now(), ARRAY[200]), now() - interval '3 hours' FROM guarded_session WHERE agent_id = $2`,
    like,
  );
  const count = `SELECT quarterdeck_guard_calls(workspace_id, ARRAY[agent_id], ARRAY[session_sha256], ARRAY[9::bigint],
    ARRAY[8::bigint], ARRAY[7::bigint], true) FROM guarded_session WHERE session_sha256 = $1 AND agent_id = $2`;
  await db.owner.query(count, like);
  const { rows } = await db.owner.query(
    "SELECT cardinality(calls) AS kept, calls[200]::int AS newest FROM guarded_session WHERE session_sha256 = $1 AND agent_id = $2",
    like,
  );
  expect(rows).toEqual([{ kept: 200, newest: 9 }]);
  await db.owner.query(
    "UPDATE guarded_session SET touched_at = now() - interval '3 hours' WHERE session_sha256 = $1 AND agent_id = $2",
    like,
  );
  expect(await removeRested(db.database.pool, 2, 10)).toBe(1);
  const left = await db.owner.query("SELECT 1 FROM guarded_session WHERE agent_id = $1", [agentId]);
  expect(left.rowCount).toBe(1);
});
