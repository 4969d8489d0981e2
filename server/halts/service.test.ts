/** The promises of docs/halts.md, through the agent API of two gateways over one database. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { indexKeyText } from "../recording/index.ts";
import { type HaltTarget, haltTarget, startHalt } from "./schema.ts";
import * as halts from "./service.ts";

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
/** The listening backend of the second gateway. */
let secondListener: number;

async function listeners(): Promise<number[]> {
  const { rows } = await db.owner.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'quarterdeck listener' AND datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
}

const hears = (gateway: TestGateway) => vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });

beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  await hears(first);
  const before = await listeners();
  second = await testGateway(db.url);
  await hears(second);
  secondListener = (await listeners()).find((pid) => !before.includes(pid)) ?? 0;
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

const context = () => ({ db: db.database, bus: first.running.app.bus });
const halt = (target: HaltTarget, reason = "a key leaked", actor: Administrator = first.admin) =>
  halts.halt(context(), actor, { target, reason });
const resume = (id: string, reason = "the key is replaced") => halts.resume(context(), first.admin, { id, reason });

interface Agent {
  readonly id: string;
  readonly key: string;
}
async function newAgent(name = `agent ${randomUUID()}`, actor: Administrator = first.admin): Promise<Agent> {
  const { agentId, key } = await agents.create(db.database, first.running.app.bus, actor, { name });
  return { id: agentId, key };
}

async function call(
  { url }: TestGateway,
  { key }: Agent,
  input: object = {},
  event = "pre_tool_use",
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: "t", tool_input: {}, ...input }),
  });
  return {
    status: response.status,
    answer: await response.json(),
    id: response.headers.get("quarterdeck-dispatch-id"),
  };
}

const isDenied = async (at: TestGateway, agent: Agent, input: object = {}) =>
  (await call(at, agent, input)).answer.continue === false;

const inForce = async () =>
  (await halts.list(db.database, first.admin.workspaceId)).filter(({ resumedAt }) => resumedAt === null);
afterEach(async () => {
  for (const { id } of await inForce()) await resume(id, "the test is over");
});

const headOf = async (workspaceId: string) =>
  (
    await db.database.pool.query<{ number: number; seq: number }>(
      "SELECT halt_number::int AS number, seq::int AS seq FROM audit_head WHERE workspace_id = $1",
      [workspaceId],
    )
  ).rows[0];

/** The verdicts of the workspace that stand above a number of the chain, each counted. */
async function verdictsAbove(workspaceId: string, number: number): Promise<Record<string, number>> {
  const { rows } = await db.database.pool.query<{ verdict: string; count: number }>(
    `SELECT dispatch.verdict, count(*)::int AS count FROM chain_batch JOIN dispatch
       ON dispatch.workspace_id = chain_batch.workspace_id AND dispatch.batch = chain_batch.batch
     WHERE chain_batch.workspace_id = $1 AND chain_batch.seq > $2 GROUP BY 1`,
    [workspaceId, number],
  );
  return Object.fromEntries(rows.map(({ verdict, count }) => [verdict, count]));
}

describe("a workspace that is halted under load over two gateways, one of which hears nothing", () => {
  it("allows nothing with a chain number above the halt's, and denies at once", async () => {
    const { workspaceId } = first.admin;
    const workers = await Promise.all(Array.from({ length: 16 }, () => newAgent()));
    await Promise.all(workers.flatMap((agent) => [call(first, agent), call(second, agent)]));
    const listener = secondListener;
    process.kill(listener, "SIGSTOP");
    try {
      for (let round = 0; round < repetitions(4, 10); round += 1) {
        let isOver = false;
        let denied = 0;
        let passed = 0;
        const under = workers.map(async (agent, index) => {
          while (!isOver) {
            const { status, answer } = await call(index % 2 === 0 ? first : second, agent);
            expect(status, JSON.stringify(answer)).toBe(200);
            if (answer.continue === false) denied += 1;
            else passed += 1;
          }
        });
        await vi.waitUntil(() => passed > 30, { timeout: 20_000 });
        const { id } = await halt({ scope: "workspace" });
        const head = await headOf(workspaceId);
        // The very first call that begins after the halt is denied, at the gateway that hears nothing too.
        const [firstAnswer, secondAnswer] = await Promise.all([
          isDenied(first, workers[0] as Agent),
          isDenied(second, workers[1] as Agent),
        ]);
        expect([firstAnswer, secondAnswer]).toEqual([true, true]);
        await vi.waitUntil(() => denied > 30, { timeout: 20_000 });
        isOver = true;
        await Promise.all(under);
        const above = await verdictsAbove(workspaceId, head?.number ?? 0);
        expect(Object.keys(above)).toEqual(["deny"]);
        await resume(id);
        expect(await isDenied(second, workers[1] as Agent)).toBe(false);
      }
    } finally {
      process.kill(listener, "SIGCONT");
    }
  }, 120_000);
});

