/** A grant opens one call, whoever races for it, through the agent API of two gateways over one database. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { keepMachineBusy } from "../../e2e/fixtures/busy-machine.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
    - matcher: "shell"
      hooks:
        - type: command
          command: "if grep -q forbidden; then echo 'never this' >&2; exit 2; fi"
`;

const ROUNDS = repetitions(5, 100);
/** Processes that spin during the race, and how long at most. */
const BUSY_PROCESSES = 3;
const RACE_MS_MAX = repetitions(600_000, 3_000_000);

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  second = await testGateway(db.url);
  await first.publish(POLICY);
  await vi.waitUntil(() => first.running.app.bus.isCurrent() && second.running.app.bus.isCurrent(), {
    timeout: 10_000,
  });
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

const context = () => ({ db: db.database, bus: second.running.app.bus });
const ada = (): Administrator => ({ ...first.admin, kind: "script", id: "Ada", name: "Ada" });
const answer = (input: Parameters<typeof answerRequest.parse>[0]) =>
  approvals.answer(context(), ada(), answerRequest.parse(input));

async function newAgent() {
  const { agentId, key } = await agents.create(db.database, first.running.app.bus, first.admin, {
    name: `agent ${randomUUID()}`,
  });
  const call = async (input: object, at = first) => {
    const id = randomUUID();
    const ask = () =>
      fetch(`${at.url}/api/v1/hooks/pre_tool_use`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          ...{ session_id: "s", tool_name: "shell", tool_use_id: id, tool_input: input, cwd: "/srv" },
        }),
      });
    // A gateway that has too much to do says so, and the same call may ask again.
    const response = await vi.waitUntil(() => ask().then((answered) => (answered.status === 503 ? null : answered)), {
      timeout: 100_000,
      interval: 200,
    });
    expect(response.status).toBe(200);
    const { decision, hook_specific_output: specific = {} } = await response.json();
    return decision === "block" ? "deny" : (specific.permission_decision as string | undefined);
  };
  const openOf = async () =>
    (await approvals.list(db.database, first.admin)).open.filter((one) => one.agentId === agentId);
  return { agentId, call, openOf };
}

describe("two hundred calls that race for one grant over two gateways, on a busy machine", () => {
  let endBusy: () => void;
  beforeAll(() => {
    endBusy = keepMachineBusy(BUSY_PROCESSES, RACE_MS_MAX);
  });
  afterAll(() => endBusy());

  it(
    "run once, round after round",
    async () => {
      const { agentId, call, openOf } = await newAgent();
      for (let round = 0; round < ROUNDS; round += 1) {
        const input = { cmd: `make ${round}` };
        await call(input);
        const { id } = await vi.waitUntil(async () => (await openOf())[0] ?? false, { timeout: 20_000, interval: 20 });
        await answer({ id, verdict: "allow" });
        const verdicts = await Promise.all(
          Array.from({ length: 200 }, (_, index) => call(input, index % 2 === 0 ? first : second)),
        );
        expect(verdicts.filter((verdict) => verdict === "allow")).toHaveLength(1);
        expect(verdicts.filter((verdict) => verdict === "deny")).toHaveLength(199);
        const [pending] = await openOf();
        if (pending) await answer({ id: pending.id, verdict: "deny", words: "next round" });
      }
      const { rows } = await db.owner.query<{ allowed: number }>(
        "SELECT count(*)::int AS allowed FROM dispatch WHERE agent_id = $1 AND verdict = 'allow'",
        [agentId],
      );
      expect(rows).toEqual([{ allowed: ROUNDS }]);
    },
    RACE_MS_MAX,
  );
});
