/** Stored rows that cannot be read: no call passes that was held before, other agents go on, and each page says so. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BROKEN_ASSIGNMENTS,
  BROKEN_BUDGETS,
  BROKEN_CONNECTIONS,
  BROKEN_EXCEPTIONS,
  BROKEN_HALTS,
  BROKEN_RULES,
  type BrokenRow,
} from "../../e2e/fixtures/broken-rows.ts";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import * as budgets from "../budgets/index.ts";
import { appRouter } from "../composition/router.ts";
import * as exceptions from "../exceptions/index.ts";
import { makeException } from "../exceptions/schema.ts";
import * as halts from "../halts/index.ts";
import type { HaltTarget } from "../halts/schema.ts";
import * as judges from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as policies from "../policies/index.ts";
import { createCallerFactory } from "../trpc/init.ts";

const ASKS = `profile: "2026-08"
hooks:
  pre_tool_use:
    - hooks: [{ type: builtin, command: ask_a_person, args: ["Is this meant?"] }]
`;
const GUARDED = `profile: "2026-08"
hooks:
  before_llm_call: [{ type: builtin, command: budget_guard }]
`;
const judgeOf = (name: string) => `
    - matcher: ${name}
      hooks: [{ type: model, name: judge, model: ${name}/tiny, schema: pre_tool_use_decision, timeout: 60, prompt: "stub:allow" }]`;
const JUDGED = `profile: "2026-08"\nhooks:\n  pre_tool_use:${judgeOf("capped")}${judgeOf("whole")}\n`;
const FREE = 'profile: "2026-08"\nhooks: {}\n';

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url);
  // Rows of another release: its checks were other ones.
  await db.owner.query(`DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'c' AND conrelid::regclass::text = ANY (
      ARRAY['halt', 'assignment', 'agent', 'policy', 'budget', 'policy_exception', 'model_connection', 'model_price'])
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.name, one.conname); END LOOP; END $$`);
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

interface Answered {
  readonly status: number;
  readonly text: string;
}
const isHeld = ({ status, text }: Answered) =>
  status === 200 &&
  /"permission_decision":"deny"|"permissionDecision":"deny"|"decision":"block"|"continue":false/.test(text);

async function post(path: string, key: string, body: object): Promise<Answered> {
  const response = await fetch(`${server.url}/api/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

type Event = "pre_tool_use" | "before_llm_call";

/** A workspace with two agents, and a policy for all. */
async function furnished(source: string) {
  const { bus, app } = { bus: server.running.app.bus, app: server.running.app };
  const workspaceId = await newWorkspace(db.database, "test");
  const admin = { ...server.admin, workspaceId };
  const make = (name: string) => agents.create(server.database, bus, admin, { name });
  const [concerned, other] = [await make("concerned"), await make("other")];
  const { groupId } = await agents.createGroup(server.database, bus, admin, { name: "team" });
  await agents.setGroupMembers(server.database, bus, admin, { groupId, agentIds: [concerned.agentId] });
  await agents.setTags(server.database, bus, admin, { agentId: concerned.agentId, tags: ["prod"] });
  await policies.publishByName(server.database, bus, admin, { name: "guard", source, note: "" }, policies.NO_CASES);
  const person = await newMember(db, workspaceId, { role: "owner" });
  const ways = (event: Event, key: string, tool: string): Promise<Answered>[] => {
    const input = {
      session_id: "s",
      tool_name: tool,
      tool_input: { cmd: "git push origin" },
      model_id: "a/b",
      iteration: 1,
    };
    const asked = [
      post(`v1/hooks/${event}`, key, { ...input, tool_use_id: randomUUID() }),
      post("trpc/agent.dispatch", key, { json: { event, input: { ...input, tool_use_id: randomUUID() } } }),
    ];
    const native = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      tool_name: tool,
      tool_input: { command: "git push origin" },
    };
    return event === "pre_tool_use" ? [...asked, post("v1/hooks/claude-code/PreToolUse", key, native)] : asked;
  };
  const ask = (event: Event, key = concerned.key, tool = "shell") => Promise.all(ways(event, key, tool));
  const context = { db: server.database, actor: person, app, session: null, setHeader: () => undefined };
  const caller = createCallerFactory(appRouter)(context as never);
  /** The pages that read what is broken: the words of those that fail. */
  async function deadPages() {
    const pages: Record<string, () => Promise<unknown>> = {
      halts: () => caller.halts.list(),
      policies: () => caller.policies.list({}),
      policy: async () => caller.policies.get({ policyId: (await caller.policies.list({}))[0]?.id ?? "" }),
      budgets: () => caller.budgets.statuses(),
      approvals: () => caller.approvals.list(),
      rules: () => caller.approvals.rules(),
      exceptions: () => caller.exceptions.list(),
      judges: () => caller.judges.connections(),
      agents: () => caller.agents.list({}),
      prices: () => caller.prices.lists(),
      attention: () => caller.attention.counts(),
      doctor: () => caller.doctor.examine(),
    };
    const failed = await Promise.all(
      Object.entries(pages).map(async ([name, load]) =>
        load().then(
          () => [],
          (error: unknown) => [`${name}: ${error instanceof Error ? error.message : error}`],
        ),
      ),
    );
    return failed.flat();
  }
  async function findings() {
    const { findings } = await inWorkspace(workspaceId, () => caller.doctor.examine());
    return findings.filter(({ id, state }) => /^unreadable/.test(id) && state === "failure").map(({ says }) => says);
  }
  const breakIt = async ({ sql }: BrokenRow) => {
    await db.owner.query(sql, [workspaceId]);
    bus.tell(workspaceId, ["halts", "policies", "budgets", "approvals", "exceptions", "judges", "agents", "rules"]);
  };
  const { rows } = await db.owner.query("SELECT id FROM policy WHERE workspace_id = $1", [workspaceId]);
  const world = { db: server.database, bus, models: app.models };
  return { admin, person, world, concerned, other, groupId, policyId: rows[0].id, ask, deadPages, findings, breakIt };
}
type Furnished = Awaited<ReturnType<typeof furnished>>;