describe("each scope", () => {
  let agent: Agent;
  let other: Agent;
  beforeEach(async () => {
    [agent, other] = [await newAgent(), await newAgent()];
  });

  it("halts a workspace, and no other one", async () => {
    const elsewhere: Administrator = {
      kind: "script",
      workspaceId: await newWorkspace(db.database, `other ${randomUUID()}`),
      id: "test",
      name: "test",
    };
    const stranger = await newAgent("stranger", elsewhere);
    await halt({ scope: "workspace" });
    for (const at of [first, second]) {
      expect(await isDenied(at, agent)).toBe(true);
      expect(await isDenied(at, stranger)).toBe(false);
    }
    await expect(
      halts.resume(context(), elsewhere, { id: (await inForce())[0]?.id ?? "", reason: "x" }),
    ).rejects.toMatchObject({
      code: "halt_not_found",
    });
    await expect(halt({ scope: "agent", agentId: agent.id }, "x", elsewhere)).rejects.toMatchObject({
      code: "agent_not_found",
    });
    expect(await halts.list(db.database, elsewhere.workspaceId)).toEqual([]);
  });

  it("makes none for a rule where the last hundred are left, and one for a person", async () => {
    const workspaceId = await newWorkspace(db.database, `full ${randomUUID()}`);
    const elsewhere: Administrator = { kind: "script", workspaceId, id: "test", name: "test" };
    const stranger = await newAgent("stranger", elsewhere);
    await db.owner.query(
      `INSERT INTO halt (workspace_id, id, scope, agent_id, session_id, about, reason, halted_by, by_rule)
       SELECT $1, gen_random_uuid(), 'session', $2, 's' || number, 's' || number, 'x', 'repeat_guard', true
       FROM generate_series(1, 900) AS number`,
      [workspaceId, stranger.id],
    );
    const target: HaltTarget = { scope: "agent", agentId: stranger.id };
    const byRule = halts.haltByRule(context(), workspaceId, { target, reason: "x", by: "repeat_guard" });
    await expect(byRule).rejects.toMatchObject({ code: "too_many_halts" });
    await halt(target, "a person says so", elsewhere);
    expect(await isDenied(first, stranger)).toBe(true);
  });

  it("of people stay in the list, however many rules make after them", async () => {
    const { id } = await halt({ scope: "agent", agentId: agent.id });
    const { id: session } = await halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
    await db.owner.query(
      `INSERT INTO halt (workspace_id, id, scope, agent_id, session_id, about, reason, halted_by, is_quarantine, by_rule)
       SELECT $1, gen_random_uuid(), 'session', $2, n::text, n::text, 'Runaway rule', 'repeat_guard', false, true FROM generate_series(1, 300) AS n`,
      [first.admin.workspaceId, agent.id],
    );
    const listed = (await inForce()).map((one) => one.id);
    await db.owner.query("DELETE FROM halt WHERE by_rule");
    expect(listed.slice(0, 2)).toEqual([id, session]);
  });

  describe("of a halted group", () => {
    let groupId: string;
    const members = (agentIds: string[]) =>
      agents.setGroupMembers(db.database, first.running.app.bus, first.admin, { groupId, agentIds });
    const pattern = (namePattern: string | null) =>
      agents.setGroupMembers(db.database, first.running.app.bus, first.admin, { groupId, namePattern });
    const rename = (name: string) =>
      agents.rename(db.database, first.running.app.bus, first.admin, {
        agentId: agent.id,
        name: `${name} ${randomUUID()}`,
      });
    const byId = () => ({ agentId: agent.id });
    beforeEach(async () => {
      ({ groupId } = await agents.createGroup(db.database, first.running.app.bus, first.admin, {
        name: `group ${randomUUID()}`,
      }));
    });

    it("reaches the agents of a group, and those that join it", async () => {
      await members([agent.id]);
      const { id } = await halt({ scope: "group", groupId });
      expect([await isDenied(second, agent), await isDenied(second, other)]).toEqual([true, false]);
      await members([agent.id, other.id]);
      await expect.poll(() => isDenied(second, other), { timeout: 10_000 }).toBe(true);
      await expect(
        agents.deleteGroup(db.database, first.running.app.bus, first.admin, { groupId }),
      ).rejects.toMatchObject({
        code: "group_in_use",
      });
      await resume(id);
      expect([await isDenied(second, agent), await isDenied(second, other)]).toEqual([false, false]);
    });

    it.each<[string, () => Promise<unknown>]>([
      ["is taken out of the list of members", () => members([])],
      ["is replaced by another member", () => members([other.id])],
      ["does not match the new name pattern", () => pattern("nothing-*")],
      [
        "gets a name that its group's pattern does not match",
        async () => {
          await pattern("agent *");
          await rename("renamed");
        },
      ],
      [
        "is renamed while it is retired, and brought back",
        async () => {
          await pattern("agent *");
          await agents.retire(db.database, first.running.app.bus, first.admin, byId());
          await rename("elsewhere");
          await agents.restore(db.database, first.running.app.bus, first.admin, byId());
        },
      ],
      [
        "is retired, loses its group meanwhile, and is brought back",
        async () => {
          await agents.retire(db.database, first.running.app.bus, first.admin, byId());
          await members([]);
          await agents.restore(db.database, first.running.app.bus, first.admin, byId());
        },
      ],
      [
        "leaves, joins and leaves again",
        async () => {
          await members([]);
          await members([agent.id]);
          await members([]);
        },
      ],
      [
        "gets other tags and leaves",
        async () => {
          await agents.setTags(db.database, first.running.app.bus, first.admin, { agentId: agent.id, tags: ["other"] });
          await members([]);
        },
      ],
    ])("lets no agent go that %s: a person resumes it", async (_how, leave) => {
      await members([agent.id]);
      const { id } = await halt({ scope: "group", groupId });
      await leave();
      // The gateway has heard of the change once the group's newest member is halted.
      await pattern(null);
      await members([other.id]);
      await expect.poll(() => isDenied(second, other), { timeout: 10_000 }).toBe(true);
      expect([await isDenied(first, agent), await isDenied(second, agent)]).toEqual([true, true]);
      const { halts: shown } = await halts.ofAgent(db.database, first.admin.workspaceId, { agentId: agent.id });
      expect(shown.map((one) => one.id)).toEqual([id]);
      await resume(id);
      expect([await isDenied(first, agent), await isDenied(second, agent)]).toEqual([false, false]);
    });

    it("lets an agent go that left before the halt", async () => {
      await members([agent.id]);
      await members([other.id]);
      await halt({ scope: "group", groupId });
      expect([await isDenied(first, agent), await isDenied(first, other)]).toEqual([false, true]);
    });
  });

  it("keeps a retired agent that is halted: one of the same name would not be", async () => {
    const { bus } = first.running.app;
    const { id } = await halt({ scope: "agent", agentId: agent.id });
    await agents.retire(db.database, bus, first.admin, { agentId: agent.id });
    const remove = () => agents.remove(db.database, bus, first.admin, { agentId: agent.id });
    await expect(remove()).rejects.toMatchObject({
      code: "agent_in_use",
      message: expect.stringContaining("is halted"),
    });
    await resume(id);
    await remove();
  });

  it("halts one agent, and names the quarantine", async () => {
    await halt({ scope: "agent", agentId: agent.id, isQuarantine: true }, "odd commands");
    const { answer } = await call(second, agent);
    expect(answer.reason).toMatch(
      /is in quarantine since .* by test: odd commands\. Nothing runs until a person has reviewed it\.$/,
    );
    expect(await isDenied(second, other)).toBe(false);
  });

  it("halts one session of one agent, and the sessions that it began", async () => {
    await halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
    expect(await isDenied(second, agent, { session_id: "s1" })).toBe(true);
    expect(await isDenied(second, agent, { session_id: "s2", parent_session_id: "s1" })).toBe(true);
    expect(await isDenied(second, agent, { session_id: "s2" })).toBe(false);
    expect(await isDenied(second, other, { session_id: "s1" })).toBe(false);
  });

  it.each([
    ["long", `${"x".repeat(300)}`],
    ["unprintable", "s\0\ud800"],
  ])("halts a session by its id as pages show it, where the agent's own is %s", async (_how, session_id) => {
    expect(await isDenied(second, agent, { session_id })).toBe(false);
    await halt({ scope: "session", agentId: agent.id, sessionId: indexKeyText(session_id) });
    expect(await isDenied(second, agent, { session_id })).toBe(true);
    expect(await isDenied(second, agent, { session_id: `y${session_id}` })).toBe(false);
  });

  const LONG = `Sitzung ${"ab".repeat(200)}`;
  const SPELLINGS: readonly [string, string, unknown][] = [
    ["a blank before it", "s1", " s1"],
    ["a blank behind it", "s1", "s1 "],
    ["a blank within it", "s1", "s 1"],
    ["a tab and a line break", "s1", "\ts1\n"],
    ["a no-break space", "s1", "s1\u00a0"],
    ["an ideographic space", "s1", "\u3000s1"],
    ["capitals", "session-abc", "Session-ABC"],
    ["small letters", "SESSION-ABC", "session-abc"],
    ["a capital sharp s", "stra\u00dfe", "STRASSE"],
    ["a long s", "session", "\u017fession"],
    ["a Kelvin sign", "kilo", "\u212ailo"],
    ["a dotted capital I", "id-1", "\u0130D-1"],
    ["NUL", "s1", "s1\0"],
    ["NUL first", "s1", "\0s1"],
    ["the escape of NUL", "s1", "s1\\u0000"],
    ["a lone surrogate", "s1", "s1\ud800"],
    ["an escape character", "s1", "\u001bs1"],
    ["a delete character", "s1", "s1\u007f"],
    ["a zero-width space", "s1", "s\u200b1"],
    ["a zero-width joiner", "s1", "s\u200d1"],
    ["a byte order mark", "s1", "\ufeffs1"],
    ["a soft hyphen", "s1", "s\u00ad1"],
    ["a direction mark", "s1", "\u202es1"],
    ["a variation selector", "s1", "s1\ufe0f"],
    ["a tag character", "s1", "s1\u{e0041}"],
    ["a Hangul filler", "s1", "s1\u3164"],
    ["a blank Braille pattern", "s1", "s1\u2800"],
    ["a combining grapheme joiner", "s1", "s\u034f1"],
    ["full-width letters", "s1", "\uff53\uff11"],
    ["mathematical letters", "s1", "\u{1d42c}\u{1d7cf}"],
    ["a ligature", "file-1", "\ufb01le-1"],
    ["a decomposed letter", "caf\u00e9", "cafe\u0301"],
    ["a composed letter", "cafe\u0301", "caf\u00e9"],
    ["a private-use character", "s1", "s1\ue000"],
    ["an unassigned character", "s1", "s1\u0378"],
    ["a thousand blanks", "s1", `${" ".repeat(1_000)}s1`],
    ["a long id in capitals", LONG, LONG.toUpperCase()],
    ["a long id behind a blank", LONG, ` ${LONG}`],
    ["a long id with NUL near its end", LONG, `${LONG.slice(0, -3)}\0${LONG.slice(-3)}`],
    ["an id that shows nothing", "s1", " \u200b"],
  ];
  it.each(SPELLINGS)("halts a session whose id is spelled with %s", async (_how, sessionId, session_id) => {
    await halt({ scope: "session", agentId: agent.id, sessionId: indexKeyText(sessionId) });
    expect(await isDenied(second, agent, { session_id })).toBe(true);
    expect(await isDenied(second, agent, { session_id: "child", parent_session_id: session_id })).toBe(true);
    expect(await isDenied(second, agent, { session_id: "another" })).toBe(false);
    expect(await isDenied(second, other, { session_id })).toBe(false);
  });

  it.each([undefined, null, "", 1, true, ["s1"], { id: "s1" }])(
    "lets nothing pass whose session's id is %j while a session is halted",
    async (session_id) => {
      await halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
      for (const [event, input] of [
        ["pre_tool_use", {}],
        ["user_prompt_submit", { prompt: "hello" }],
      ] as const) {
        const { status, answer } = await call(second, agent, { session_id, ...input }, event);
        expect(status === 400 || answer.continue === false, event).toBe(true);
      }
    },
  );

  it("halts a session by its own long id", async () => {
    const session_id = "y".repeat(400);
    await halt({ scope: "session", agentId: agent.id, sessionId: session_id });
    expect(await isDenied(second, agent, { session_id })).toBe(true);
  });
});

