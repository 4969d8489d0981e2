/** A tool call counts once in figures, whatever gates it passed and whichever client asked, with the part that rules had in it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as agents from "../agents/index.ts";
import * as projections from "../projections/index.ts";

const says = (decision: string) =>
  `'echo "{\\"hook_specific_output\\":{\\"permission_decision\\":\\"${decision}\\",\\"permission_decision_reason\\":\\"so\\"}}"'`;
const POLICY = `profile: "2026-08"
hooks:
  tool_guard:
    - matcher: guarded
      hooks: [{ type: command, command: "echo guarded >&2; exit 2" }]
  pre_tool_use:
    - matcher: early_deny
      preempt_yolo: true
      hooks: [{ type: command, command: "echo early >&2; exit 2" }]
    - matcher: early_allow
      preempt_yolo: true
      hooks: [{ type: command, command: ${says("allow")} }]
    - matcher: early_silent
      preempt_yolo: true
      hooks: [{ type: command, command: "true" }]
    - matcher: early_ask
      preempt_yolo: true
      hooks: [{ type: command, command: ${says("ask")} }]
    - matcher: early_person
      preempt_yolo: true
      hooks: [{ type: builtin, command: ask_a_person }]
    - matcher: late_ask
      hooks: [{ type: command, command: ${says("ask")} }]
    - matcher: late_person
      hooks: [{ type: builtin, command: ask_a_person }]
    - matcher: late_deny
      hooks: [{ type: command, command: "echo late >&2; exit 2" }]
    - matcher: late_allow
      hooks: [{ type: command, command: ${says("allow")} }]
    - matcher: late_silent
      hooks: [{ type: command, command: "true" }]
`;

/** One call each: decided by a rule, sent to a person, checked without a verdict, and one that no rule is for. */
const TOOLS = {
  decided: ["guarded", "early_deny", "early_allow", "late_deny", "late_allow"],
  asked: ["early_ask", "early_person", "late_ask", "late_person"],
  silent: ["early_silent", "late_silent"],
  free: ["free"],
} as const;
const ALL = [...TOOLS.decided, ...TOOLS.asked, ...TOOLS.silent, ...TOOLS.free];

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

interface Answer {
  readonly decision?: string;
  readonly hook_specific_output?: { readonly permission_decision?: string };
}
type Post = (path: string, body: object) => Promise<Answer>;

async function newAgent(): Promise<{ readonly agentId: string; readonly post: Post }> {
  const { database, running, admin } = gateway;
  const { agentId, key } = await agents.create(database, running.app.bus, admin, { name: randomUUID() });
  const post: Post = async (path, body) => {
    const response = await fetch(`${gateway.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return response.json();
  };
  return { agentId, post };
}

const inputOf = (tool: string, event = "pre_tool_use") => ({
  ...{
    session_id: "s",
    hook_event_name: event,
    tool_use_id: randomUUID(),
    tool_name: tool,
    tool_input: { n: 1 },
    cwd: "/",
  },
});

const keyOf = async (agentId: string) =>
  (await agents.createKey(gateway.database, gateway.running.app.bus, gateway.admin, { agentId })).key;

async function countsOf(agentId: string) {
  await gateway.projected();
  const { rows } = await db.owner.query(
    `SELECT sum(gates)::int AS calls, sum(gates - gates_without_opinion)::int AS decided, sum(gates_denied)::int AS denied,
       sum(gates_asked)::int AS asked, sum(gates_without_rule)::int AS without_rule
     FROM rollup_hour WHERE agent_id = $1`,
    [agentId],
  );
  return rows[0];
}

/** Each client's way to ask about one call. */
const WAYS: readonly (readonly [string, number, number, (post: Post, tool: string) => Promise<unknown>])[] = [
  ["plain HTTP", 9, 4, (post, tool) => post("/hooks/pre_tool_use", inputOf(tool))],
  ["Claude Code", 9, 4, (post, tool) => post("/hooks/claude-code/PreToolUse", inputOf(tool, "PreToolUse"))],
  ["Codex", 9, 4, (post, tool) => post("/hooks/codex/PreToolUse", inputOf(tool, "PreToolUse"))],
  [
    "docker-agent, which asks each gate and where an early allowance decides nothing",
    7,
    3,
    async (post, tool) => {
      const input = inputOf(tool);
      for (const gate of ["tool_guard", "pre_tool_use?lane=preempt_yolo", "pre_tool_use?lane=default"]) {
        const event = gate.split("?")[0] ?? "";
        const { decision, hook_specific_output: said } = await post(`/hooks/${gate}`, {
          ...input,
          hook_event_name: event,
        });
        if (decision === "block" || said?.permission_decision === "deny") return;
      }
      const final = { approval_decision: "allow", approval_source: "pre_tool_use_hook_allow" };
      await post("/hooks/on_tool_approval_decision", { ...inputOf(tool, "on_tool_approval_decision"), ...final });
    },
  ],
];

it.each(WAYS)("a call over %s counts once, under one outcome", async (_name, decided, asked, ask) => {
  const { agentId, post } = await newAgent();
  for (const tool of ALL) await ask(post, tool);
  expect(await countsOf(agentId)).toEqual({ calls: ALL.length, decided, denied: 3, asked, without_rule: 1 });
});

it("a call that docker-agent's own auto-approve mode decides counts by its report", async () => {
  const { agentId, post } = await newAgent();
  for (const tool of ["early_silent", "late_silent", "free"]) {
    await post("/hooks/pre_tool_use?lane=preempt_yolo", inputOf(tool));
    const final = { approval_decision: "allow", approval_source: "yolo" };
    await post("/hooks/on_tool_approval_decision", { ...inputOf(tool, "on_tool_approval_decision"), ...final });
  }
  // Nobody asked the rule of the default lane.
  expect(await countsOf(agentId)).toEqual({ calls: 3, decided: 0, denied: 0, asked: 0, without_rule: 2 });
});

it("a call whose last gate was asked counts once, though docker-agent reports that it approved the call by itself", async () => {
  const { agentId, post } = await newAgent();
  for (const tool of ["early_silent", "early_allow", "free"]) {
    const input = inputOf(tool);
    await post("/hooks/pre_tool_use?lane=preempt_yolo", input);
    await post("/hooks/pre_tool_use", input);
    const final = { approval_decision: "allow", approval_source: "yolo", hook_event_name: "on_tool_approval_decision" };
    await post("/hooks/on_tool_approval_decision", { ...input, ...final });
  }
  expect(await countsOf(agentId)).toMatchObject({ calls: 3, without_rule: 1 });
  // After a restart the record knows the gate.
  const again = inputOf("free");
  await post("/hooks/pre_tool_use", again);
  const second = await testGateway(db.url);
  try {
    const body = {
      ...again,
      approval_decision: "allow",
      approval_source: "yolo",
      hook_event_name: "on_tool_approval_decision",
    };
    const response = await fetch(`${second.url}/api/v1/hooks/on_tool_approval_decision`, {
      method: "POST",
      headers: { authorization: `Bearer ${await keyOf(agentId)}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  } finally {
    await second.stop();
  }
  expect(await countsOf(agentId)).toMatchObject({ calls: 4, without_rule: 2 });
});

it("the figures agree with the record", async () => {
  const day = new Date().toISOString().slice(0, 10);
  const checked = await projections.check(gateway.database.pool, gateway.admin.workspaceId, day);
  expect(checked.differences).toEqual([]);
});