interface Case {
  readonly rows: readonly BrokenRow[];
  readonly source: string;
  readonly event?: Event;
  readonly tool?: string;
  readonly setUp: (made: Furnished) => Promise<unknown>;
}

/** Breaks each row of a case in a workspace of its own; everything that went wrong. */
async function allowedAfter({ rows, source, event = "pre_tool_use", tool = "shell", setUp }: Case) {
  const wrong = {
    heldBefore: [] as string[],
    passed: [] as string[],
    wordless: [] as string[],
    blocked: [] as string[],
    dead: [] as string[],
    unsaid: [] as string[],
  };
  for (const row of rows) {
    const made = await furnished(source);
    await setUp(made);
    if (!(await made.ask(event, made.concerned.key, tool)).every(isHeld)) wrong.heldBefore.push(row.fault);
    await made.breakIt(row);
    const said = await made.ask(event, made.concerned.key, tool);
    for (const one of said)
      if (!isHeld(one)) wrong.passed.push(`${row.fault}: ${one.status} ${one.text.slice(0, 200)}`);
    if (!said.every(({ text }) => /cannot be read|Approval required/.test(text)))
      wrong.wordless.push(`${row.fault}: ${said[0]?.text}`);
    if (row.concernsOther === false && (await made.ask(event, made.other.key, tool)).some(isHeld))
      wrong.blocked.push(row.fault);
    wrong.dead.push(...(await made.deadPages()).map((page) => `${row.fault}: ${page}`));
    if ((await made.findings()).length === 0) wrong.unsaid.push(row.fault);
  }
  return wrong;
}
const NOTHING_WRONG = { heldBefore: [], passed: [], wordless: [], blocked: [], dead: [], unsaid: [] };
const halted = (targetOf: (made: Furnished) => HaltTarget) => (made: Furnished) =>
  halts.halt(made.world, made.admin, { target: targetOf(made), reason: "stop" });
const assigned =
  (chosen: (made: Furnished) => object) =>
  ({ world, admin, policyId, ...made }: Furnished) =>
    policies.assign(world.db, world.bus, admin, {
      ...{ policyId, scope: "chosen", tags: [], groupIds: [], agentIds: [] },
      ...chosen({ world, admin, policyId, ...made }),
    } as never);

describe("a halt", () => {
  it.each<[keyof typeof BROKEN_HALTS, (made: Furnished) => HaltTarget]>([
    ["workspace", () => ({ scope: "workspace" })],
    ["group", ({ groupId }) => ({ scope: "group", groupId })],
    ["agent", ({ concerned: { agentId } }) => ({ scope: "agent", agentId })],
    ["session", ({ concerned: { agentId } }) => ({ scope: "session", agentId, sessionId: "s" })],
  ])("of a %s that cannot be read holds whom it held", async (scope, targetOf) => {
    expect(await allowedAfter({ rows: BROKEN_HALTS[scope], source: FREE, setUp: halted(targetOf) })).toEqual(
      NOTHING_WRONG,
    );
  });
});