describe("a halted call", () => {
  it("is denied in its event's words, runs no hook and needs no policy", async () => {
    const agent = await newAgent();
    await first.publish(
      'hooks:\n  pre_tool_use:\n    - hooks: [{ type: command, command: "echo \'{\\"decision\\":\\"block\\",\\"reason\\":\\"the policy\\"}\'" }]\n',
      "halted",
    );
    expect((await call(first, agent)).answer.reason).toBe("the policy");
    const { id } = await halt({ scope: "agent", agentId: agent.id });
    const { answer, id: dispatchId } = await call(first, agent);
    expect(answer).toMatchObject({
      continue: false,
      decision: "block",
      hook_specific_output: { hook_event_name: "pre_tool_use", permission_decision: "deny" },
    });
    expect(answer.stop_reason).toContain("a key leaked");
    const { rows } = await db.database.pool.query("SELECT verdict, revision, hooks FROM dispatch WHERE id = $1", [
      dispatchId,
    ]);
    expect(rows).toMatchObject([{ verdict: "deny", revision: "" }]);
    const prompt = await call(first, agent, { prompt: "hello" }, "user_prompt_submit");
    expect(prompt.answer).toMatchObject({ continue: false, decision: "block" });
    expect(prompt.answer.hook_specific_output).toBeUndefined();
    // An event that cannot hold an agent back is recorded as ever.
    expect((await call(first, agent, {}, "session_end")).answer).toEqual({});
    await resume(id);
    expect((await call(second, agent)).answer.reason).toBe("the policy");
    await first.publish("hooks: {}\n", "halted");
  });

  it("gets its first answer again when it is repeated, and a new one is denied", async () => {
    const agent = await newAgent();
    const named = { "idempotency-key": randomUUID() };
    const before = await call(first, agent, {}, "pre_tool_use", named);
    await halt({ scope: "agent", agentId: agent.id });
    const repeated = await call(second, agent, {}, "pre_tool_use", named);
    expect([repeated.answer, repeated.id]).toEqual([before.answer, before.id]);
    expect(await isDenied(second, agent)).toBe(true);
  });
});

