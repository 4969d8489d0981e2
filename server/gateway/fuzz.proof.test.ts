/**
 * Every procedure and every route is asked with inputs that fit its shape and hold what is hard to read, and with what does not
 * fit at all. No answer is a fault of ours, the process lives, and a gate of another workspace answers as ever.
 *
 * `npm test` asks a few times, from one seed. The long run asks often, from another seed each time, and prints the longest turns
 * of the server's event loop with what was asked; QUARTERDECK_FUZZ_SEED repeats one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import fc from "fast-check";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { heavyRequests } from "../../e2e/fixtures/heavy-requests.ts";
import { hostileInput, type KnownValues } from "../../e2e/fixtures/hostile-input.ts";
import {
  accountRequests,
  agentRequests,
  envelopeRequests,
  plainRequests,
} from "../../e2e/fixtures/hostile-requests.ts";
import { longRun, repetitions } from "../../e2e/fixtures/long-run.ts";
import {
  type Cost,
  type HostileAnswer,
  type HostileRequest,
  measuredClient,
} from "../../e2e/fixtures/measured-client.ts";
import { hook } from "../../e2e/fixtures/victim.ts";
import type { AgentRoute } from "../access/agent-api-types.ts";
import { appRouter } from "../composition/router.ts";
import { ACCOUNT_ROUTES } from "../people/accounts/http.ts";
import { openSecrets } from "../platform/secrets.ts";
import { PLAIN_ROUTES } from "./plain-routes.ts";
import { agentRoutes } from "./routes.ts";

const SEED = Number(process.env.QUARTERDECK_FUZZ_SEED ?? (longRun ? Date.now() % 2 ** 31 : 1));
const PER_PROCEDURE = repetitions(1, 20);
const PER_ROUTE = repetitions(4, 80);
/** Requests between two looks at the gate. */
const BATCH = 50;

interface Procedure {
  readonly path: string;
  readonly type: "query" | "mutation" | "subscription";
  readonly schema: z.ZodType | undefined;
}
const procedures: readonly Procedure[] = Object.entries(appRouter._def.procedures).map(([path, one]) => {
  const { inputs, type } = (one as unknown as { _def: { inputs: z.ZodType[]; type: Procedure["type"] } })._def; // tRPC keeps them there at run time
  return { path, type, schema: inputs[0] };
});

let db: TestDatabase;
let server: Awaited<ReturnType<typeof measuredClient>>;
let owner: Browser;
let gateAnswer = "";
const failures: string[] = [];
let asked = 0;

beforeAll(async () => {
  db = await testDatabase();
  server = await measuredClient(db.url);
  owner = await signedIn(server.url, db.database, server.workspaceId, "owner");
  gateAnswer = await askGate();
});
afterAll(async () => {
  if (longRun) show();
  await server?.stop();
  await db?.drop();
});

const GATED = { session_id: "s", tool_name: "shell", tool_use_id: "1", tool_input: { cmd: "rm -rf /" } };
async function askGate(): Promise<string> {
  const response = await hook(server.url, server.gateKey, GATED);
  return `${response.status} ${await response.text()}`;
}

/** Sends one after the other; remembers what no input may bring about. */
async function send(requests: Iterable<HostileRequest>): Promise<void> {
  for (const request of requests) {
    const before = server.costs.length;
    const answer = await server.ask(request).catch((error: unknown) => ({ status: 0, text: `no answer: ${error}` }));
    const fault = faultOf(answer);
    if (fault) failures.push(`${request.target}: ${fault} to ${server.costs[before]?.input ?? request.path}`);
    asked += 1;
    if (asked % BATCH === 0) await look();
    if (answer.status === 401 && request.headers.cookie !== undefined)
      owner = await signedIn(server.url, db.database, server.workspaceId, "owner");
  }
  await look();
}

async function look(): Promise<void> {
  // Whichever of the last it was that ended the process.
  expect(server.isAlive ? [] : server.costs.slice(-5)).toEqual([]);
  const answer = await askGate();
  if (answer !== gateAnswer) failures.push(`the gate after ${asked} requests: ${answer}`);
}

function faultOf({ status, text }: HostileAnswer): string | null {
  const isFault = status === 0 || status >= 500 || text.includes("INTERNAL_SERVER_ERROR");
  return isFault ? `${status} ${text.slice(0, 300)}` : null;
}

