/**
 * Every way a gate can fail, made to happen to a running server: real HTTP, a real database, real processes and a judge on
 * loopback. All are denied, and what the agent is told becomes docs/faults.md.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  BREAKER_LIMITS,
  contractOf,
  type EventName,
  eventNames,
  type HookDefinition,
  type Lane,
  type Profile,
} from "@quarterdeck/hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { hangCommits } from "../../../e2e/fixtures/hung-commits.ts";
import { type ModelStub, modelStub } from "../../../e2e/fixtures/model-stub.ts";
import * as judges from "../../judges/index.ts";
import { saveConnection } from "../../judges/schema.ts";
import { type FaultRow, faultsDocument } from "./document.ts";
import { type HookFault, JUDGE_FAULTS, OUTPUT_FAULTS, RUN_FAULTS } from "./hook-faults.ts";

const FILE = fileURLToPath(new URL("../../../docs/faults.md", import.meta.url));
const rows: FaultRow[] = [];

interface Place {
  readonly profile: Profile;
  readonly event: EventName;
  readonly lane: Lane;
}

let db: TestDatabase;
let stub: ModelStub;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url, { roomLimits: { hooksMax: 1, perTenantMax: 1 } });
  key = await server.agent("agent");
  const common = { callsPerDay: null, nanoPerDay: null, prices: [] };
  const local = { ...common, name: "local", provider: "openai-compatible", baseUrl: stub.url };
  const keyless = { ...common, name: "anthropic", provider: "anthropic", baseUrl: "" };
  for (const one of [local, keyless])
    await judges.save({ ...server.running.app, db: server.database }, server.admin, saveConnection.parse(one));
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

const TOOL = "shell";

/** One policy with this hook alone, in force. */
async function govern({ profile, event, lane }: Place, hook: HookDefinition): Promise<void> {
  const entry = { ...(lane === "preempt_yolo" && { preempt_yolo: true }), hooks: [hook] };
  const hooks = { [event]: contractOf(event, profile).matchesTools ? [entry] : [hook] };
  await server.publish(JSON.stringify({ profile, hooks }), "gate");
}