describe("the effect of a halt, before it is made", () => {
  const previewOf = (actor: Administrator, target: HaltTarget) =>
    halts.preview(db.database, actor.workspaceId, { target });
  const elsewhere = async (): Promise<Administrator> => ({
    kind: "script",
    workspaceId: await newWorkspace(db.database, `preview ${randomUUID()}`),
    id: "test",
    name: "test",
  });
  const addSessions = (actor: Administrator, { id }: Agent, ids: string, rest = "now(), NULL, NULL") =>
    db.owner.query(
      `INSERT INTO session (workspace_id, agent_id, session_id, agent_name, events, denied, compactions,
         calls_priced, calls_free, calls_unpriced, cost_nano, tokens, first_at, last_at, last_end_at, parent_session_id)
       SELECT $1, $2, one, 'x', 1, 0, 0, 0, 0, 0, 0, 0, now() - interval '1 day', ${rest} FROM ${ids} AS one`,
      [actor.workspaceId, id],
    );

  it("counts agents that are not retired and sessions that are running, of each scope", async () => {
    const actor = await elsewhere();
    const { bus } = first.running.app;
    const [agent, other, retired] = [
      await newAgent("a", actor),
      await newAgent("b", actor),
      await newAgent("c", actor),
    ];
    await agents.retire(db.database, bus, actor, { agentId: retired.id });
    const { groupId } = await agents.createGroup(db.database, bus, actor, { name: "pair" });
    await agents.setGroupMembers(db.database, bus, actor, { groupId, agentIds: [agent.id] });
    await addSessions(actor, agent, "unnest(ARRAY['s1', 's2'])");
    await addSessions(actor, agent, "unnest(ARRAY['child'])", "now(), NULL, 's1'");
    await addSessions(actor, agent, "unnest(ARRAY['quiet'])", "now() - interval '11 minutes', NULL, NULL");
    await addSessions(actor, agent, "unnest(ARRAY['ended'])", "now(), now(), NULL");
    await addSessions(actor, other, "unnest(ARRAY['s1'])");
    const counts = async (target: HaltTarget) => {
      const { agents, sessions, agentsCut, sessionsCut } = await previewOf(actor, target);
      expect([agentsCut, sessionsCut]).toEqual([false, false]);
      return [agents, sessions];
    };
    expect(await counts({ scope: "workspace" })).toEqual([2, 4]);
    expect(await counts({ scope: "group", groupId })).toEqual([1, 3]);
    expect(await counts({ scope: "agent", agentId: other.id })).toEqual([1, 1]);
    expect(await counts({ scope: "session", agentId: agent.id, sessionId: "s1" })).toEqual([1, 2]);
    expect(await counts({ scope: "agent", agentId: randomUUID() })).toEqual([0, 0]);
    expect((await previewOf(await elsewhere(), { scope: "agent", agentId: agent.id })).agents).toBe(0);
  });

  it("says that it is cut at a thousand", async () => {
    const actor = await elsewhere();
    const agent = await newAgent("busy", actor);
    await addSessions(actor, agent, "(SELECT n::text FROM generate_series(1, 1001) AS n)");
    expect(await previewOf(actor, { scope: "workspace" })).toEqual({
      agents: 1,
      sessions: 1_000,
      agentsCut: false,
      sessionsCut: true,
    });
  });
});