describe("an assignment", () => {
  it.each<[keyof typeof BROKEN_ASSIGNMENTS, (made: Furnished) => object]>([
    ["agent", ({ concerned }) => ({ agentIds: [concerned.agentId] })],
    ["group", ({ groupId }) => ({ groupIds: [groupId] })],
    ["tag", () => ({ tags: ["prod"] })],
    ["rollout", ({ concerned }) => ({ agentIds: [concerned.agentId] })],
  ])("of a %s that cannot be read binds whom it bound", async (scope, chosen) => {
    const rows = BROKEN_ASSIGNMENTS[scope];
    expect(await allowedAfter({ rows, source: ASKS, setUp: assigned(chosen) })).toEqual(NOTHING_WRONG);
  });
});

describe("a budget", () => {
  it.each<[keyof typeof BROKEN_BUDGETS, (made: Furnished) => object]>([
    ["workspace", () => ({ scope: "workspace" })],
    ["agent", ({ concerned: { agentId } }) => ({ scope: "agent", agentId })],
    ["group", ({ groupId }) => ({ scope: "group", groupId })],
  ])("of a %s that cannot be read has room for no call", async (scope, about) => {
    const setUp = async (made: Furnished) => {
      const amount = {
        amountNano: 1_000_000_000n,
        reserveNano: 1_000_000_000n,
        thresholds: [],
        isHard: true,
        unpriced: "count",
      };
      await budgets.create(made.world, made.admin, {
        name: "spent",
        period: "day",
        ...amount,
        about: about(made),
      } as never);
      // Two ways ask: the first takes all the room.
      await made.ask("before_llm_call");
    };
    const found = await allowedAfter({ rows: BROKEN_BUDGETS[scope], source: GUARDED, event: "before_llm_call", setUp });
    expect(found).toEqual(NOTHING_WRONG);
  });
});

it("the rules about who answers: nobody is asked, and the call is denied", async () => {
  const found = await allowedAfter({ rows: BROKEN_RULES, source: ASKS, setUp: async () => undefined });
  expect(found).toEqual(NOTHING_WRONG);
});

it("a connection: its judge denies, and the judges of the others go on", async () => {
  const price = { model: "tiny", input: 1_000_000_000n, output: 1_000_000_000n, cachedInput: null, cacheWrite: null };
  const setUp = async ({ world, admin }: Furnished) => {
    for (const [name, nanoPerDay] of [
      ["capped", 1n],
      ["whole", null],
    ] as const) {
      const one = {
        name,
        provider: "openai-compatible",
        baseUrl: stub.url,
        prices: [price],
        callsPerDay: null,
        nanoPerDay,
      };
      await judges.save(world, admin, saveConnection.parse(one));
    }
  };
  const found = await allowedAfter({ rows: BROKEN_CONNECTIONS.slice(0, -1), source: JUDGED, tool: "capped", setUp });
  expect(found).toEqual(NOTHING_WRONG);
  for (const row of BROKEN_CONNECTIONS) {
    const made = await furnished(JUDGED);
    await setUp(made);
    await made.breakIt(row);
    expect((await made.ask("pre_tool_use", made.concerned.key, "capped")).every(isHeld), row.fault).toBe(true);
    expect((await made.ask("pre_tool_use", made.concerned.key, "whole")).some(isHeld), row.fault).toBe(false);
  }
});

it("an exception lifts nothing, and the others go on", async () => {
  const wrong: string[] = [];
  for (const row of BROKEN_EXCEPTIONS) {
    const made = await furnished(ASKS);
    const exceptFor = async ({ key, agentId }: { readonly key: string; readonly agentId: string }) => {
      await made.ask("pre_tool_use", key);
      const { open } = await approvals.list(server.database, made.person);
      const requestId = open.find((one) => one.agentId === agentId && one.input.includes("cmd"))?.id ?? "";
      const asked = makeException.parse({ requestId, scope: "agent", hours: 1, reason: "daily work" });
      return (await exceptions.make(made.world, { ...made.person, id: randomUUID() }, asked)).id;
    };
    const id = await exceptFor(made.concerned);
    await exceptFor(made.other);
    const plain = async (key: string) => isHeld((await made.ask("pre_tool_use", key))[0] ?? { status: 0, text: "" });
    if (await plain(made.concerned.key)) wrong.push(`${row.fault}: held before`);
    await made.breakIt({ ...row, sql: `${row.sql} AND id = '${id}'` });
    if (!(await plain(made.concerned.key))) wrong.push(`${row.fault}: passed`);
    if (await plain(made.other.key)) wrong.push(`${row.fault}: blocks another exception`);
    wrong.push(...(await made.deadPages()).map((page) => `${row.fault}: ${page}`));
    if ((await made.findings()).length === 0) wrong.push(`${row.fault}: unsaid`);
  }
  expect(wrong).toEqual([]);
});