async function ask({ event, lane }: Pick<Place, "event" | "lane">, more: RequestInit = {}, { url } = server) {
  const response = await fetch(`${url}/api/v1/hooks/${event}?lane=${lane}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: TOOL, tool_input: { cmd: "rm -rf /" } }),
    ...more,
  });
  const answer = (await response.json()) as Answer; // the API's own shape
  return { status: response.status, id: response.headers.get("quarterdeck-dispatch-id") ?? "", answer };
}

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The agent is refused with a reason, and the refusal is on record with the hook that failed. */
async function isDenied(place: Place, fault: string, says: HookFault["says"]): Promise<void> {
  const { status, id, answer } = await ask(place);
  expect({ status, decision: answer.decision }).toEqual({ status: 200, decision: "block" });
  const reason = answer.reason ?? "";
  expect(reason).toMatch(typeof says === "string" ? new RegExp(says.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")) : says);
  const stored = await db.database.pool.query<{ verdict: string; hooks: string }>(
    "SELECT verdict, hooks FROM dispatch WHERE id = $1",
    [id],
  );
  expect(stored.rows[0]?.verdict).toBe("deny");
  expect(JSON.parse(stored.rows[0]?.hooks ?? "[]")).toMatchObject([
    { outcome: expect.stringMatching(/^(?:failed|skipped)$/), failure: expect.any(String) },
  ]);
  note(place, fault, "denied", reason);
}

function note(
  place: Place,
  fault: string,
  verdict: FaultRow["verdict"],
  reason: string,
  because?: FaultRow["because"],
): void {
  const { profile, event, lane } = place;
  rows.push({
    fault,
    event: lane === "default" ? event : `${event}, preempt lane`,
    profile,
    because: because ?? (contractOf(event, profile, lane).failsClosed ? "fails closed" : "on_error: block"),
    verdict,
    reason: settled(reason),
  });
}

/** A reason without what differs from machine to machine and from run to run. */
function settled(reason: string): string {
  return (
    reason
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
      // The words of JSON.parse are the JavaScript engine's.
      .replaceAll(/(invalid hook output|parse decision json): (?!unknown field|[a-z_.]+: Invalid input).*/gs, "$1: …")
      .replaceAll(/it came to a limit: .*/gs, "it came to a limit: …")
      .replaceAll(/tried again in \d+s/g, "tried again in 30s")
      .replaceAll(/exited with status (?:-1|1\d\d)\b/g, (status) =>
        /12[67]/.test(status) ? status : "exited with status of a signal",
      )
  );
}

const gate = (profile: Profile): Place => ({ profile, event: "pre_tool_use", lane: "default" });

for (const profile of ["2026-07", "2026-08"] as const) {
  describe(`pre_tool_use, profile ${profile}: a gate denies when its hook`, () => {
    const faults = profile === "2026-08" ? [...RUN_FAULTS, ...OUTPUT_FAULTS] : RUN_FAULTS;
    it.each(faults.map((fault) => [fault.title, fault] as const))("%s", async (title, { hook, says }) => {
      await govern(gate(profile), hook);
      await isDenied(gate(profile), title, says);
    });
  });
}

describe("pre_tool_use, profile 2026-07: the call runs when the gate's hook", () => {
  // strict_output exists in the newer profile alone.
  const faults = OUTPUT_FAULTS.filter(({ hook }) => hook.strict_output === undefined);
  it.each(faults.map((fault) => [fault.title, fault] as const))("%s", async (title, { hook }) => {
    const place = gate("2026-07");
    await govern(place, { ...hook, on_error: "block" });
    const { status, answer } = await ask(place);
    expect({ status, answer }).toEqual({ status: 200, answer: {} });
    note(place, title, "the call runs", "", "not a failure there");
  });
});

describe("a gate denies when", () => {
  it.each(JUDGE_FAULTS.map((fault) => [fault.title, fault] as const))("%s", async (title, { hook, says }) => {
    await govern(gate("2026-07"), hook);
    await isDenied(gate("2026-07"), title, says);
  });
});

describe("a hook that fails with on_error: block stops", () => {
  const blocking = eventNames("2026-08").filter((event) => contractOf(event, "2026-08").canBlock);
  it.each(blocking)("%s", async (event) => {
    const place: Place = { profile: "2026-08", event, lane: "default" };
    await govern(place, { name: "guard", type: "command", command: "exit 1", on_error: "block" });
    await isDenied(place, "exits with 1", "exited with status 1");
  });

  it("pre_tool_use on the preempt lane, whatever on_error says", async () => {
    const place: Place = { profile: "2026-08", event: "pre_tool_use", lane: "preempt_yolo" };
    await govern(place, { name: "guard", type: "command", command: "exit 1", on_error: "ignore" });
    await isDenied(place, "exits with 1, on_error: ignore", "exited with status 1");
  });
});

describe("what runs hooks", () => {
  const spawnerPid = () => {
    const { pid } = server.running.spawner;
    // 0 would mean the very group of this test.
    if (pid === undefined || pid <= 1) throw new Error("the spawner is not there");
    return pid;
  };
  it("dies while a hook runs: the hook has failed", async () => {
    await govern(gate("2026-07"), { name: "long", type: "command", command: "sleep 30" });
    const asked = isDenied(gate("2026-07"), "the process that starts hooks dies meanwhile", "the hook was lost");
    await expect.poll(() => server.running.spawner.load.running, { timeout: 10_000 }).toBe(1);
    process.kill(spawnerPid(), "SIGKILL");
    await asked;
    await expect.poll(() => server.running.spawner.pid, { timeout: 20_000 }).toBeDefined();
  });

  it("hangs: it is replaced, and the hook has failed", async () => {
    await govern(gate("2026-07"), { name: "quick", type: "command", command: "true" });
    process.kill(spawnerPid(), "SIGSTOP");
    await isDenied(gate("2026-07"), "the process that starts hooks hangs", "did not answer any more");
    await expect.poll(() => server.running.spawner.pid, { timeout: 20_000 }).toBeDefined();
  });

  it("has too much to do: nothing is started", async () => {
    await govern(gate("2026-07"), { name: "long", type: "command", command: "sleep 30", timeout: 3 });
    const first = ask(gate("2026-07"));
    await expect.poll(() => server.running.spawner.load.running, { timeout: 10_000 }).toBe(1);
    await isDenied(gate("2026-07"), "too many hooks are under way", "overloaded");
    expect((await first).answer.decision).toBe("block");
  });

  it("was in vain too often: the hook is not started", async () => {
    await govern(gate("2026-07"), { name: "away", type: "command", command: "true", working_dir: "/nowhere" });
    for (let at = 0; at < BREAKER_LIMITS.failuresMax; at += 1) await ask(gate("2026-07"));
    await isDenied(gate("2026-07"), "failed five times in a row", "circuit open");
  });
});

describe("a stored policy that cannot be read denies, for", () => {
  it.each([
    ["the stored policy is damaged", "[5]"],
    ["the stored policy has a matcher that is no pattern", '{"pre_tool_use":[{"matcher":"["}]}'],
    ["the stored policy has an event of another name", '{"pre_tool_uses":[]}'],
  ])("%s", async (fault, hooks) => {
    await govern(gate("2026-07"), { name: "fine", type: "command", command: "true" });
    await db.owner.query("UPDATE policy_revision SET hooks = $1::jsonb", [hooks]);
    await isDenied(gate("2026-07"), fault, "cannot be read at");
  });
});

describe("no verdict leaves a server that", () => {
  const refused = async (fault: string, status: number, more?: RequestInit, of = server) => {
    const { status: answered, answer } = await ask(gate("2026-07"), more, of);
    expect(answered).toBe(status);
    expect(Object.keys(answer)).toEqual(["error"]);
    note(gate("2026-07"), fault, "no answer", `HTTP ${status}: ${answer.error?.message}`, "any event");
  };
  const run = (sql: string) => db.owner.query(sql);
  const headers = (more: object) => ({ authorization: `Bearer ${key}`, "content-type": "application/json", ...more });

  it("cannot store it", async () => {
    await govern(gate("2026-07"), { name: "fine", type: "command", command: "true" });
    await run("ALTER TABLE dispatch RENAME TO dispatch_gone");
    try {
      await refused("the record cannot be stored", 503);
    } finally {
      await run("ALTER TABLE dispatch_gone RENAME TO dispatch");
    }
    expect((await ask(gate("2026-07"))).answer).toEqual({});
  });

  it("cannot read the policy", async () => {
    await govern(gate("2026-07"), { name: "fine", type: "command", command: "true" });
    await run("ALTER TABLE policy_revision RENAME TO policy_revision_gone");
    try {
      await refused("the policies cannot be read", 500);
    } finally {
      await run("ALTER TABLE policy_revision_gone RENAME TO policy_revision");
    }
  });

  it("would store it too late, because the database is slow", async () => {
    await govern(gate("2026-07"), { name: "fine", type: "command", command: "true" });
    const slow = await testGateway(db.url, { watchesDelays: true });
    const more = { headers: headers({ authorization: `Bearer ${await slow.agent("agent of slow commits")}` }) };
    const hung = await hangCommits(db, slow, () => ask(gate("2026-07"), more, slow));
    try {
      await refused("the database is slow", 503, more, slow);
    } finally {
      await hung.end();
      await Promise.all(hung.admitted);
      await slow.stop();
    }
  });

  it.each([
    ["the input is no JSON", 400, { body: "{" }],
    ["the input has another shape", 400, { body: '{"tool_name": 5}' }],
    ["the input is nested too deep", 400, { body: `{"a":${"[".repeat(200)}${"]".repeat(200)}}` }],
    ["the input is too large", 413, { body: JSON.stringify({ a: "x".repeat(5 * 1024 * 1024) }) }],
    ["the input says it is something else", 415, { headers: () => headers({ "content-type": "text/plain" }) }],
    ["the key is unknown", 401, { headers: () => headers({ authorization: "Bearer qd_unknown" }) }],
  ] as const)("is told: %s", async (fault, status, more) => {
    const given = "headers" in more ? { headers: more.headers() } : more;
    await refused(fault, status, given);
  });
});

// docs/faults.md says what happened, in whatever order it did.
afterAll(async () => {
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(new Set(rows.map((row) => row.fault)).size).toBeGreaterThanOrEqual(40);
  const document = faultsDocument(rows);
  if (process.env.UPDATE_DOCS) await writeFile(FILE, document);
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/dispatches/faults").toBe(document);
});