describe("halting and resuming", () => {
  it("are entries of the chain with before and after, and their numbers stand in its head", async () => {
    const agent = await newAgent("recorded");
    const { id } = await halt({ scope: "agent", agentId: agent.id });
    const atHalt = await headOf(first.admin.workspaceId);
    await resume(id);
    const { rows } = await db.database.pool.query<{ seq: number; kind: string; changes: string; target: string }>(
      "SELECT seq::int AS seq, kind, changes, target FROM audit_entry WHERE workspace_id = $1 AND body::jsonb->>'halt' = $2 ORDER BY seq",
      [first.admin.workspaceId, id],
    );
    expect(rows.map(({ kind, target }) => [kind, target])).toEqual([
      ["halted", `agent/${agent.id}`],
      ["halt_resumed", `agent/${agent.id}`],
    ]);
    expect(atHalt?.number).toBe(rows[0]?.seq);
    expect((await headOf(first.admin.workspaceId))?.number).toBe(rows[1]?.seq);
    expect(JSON.parse(rows[0]?.changes ?? "")).toEqual({
      reason: { before: null, after: "a key leaked" },
      state: { before: "running", after: "halted" },
    });
    expect(JSON.parse(rows[1]?.changes ?? "")).toEqual({
      reason: { before: "a key leaked", after: "the key is replaced" },
      state: { before: "halted", after: "running" },
    });
  });

  it("happen once", async () => {
    const agent = await newAgent();
    const target = { scope: "agent", agentId: agent.id } as const;
    const made = await Promise.allSettled([halt(target), halt(target)]);
    expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [one] = await inForce();
    const ended = await Promise.allSettled([resume(one?.id ?? ""), resume(one?.id ?? "")]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(resume(one?.id ?? "")).rejects.toMatchObject({ code: "already_resumed" });
    await expect(resume(randomUUID())).rejects.toMatchObject({ code: "halt_not_found" });
  });

  it("want a reason of one line, and a target that is whole", () => {
    const target = { scope: "workspace" };
    for (const reason of ["", "  ", "a\nb", "x".repeat(501)])
      expect(startHalt.safeParse({ target, reason }).success).toBe(false);
    for (const bad of [
      { scope: "agent" },
      { scope: "planet" },
      { scope: "session", agentId: randomUUID(), sessionId: "" },
      { scope: "workspace", isQuarantine: true },
    ])
      expect(haltTarget.safeParse(bad).success).toBe(false);
  });
});
