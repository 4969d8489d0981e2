import { type DispatchReport, type Executor, NEUTRAL } from "@quarterdeck/hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInMasking } from "../../e2e/fixtures/built-in-masking.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createBus } from "../events/index.ts";
import { systemClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import { createObservations, list, sums } from "./service.ts";
import { type AnsweredDispatch, createShadowRunner } from "./shadow-runner.ts";

const DENIES = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no, type: command, command: 'cat >/dev/null; echo "no: token=ghp_abcdefghijklmnopqrstuvwxyz0123456789" >&2; exit 2' }
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function call(tool: string): Promise<unknown> {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_input: { cmd: "ls" } }),
  });
  return response.json();
}
const inAnHour = () => new Date(Date.now() + 3_600_000);
const seen = (policyId: string, onlyStricter = true) =>
  list(server.database, server.admin.workspaceId, { policyId, rule: null, onlyStricter, cursor: null });
const counted = async (policyId: string) =>
  (await sums(server.database, server.admin.workspaceId)).find((one) => one.policyId === policyId);

describe("a policy that is only observed", () => {
  it("answers nobody, is recorded with what it would have said, and answers again once it is enforced", async () => {
    await server.publish(DENIES, "observed");
    const [policy] = await policies.list(server.database, server.admin.workspaceId);
    const policyId = policy?.id ?? "";
    expect(await call("shell")).toMatchObject({ decision: "block" });
    const { bus } = server.running.app;
    await policies.observe(server.database, bus, server.admin, { policyId, until: inAnHour() });
    expect([await call("shell"), await call("read_file")]).toEqual([{}, {}]);
    await expect.poll(async () => (await seen(policyId)).rows.length).toBe(1);
    const [row] = (await seen(policyId)).rows;
    expect(row).toMatchObject({
      ...{ verdict: "deny", decided: "none", isStricter: true, revision: 1, toolName: "shell", agentName: "tester" },
    });
    expect(JSON.stringify(row)).not.toContain("ghp_abcdef");
    expect(row?.hooks).toMatchObject([{ policy: "observed", name: "no", outcome: "refused" }]);
    await expect.poll(() => counted(policyId)).toMatchObject({ gates: 2, judged: 1, denied: 1, dropped: 0 });
    await policies.observe(server.database, bus, server.admin, { policyId, until: null });
    expect(await call("shell")).toMatchObject({ decision: "block" });
    expect(await counted(policyId)).toBeUndefined();
  });
});

describe("what runs after the answer", () => {
  /** An executor that answers when it is let, and says how often it was asked. */
  function heldExecutor() {
    const waiting: (() => void)[] = [];
    let asked = 0;
    const report: DispatchReport = { result: NEUTRAL, hooks: [], durationMs: 0 };
    const plan = { profile: "2026-07" as const, lanes: new Map([["pre_tool_use", { entries: [] }]]) };
    const executor: Executor = {
      // Holds: only whether there is a lane is looked at.
      plan: plan as unknown as Executor["plan"],
      problems: [],
      dispatch() {
        asked += 1;
        return new Promise((resolve) => waiting.push(() => resolve(report)));
      },
    };
    return { executor, release: () => waiting.splice(0).forEach((let_) => void let_()), asked: () => asked };
  }

  function world() {
    const log = createLog("silent");
    const bus = createBus(db.url, log);
    const observations = createObservations(db.database.pool, bus, log);
    const limits = { runningMax: 1, waitingMax: 1, waitingOfOneMax: 1, waitingBytesMax: 1_000 };
    const observing = createShadowRunner({ observations, clock: systemClock, log, masking: builtInMasking, limits });
    const policyId = uuidv7();
    const held = heldExecutor();
    const answered = (): AnsweredDispatch => ({
      ...{ workspaceId: server.admin.workspaceId, dispatchId: uuidv7(), agentId: uuidv7(), agentName: "a" },
      credential: { name: "a" },
      ...{ occurredAt: new Date(), event: "pre_tool_use", lane: "default", input: {}, bytes: 10 },
      ...{ decided: "none", isGate: true },
      observed: [
        {
          policyId,
          name: "p",
          number: 1,
          sha256: "s",
          textProfile: "2026-07",
          publishedAt: new Date(0),
          hooks: {},
          text: {},
          leftOut: new Set(),
          monitored: [],
          rule: null,
          problems: [],
          profile: "2026-07",
          executor: held.executor,
        },
      ],
    });
    const dropped = async () =>
      Number(
        (
          await db.database.pool.query<{ dropped: string }>(
            "SELECT coalesce(sum(dropped), 0) AS dropped FROM observation_hour WHERE policy_id = $1",
            [policyId],
          )
        ).rows[0]?.dropped,
      );
    const close = async () => {
      const closing = observing.close();
      held.release();
      await closing;
      await observations.flush();
      await bus.close();
    };
    return { observing, answered, held, dropped, close };
  }

  it("begins in no turn that an answer leaves in", async () => {
    const { observing, answered, held, close } = world();
    observing.observe(answered());
    await Promise.resolve();
    expect(held.asked()).toBe(0);
    await expect.poll(held.asked).toBe(1);
    await close();
  });

  it("is dropped beyond its places, and every drop is counted", async () => {
    const { observing, answered, held, dropped, close } = world();
    observing.observe(answered());
    await expect.poll(held.asked).toBe(1);
    for (let more = 0; more < 5; more += 1) observing.observe(answered());
    await expect.poll(dropped).toBe(4);
    expect(held.asked()).toBe(1);
    held.release();
    await expect.poll(held.asked).toBe(2);
    await close();
    // The one that ran when the server went down said nothing; the four stay counted.
    expect(await dropped()).toBe(4);
  });
});