type Caller = "script" | "person" | "agent" | "stranger";
let address = 0;
function headersOf(caller: Caller): Record<string, string> {
  const json = { "content-type": "application/json" };
  if (caller === "script") return { ...json, authorization: `Bearer ${server.adminToken}` };
  if (caller === "agent") return { ...json, authorization: `Bearer ${server.key}` };
  if (caller === "person") return { ...json, ...owner.header() };
  // Each from an address of its own: who fails too often would be turned away before anything is read.
  address += 1;
  return { ...json, origin: server.url, "x-forwarded-for": `198.51.${(address >> 8) % 256}.${address % 256}` };
}

function callerOf(path: string, index: number): Caller {
  if (path.startsWith("agent.")) return "agent";
  return (
    (["script", "person", "person", "stranger"] as const)[path.startsWith("access.") ? index % 4 : index % 2] ??
    "script"
  );
}

/** Longer addresses are refused before anybody reads them. */
const ADDRESS_CHARACTERS_MAX = 14_000;

function bodyOf(input: unknown): string {
  try {
    return JSON.stringify(superjson.serialize(input));
  } catch {
    // It will not say names such as `constructor`; whoever means harm will.
    return JSON.stringify({ json: input }, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  }
}

function procedureRequest({ path, type }: Procedure, input: unknown, index: number): HostileRequest | null {
  const body = bodyOf(input);
  const headers = headersOf(callerOf(path, index));
  const base = { target: path, path: `/api/trpc/${path}` };
  if (type === "mutation") return { ...base, method: "POST", headers, body };
  const { "content-type": _none, ...plain } = headers;
  const address = `${base.path}?input=${encodeURIComponent(body)}`;
  if (address.length > ADDRESS_CHARACTERS_MAX) return null;
  const accept = type === "subscription" ? { accept: "text/event-stream" } : {};
  return { ...base, path: address, method: "GET", headers: { ...plain, ...accept } };
}

/** One of everything that procedures name by an id. What is gone after a batch is made anew with the next one. */
async function known(): Promise<KnownValues> {
  const api = await signedIn(server.url, db.database, server.workspaceId, "owner");
  const id = async (path: string, input: object, field: string): Promise<string> => {
    const { value } = await api.mutate(path, input);
    return typeof value === "object" && value !== null ? String(Reflect.get(value, field) ?? "") : "";
  };
  const name = `fuzzed ${asked}`;
  const source =
    "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks: [{type: builtin, command: safer_shell}]\n";
  const policyId = await id("policies.create", { name, source }, "policyId");
  await api.mutate("policies.publish", { policyId, source, note: "", baseRevision: 0, draftVersion: 1 });
  const agentId = await id("agents.create", { name }, "agentId");
  const groupId = await id("agents.createGroup", { name }, "groupId");
  const promptId = await id("prompts.create", { name: `fuzzed-${asked}` }, "promptId");
  const serviceId = await id("serviceAccounts.create", { name, role: "viewer" }, "serviceId");
  const one = { name, event: "stop", lane: "default", input: "{}", expect: { verdict: "none" } };
  const caseId = await id("playground.saveCase", { policyId, ...one }, "caseId");
  const connection = { name, provider: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", credential: "none" };
  const limits = { callsPerDay: null, nanoPerDay: null, prices: [] };
  const connectionId = await id("judges.save", { ...connection, ...limits }, "id");
  const viewer = await signedIn(server.url, db.database, server.workspaceId, "viewer");
  const me = (await viewer.query("access.me")).value;
  const personId = typeof me === "object" && me !== null ? String(Reflect.get(me, "id")) : "";
  const call = { session_id: name, agent_name: "a", usage: { input_tokens: 1, output_tokens: 1 }, cost: 0.01 };
  const fired = await hook(server.url, server.key, { ...call, model: "none/none" }, "after_llm_call");
  const dispatchId = fired.headers.get("quarterdeck-dispatch-id") ?? "";
  const ids = [policyId, agentId, groupId, promptId, serviceId, caseId, connectionId, personId, dispatchId];
  return {
    ...{ id: ids, policyId: [policyId], policyIds: [policyId], agentId: [agentId], agentIds: [agentId] },
    ...{ groupId: [groupId], groupIds: [groupId], promptId: [promptId], serviceId: [serviceId], personId: [personId] },
    ...{ caseId: [caseId], caseIds: [caseId], connectionId: [connectionId], dispatchId: [dispatchId] },
    ...{ targetId: [agentId, groupId], sessionId: [name], root: [name], tool: ["shell"], agent: ["a", name] },
    ...{ name: [name, `new ${asked} ${address}`], number: [1], revision: [1], baseRevision: [0, 1], draftVersion: [1] },
    ...{ version: [0, 1], baseVersion: [0, 1], month: ["2026-05"], email: [`person${asked}@example.org`] },
  };
}

function drawn<T>(arbitrary: fc.Arbitrary<T>, name: string, numRuns: number): T[] {
  // A seed of its own for each, so that a new procedure leaves the others' inputs as they are.
  const own = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, SEED);
  return fc.sample(arbitrary, { seed: own, numRuns });
}

describe("inputs that nobody would send", () => {
  it(`are answered by every procedure without a fault (seed ${SEED})`, async () => {
    for (let at = 0; at < procedures.length; at += BATCH) {
      const values = await known();
      for (const one of procedures.slice(at, at + BATCH)) {
        const inputs = drawn(hostileInput(one.schema, values), one.path, PER_PROCEDURE);
        await send(inputs.flatMap((input, index) => procedureRequest(one, input, index) ?? []));
      }
    }
    expect(failures.splice(0)).toEqual([]);
  }, 3_600_000);

  it(`are answered by every route without a fault (seed ${SEED})`, async () => {
    const values = await known();
    const agent = headersOf("agent");
    for (const route of await routes()) {
      const name = `${route.method} ${route.path}`;
      await send(drawn(agentRequests(route, agent, values), name, PER_ROUTE));
    }
    for (const path of Object.keys(PLAIN_ROUTES))
      await send(drawn(plainRequests(path, headersOf("script")), path, PER_ROUTE / 4));
    for (const [path, { method, isSignedIn }] of Object.entries(ACCOUNT_ROUTES))
      for (const one of drawn(accountRequests(path, method, {}), path, PER_ROUTE / 4))
        await send([{ ...one, headers: headersOf(isSignedIn ? "person" : "stranger") }]);
    for (const [path, method] of [
      ["access.signIn", "POST"],
      ["people.list", "GET"],
    ] as const)
      for (const one of drawn(envelopeRequests(path, method, {}), path, PER_ROUTE * 4))
        await send([{ ...one, headers: headersOf(method === "POST" ? "stranger" : "person") }]);
    expect(failures.splice(0)).toEqual([]);
  }, 3_600_000);

  it("are answered when they are as large as is accepted", async () => {
    const requests = heavyRequests(repetitions(128, 4_000) * 1_024);
    for (const { caller, type, ...request } of requests) {
      const headers = { ...headersOf(caller), ...(type && { "content-type": type }) };
      await send([{ ...request, headers }]);
      expect([request.target, server.costs.at(-1)?.status]).toEqual([request.target, 200]);
    }
    expect(failures.splice(0)).toEqual([]);
  }, 3_600_000);
});

/** The routes as they are described; what they serve is in the other process. */
async function routes(): Promise<readonly AgentRoute[]> {
  const folder = await mkdtemp("/tmp/quarterdeck-fuzz-");
  const secrets = await openSecrets(folder, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  await rm(folder, { recursive: true });
  const bus = { subscribe: () => () => undefined };
  return agentRoutes({ secrets, bus, db: {} } as unknown as Parameters<typeof agentRoutes>[0]); // nothing of it is asked anything
}

function show(): void {
  const byTarget = new Map<string, Cost>();
  for (const cost of server.costs)
    if (cost.turnMs > (byTarget.get(cost.target)?.turnMs ?? 0)) byTarget.set(cost.target, cost);
  const slowest = [...byTarget.values()].sort((a, b) => b.turnMs - a.turnMs).slice(0, 25);
  const statuses = new Map<number, number>();
  for (const { status } of server.costs) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const lines = [
    `seed ${SEED}: ${procedures.length} procedures, ${server.costs.length} requests`,
    [...statuses].map(([status, all]) => `${status}: ${all}`).join(", "),
    ...slowest.map(({ turnMs, target, status, input }) => `${turnMs.toFixed(0)} ms  ${target} (${status})  ${input}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
