/**
 * Every pair of what can decide one call, with who had the last word and what was recorded: the order of the steps on a call's way.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import { LOCAL_DISPATCH_TYPE } from "../access/local-executor-schema.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import { answerRequest } from "../approvals/schema.ts";
import { drillSessionId, startedDrill } from "../drills/schema.ts";
import * as exceptions from "../exceptions/index.ts";
import { makeException } from "../exceptions/schema.ts";
import * as halts from "../halts/index.ts";
import * as policies from "../policies/index.ts";

const FACTORS = [
  ...["halted", "drilled", "denied by a rule", "denied beside the agent", "asked about"],
  ...["allowed by a person", "excepted", "repeated too often", "observed"],
] as const;
type Factor = (typeof FACTORS)[number];

/** A drill's session is new, so nobody was asked about its calls; what a person allowed or an exception lifts was asked about. */
const NEVER_MEET = new Set([
  "drilled + allowed by a person",
  "asked about + allowed by a person",
  "asked about + excepted",
]);

const ruleOf = (matcher: string, hook: string) => `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: ".*${matcher}.*"
      hooks: [${hook}]
`;
const POLICIES = {
  asks: ruleOf("asked", '{ type: builtin, command: ask_a_person, args: ["Is this meant?"] }'),
  repeats: ruleOf("repeated", '{ type: builtin, command: repeat_guard, args: ["same call 2 in 10m: deny"] }'),
  observed: ruleOf("observed", "{ type: command, command: exit 2 }"),
};
/** Published once people were asked, so that what they allowed can meet it. */
const DENIES = ruleOf("denied", '{ type: command, command: "echo by the rule >&2; exit 2" }');

/** `verdict by whom`, and what else is on record. */
const EXPECTED: Readonly<Record<string, string>> = {
  halted: "deny by the halt, hooks 0",
  "halted + drilled": "deny by the halt, hooks 0, drill",
  "halted + denied by a rule": "deny by the halt, hooks 0",
  "halted + denied beside the agent": "deny by the halt, hooks 0",
  "halted + asked about": "deny by the halt, hooks 0",
  "halted + allowed by a person": "deny by the halt, hooks 0",
  "halted + excepted": "deny by the halt, hooks 0",
  "halted + repeated too often": "deny by the halt, hooks 0",
  "halted + observed": "deny by the halt, hooks 0",
  drilled: "deny by the drill, hooks 0, drill",
  "drilled + denied by a rule": "deny by the rule, hooks 1, drill",
  "drilled + denied beside the agent": "deny by the agent's own hooks, hooks 0, drill",
  "drilled + asked about": "deny by the drill, hooks 1, drill",
  "drilled + excepted": "deny by the drill, hooks 1, drill",
  "drilled + repeated too often": "deny by the drill, hooks 1, drill",
  "drilled + observed": "deny by the drill, hooks 0, drill",
  "denied by a rule": "deny by the rule, hooks 1",
  "denied by a rule + denied beside the agent": "deny by the rule, hooks 1",
  "denied by a rule + asked about": "deny by the rule, hooks 2",
  "denied by a rule + allowed by a person": "deny by the rule, hooks 2",
  "denied by a rule + excepted": "deny by the rule, hooks 2",
  "denied by a rule + repeated too often": "deny by the rule, hooks 2",
  "denied by a rule + observed": "deny by the rule, hooks 1, observed",
  "denied beside the agent": "deny by the agent's own hooks, hooks 0",
  "denied beside the agent + asked about": "deny by the agent's own hooks, hooks 1",
  "denied beside the agent + allowed by a person": "deny by the agent's own hooks, hooks 1",
  "denied beside the agent + excepted": "deny by the agent's own hooks, hooks 1",
  "denied beside the agent + repeated too often": "deny by the runaway rule, hooks 1",
  "denied beside the agent + observed": "deny by the agent's own hooks, hooks 0, observed",
  "asked about": "deny by a ticket, hooks 1, asks",
  "asked about + repeated too often": "deny by the runaway rule, hooks 2",
  "asked about + observed": "deny by a ticket, hooks 1, asks, observed",
  "allowed by a person": "allow by the person, hooks 1, spends the grant",
  "allowed by a person + excepted": "none by nobody, hooks 1",
  "allowed by a person + repeated too often": "deny by the runaway rule, hooks 2",
  "allowed by a person + observed": "allow by the person, hooks 1, spends the grant, observed",
  excepted: "none by nobody, hooks 1",
  "excepted + repeated too often": "deny by the runaway rule, hooks 2",
  "excepted + observed": "none by nobody, hooks 1, observed",
  "repeated too often": "deny by the runaway rule, hooks 1",
  "repeated too often + observed": "deny by the runaway rule, hooks 1, observed",
  observed: "none by nobody, hooks 0, observed",
};

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  for (const [name, text] of Object.entries(POLICIES)) await gateway.publish(text, name);
  const until = new Date(Date.now() + 3_600_000);
  await policies.observe(gateway.database, gateway.running.app.bus, gateway.admin, {
    policyId: await observedId(),
    until,
  });
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

async function observedId(): Promise<string> {
  const all = await policies.list(gateway.database, gateway.admin.workspaceId);
  return all.find(({ name }) => name === "observed")?.id ?? "";
}

const context = () => ({ db: gateway.database, bus: gateway.running.app.bus });
const ada = (): Administrator => ({ ...gateway.admin, id: "Ada", name: "Ada" });

async function post(path: string, key: string, body: object, type = "application/json") {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": type },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return JSON.parse(text);
}

const LOCAL_DENIAL = { revision: "r1", verdict: "deny", reason: "beside the agent", durationMs: 1, hooks: [] };

