/** docker-agent's gates: the first one answers for those that it may skip, and no hook runs twice for a call. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { enrolDockerAgent } from "../dialects/docker-agent/enrol.ts";

const said = (specific: object) => `echo '${JSON.stringify({ hook_specific_output: specific })}'`;
const POLICY = JSON.stringify({
  profile: "2026-08",
  hooks: {
    tool_input_transform: [{ matcher: "masked", hooks: [command(said({ updated_input: { cmd: "ls" } }))] }],
    tool_guard: [{ matcher: "guarded", hooks: [command("exit 2")] }],
    pre_tool_use: [
      { matcher: "denied", hooks: [command("echo Never. >&2; exit 2")] },
      { matcher: "asked", hooks: [command(said({ permission_decision: "ask" }))] },
      { matcher: "allowed", hooks: [command(said({ permission_decision: "allow" }))] },
      { matcher: "changed", hooks: [command(said({ updated_input: { cmd: "ls" } }))] },
    ],
  },
});
function command(text: string) {
  return { type: "command", command: text };
}

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const GUARD = "tool_guard?lane=default&gates=rest";
const EARLY = "pre_tool_use?lane=preempt_yolo&gates=all";
const LATE = "pre_tool_use?lane=default&gates=asked";

const callOf = (tool_name: string, more: object = {}) => ({
  ...{ session_id: randomUUID(), tool_use_id: "call_0", tool_name, tool_input: { cmd: "rm -r build" } },
  ...more,
});
const YOLO = { safety_policy: "autonomous" };

interface Answer {
  readonly decision?: string;
  readonly hook_specific_output?: {
    readonly hook_event_name?: string;
    readonly permission_decision?: string;
    readonly permission_decision_reason?: string;
    readonly updated_input?: object;
  };
}

async function ask(gate: string, input: object) {
  const response = await fetch(`${server.url}/api/v1/hooks/${gate}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return { status: response.status, answer: (await response.json()) as Answer };
}

async function verdictOf(gate: string, input: object): Promise<string> {
  const { status, answer } = await ask(gate, input);
  expect(status).toBe(200);
  if (answer.decision === "block") return "deny";
  return answer.hook_specific_output?.permission_decision ?? "none";
}

/** The records of the default lane's gate. */
async function timesJudged(session: string): Promise<number> {
  const { rows } = await server.database.pool.query(
    "SELECT FROM dispatch WHERE session_id = $1 AND event = 'pre_tool_use' AND lane = 'default'",
    [session],
  );
  return rows.length;
}

describe.each([GUARD, EARLY])("the first gate, %s", (first) => {
  it.each([
    ["denied", "deny"],
    ["asked", "ask"],
    ["allowed", "none"],
    ["free", "none"],
  ])("answers for the default lane about the tool %s: %s", async (tool, verdict) => {
    expect(await verdictOf(first, callOf(tool, YOLO))).toBe(verdict);
  });

  it("denies by a verdict: docker-agent overlooks a block on its early lane", async () => {
    const { answer } = await ask(first, callOf("denied", YOLO));
    expect(answer.hook_specific_output).toMatchObject({
      permission_decision: "deny",
      permission_decision_reason: expect.stringContaining("Never."),
    });
  });

  it("names its own event in the answer", async () => {
    const { answer } = await ask(first, callOf("asked"));
    expect(answer.hook_specific_output?.hook_event_name).toBe(first.split("?")[0]);
  });

  it.each(["asked", "allowed", "free"])("and the default lane ask about the tool %s once", async (tool) => {
    const call = callOf(tool);
    await verdictOf(first, call);
    expect(await verdictOf(LATE, call)).toBe(tool === "asked" ? "ask" : tool === "allowed" ? "allow" : "none");
    expect(await timesJudged(call.session_id)).toBe(1);
  });

  it("judges a call anew whose id came before, and the default lane gets the newer answer", async () => {
    const call = callOf("asked");
    await verdictOf(first, call);
    await server.publish("hooks: {}");
    expect(await verdictOf(first, call)).toBe("none");
    expect(await verdictOf(LATE, call)).toBe("none");
    await server.publish(POLICY);
    expect(await verdictOf(first, call)).toBe("ask");
    expect(await verdictOf(LATE, call)).toBe("ask");
    expect(await timesJudged(call.session_id)).toBe(3);
  });

  it("leaves a change to the default lane, and denies the call where that lane will not run", async () => {
    const call = callOf("changed");
    expect(await verdictOf(first, call)).toBe("none");
    expect((await ask(LATE, call)).answer.hook_specific_output?.updated_input).toEqual({ cmd: "ls" });
    const { answer } = await ask(first, callOf("changed", YOLO));
    expect(answer.hook_specific_output).toMatchObject({
      permission_decision: "deny",
      permission_decision_reason: expect.stringContaining("cannot change it here"),
    });
  });

  it("judges a call without an id, too", async () => {
    const call = callOf("denied", { tool_use_id: "" });
    expect(await verdictOf(first, call)).toBe("deny");
    expect(await verdictOf(LATE, call)).toBe("deny");
  });
});

it("the early lane of an old release asks the gates that this release does not have", async () => {
  expect(await verdictOf(EARLY, callOf("guarded"))).toBe("deny");
  expect(await verdictOf(EARLY, callOf("masked"))).toBe("deny");
  expect(await verdictOf(GUARD, callOf("masked"))).toBe("none");
});

it("the default lane is judged where no gate asked for it", async () => {
  expect(await verdictOf(LATE, callOf("denied"))).toBe("deny");
  const call = callOf("free");
  await verdictOf(GUARD, call);
  expect(await verdictOf(LATE, { ...call, tool_name: "denied" })).toBe("deny");
  expect(await verdictOf(LATE, { ...call, tool_input: { cmd: "ls" } })).toBe("none");
  expect(await timesJudged(call.session_id)).toBe(3);
});

it.each([
  ["pre_tool_use?gates=some", "gates is one of all, rest, asked"],
  ["post_tool_use?gates=all", "gates is for the gates before a tool"],
])("%s is refused", async (gate, words) => {
  const { status, answer } = await ask(gate, callOf("free"));
  expect(status).toBe(400);
  expect(JSON.stringify(answer)).toContain(words);
});

it.each([
  ["1.147.0", ["tool_guard?lane=default&gates=rest", "preempt_yolo&gates=asked", LATE]],
  ["1.100.0", [EARLY, LATE]],
])("an enrolment of %s asks so", (version, addresses) => {
  const [file] = enrolDockerAgent({ url: "http://127.0.0.1:1", scope: "user", version });
  for (const address of addresses) expect(file?.content).toContain(address);
});
