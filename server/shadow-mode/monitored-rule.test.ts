/** A monitored rule on the way of a call: it runs after the answer, and its verdict is recorded under its name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as policies from "../policies/index.ts";
import { list, listOfDispatch, ruleSums } from "./service.ts";

/** Three rules in each lane: one denies, one allows, one refuses another tool. */
const TEXT = (profile: string) => `profile: "${profile}"
hooks:
  pre_tool_use:
${[false, true].map(laneText).join("")}  stop:
    - { name: at the end, type: command, command: 'true' }
`;
const laneText = (early: boolean) => `    - matcher: shell
      preempt_yolo: ${early}
      hooks:
        - { name: denies, type: command, command: 'cat >/dev/null; echo "no shell" >&2; exit 2' }
        - { name: allows, type: command, command: '${ALLOWS}' }
    - matcher: write_file
      preempt_yolo: ${early}
      hooks: [{ name: no writing, type: command, command: 'cat >/dev/null; echo "read only" >&2; exit 2' }]
`;
const ALLOWS = `cat >/dev/null; echo ''{"hook_specific_output":{"hook_event_name":"pre_tool_use","permission_decision":"allow"}}''`;

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const inAnHour = () => new Date(Date.now() + 3_600_000);
const EVENT = "pre_tool_use";

async function call(key: string, tool: string, lane: string): Promise<{ answer: unknown; id: string }> {
  const response = await fetch(`${server.url}/api/v1/hooks/${EVENT}?lane=${lane}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_input: { cmd: "ls" } }),
  });
  return { answer: await response.json(), id: response.headers.get("quarterdeck-dispatch-id") ?? "" };
}

describe.each(["2026-07", "2026-08"])("in profile %s", (profile) => {
  it.each(["default", "preempt_yolo"])(
    "a rule has no effect in the lane %s, and the others keep theirs",
    async (lane) => {
      const key = await server.agent(`${profile} ${lane}`);
      const policy = `p ${profile} ${lane}`;
      await server.publish(TEXT(profile), policy);
      const { database, admin, running } = server;
      const { workspaceId } = admin;
      const found = (await policies.list(database, workspaceId)).find(({ name }) => name === policy);
      const policyId = found?.id ?? "";
      const monitor = (hook: string, until: Date | null) =>
        policies.monitorRule(database, running.app.bus, admin, { policyId, event: EVENT, hook, until });
      const sumsOf = async (hook: string) =>
        (await ruleSums(database, workspaceId)).find((one) => one.policyId === policyId && one.hook === hook);

      expect((await call(key, "shell", lane)).answer).toMatchObject({ decision: "block" });
      await monitor("denies", inAnHour());
      await monitor("allows", inAnHour());
      const shell = await call(key, "shell", lane);
      // A monitored denial lets pass, and a monitored approval approves nothing.
      expect(shell.answer).toEqual({});
      expect((await call(key, "write_file", lane)).answer).toMatchObject({ decision: "block", reason: "read only" });

      await expect.poll(() => sumsOf("denies")).toMatchObject({ gates: 2, judged: 1, denied: 1, asked: 0 });
      await expect.poll(() => sumsOf("allows")).toMatchObject({ gates: 2, judged: 1, denied: 0, asked: 0 });
      const rule = { event: EVENT, hook: "denies" };
      const seen = await list(database, workspaceId, { policyId, rule, onlyStricter: true, cursor: null });
      expect(seen.rows).toMatchObject([
        { dispatchId: shell.id, verdict: "deny", decided: "none", isStricter: true, toolName: "shell" },
      ]);
      expect(seen.rows[0]?.hooks).toMatchObject([{ name: "denies", outcome: "refused" }]);
      const whole = await list(database, workspaceId, { policyId, rule: null, onlyStricter: false, cursor: null });
      expect(whole.rows).toEqual([]);
      const dispatch = { id: shell.id, occurredAt: seen.rows[0]?.occurredAt ?? new Date(0) };
      expect(await listOfDispatch(database, workspaceId, dispatch)).toMatchObject([
        { policy, rule: "denies", verdict: "deny", decided: "none", isStricter: true },
        { policy, rule: "allows", isStricter: false },
      ]);

      await monitor("denies", null);
      expect((await call(key, "shell", lane)).answer).toMatchObject({ decision: "block", reason: "no shell" });
      expect(await sumsOf("denies")).toBeUndefined();
      await policies.remove(database, running.app.bus, admin, policyId);
    },
  );
});