interface Request {
  readonly id: string;
  readonly state: string;
  readonly isSpent: boolean;
}

const requestsOf = async (agentId: string): Promise<readonly Request[]> =>
  (
    await db.owner.query<Request>(
      `SELECT id, state, spent_by <> '{}' AS "isSpent" FROM approval_request WHERE agent_id = $1`,
      [agentId],
    )
  ).rows;

/** An agent's one call, to which all of `factors` apply. */
async function prepareCall(factors: ReadonlySet<Factor>) {
  const is = (factor: Factor) => factors.has(factor);
  const tool = [
    ...["tool", is("denied by a rule") ? "denied" : "", is("repeated too often") ? "repeated" : ""],
    ...[
      is("asked about") || is("allowed by a person") || is("excepted") ? "asked" : "",
      is("observed") ? "observed" : "",
    ],
  ]
    .filter((word) => word !== "")
    .join("_");
  const made = await agents.create(gateway.database, gateway.running.app.bus, gateway.admin, { name: randomUUID() });
  const { agentId, key } = made;
  const call = (session_id: string) => {
    const input = { session_id, tool_use_id: randomUUID(), tool_name: tool, tool_input: { n: 1 }, cwd: "/" };
    return is("denied beside the agent")
      ? post("/hooks/pre_tool_use", key, { input, local: LOCAL_DENIAL }, LOCAL_DISPATCH_TYPE)
      : post("/hooks/pre_tool_use?lane=default", key, input);
  };
  const earlier = async () => {
    const input = { session_id: "s", tool_use_id: randomUUID(), tool_name: tool, tool_input: { n: 1 }, cwd: "/" };
    await post("/hooks/pre_tool_use?lane=default", key, input);
    return (await requestsOf(agentId))[0]?.id;
  };
  let before: string | undefined;
  if (is("repeated too often") || is("allowed by a person") || is("excepted")) {
    const id = await earlier();
    before = id;
    if (is("allowed by a person"))
      await approvals.answer(context(), ada(), answerRequest.parse({ id, verdict: "allow" }));
    const reach = { requestId: id, scope: "agent", hours: 1, reason: "daily work" };
    if (is("excepted")) await exceptions.make(context(), ada(), makeException.parse(reach));
  }
  const nonce = is("drilled") ? startedDrill.parse(await post("/drills", key, { mode: "liveness" })).nonce : null;
  return async () => {
    if (is("halted"))
      await halts.halt(context(), gateway.admin, { target: { scope: "agent", agentId }, reason: "stop" });
    const answer = await call(nonce === null ? "s" : drillSessionId(nonce, 1));
    return { agentId, before, answer };
  };
}

/** One call that was made, with the request that was there before it. */
type Made = Awaited<ReturnType<Awaited<ReturnType<typeof prepareCall>>>>;

const LAST_WORDS: readonly (readonly [RegExp, string])[] = [
  [/halted since/, "the halt"],
  [/drill of Quarterdeck/, "the drill"],
  [/by the rule/, "the rule"],
  [/beside the agent/, "the agent's own hooks"],
  [/Approval required/, "a ticket"],
  [/Runaway rule/, "the runaway rule"],
  [/allowed by Ada/i, "the person"],
];

interface Recorded {
  readonly verdict: string;
  readonly reason: string;
  readonly facts: string;
  readonly hooks: string;
}

/** `verdict by whom`, and what else is on record. */
async function outcomeOf({ agentId, before, answer }: Made): Promise<string> {
  const text = JSON.stringify(answer);
  const { rows } = await db.owner.query<Recorded>(
    "SELECT verdict, reason, facts, hooks FROM dispatch WHERE agent_id = $1 ORDER BY id DESC LIMIT 1",
    [agentId],
  );
  const [row] = rows;
  if (row === undefined) return "not recorded";
  const word = LAST_WORDS.find(([words]) => words.test(text) || words.test(row.reason))?.[1] ?? "nobody";
  const requests = await requestsOf(agentId);
  const seen = await db.owner.query("SELECT 1 FROM observation WHERE agent_id = $1", [agentId]);
  const hooks = (JSON.parse(row.hooks) as { exception?: string }[]).length;
  return [
    `${row.verdict} by ${word}`,
    `hooks ${hooks}`,
    ...(requests.some(({ id, state }) => state === "pending" && id !== before) ? ["asks"] : []),
    ...(requests.some(({ isSpent }) => isSpent) ? ["spends the grant"] : []),
    ...(JSON.parse(row.facts).drill ? ["drill"] : []),
    ...(seen.rows.length > 0 ? ["observed"] : []),
  ].join(", ");
}

const CASES = FACTORS.flatMap((one, at) => [[one], ...FACTORS.slice(at + 1).map((other) => [one, other])])
  .map((factors) => ({ name: factors.join(" + "), factors: new Set(factors) }))
  .filter(({ name }) => !NEVER_MEET.has(name));

it("has one order, whatever two of its steps meet in a call", async () => {
  const calls: (readonly [string, () => Promise<Made>])[] = [];
  for (const { name, factors } of CASES) calls.push([name, await prepareCall(factors)]);
  await gateway.publish(DENIES, "denies");
  const made: (readonly [string, Made])[] = [];
  for (const [name, call] of calls) made.push([name, await call()]);
  // Policies that are observed are asked after the answer.
  const outcomes = async () =>
    Object.fromEntries(await Promise.all(made.map(async ([name, one]) => [name, await outcomeOf(one)] as const)));
  await expect.poll(outcomes, { timeout: 20_000, interval: 1_000 }).toEqual(EXPECTED);
}, 120_000);
