import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { testGateway } from "../../../e2e/fixtures/gateway.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { applyingView } from "../assignments/assignment-schema.ts";
import { boundClients } from "../assignments/bound-clients.ts";
import { explainAgent } from "../effective/explain-agent.ts";
import { checkContextView, TOOL_COUNT_MAX } from "../schema.ts";
import { check, checkContext } from "./check-context.ts";

let at: TestDatabase;
beforeAll(async () => {
  at = await testDatabase();
});
afterAll(() => at.drop());

const NOW = new Date("2026-11-20T12:00:00Z");

async function decide(workspaceId: string, tool: string, times: number, occurredAt = NOW): Promise<void> {
  await at.database.pool.query(
    `INSERT INTO tool_decision SELECT $1, $2, gen_random_uuid(), 'gate', $3, 'a', 's', 'pre_tool_use', $4, NULL, 'allow', '', '', ''
     FROM generate_series(1, $5)`,
    [workspaceId, occurredAt, uuidv7(), tool, times],
  );
}

it("every tool that was ever decided about is named once, with what is recent counted and no other workspace seen", async () => {
  const [one, other] = [uuidv7(), uuidv7()];
  await decide(one, "shell", 3);
  await decide(one, "edit_file", TOOL_COUNT_MAX + 10);
  await decide(one, "fetch", 2, new Date("2026-01-01T00:00:00Z"));
  await decide(one, "", 1);
  await decide(other, "secret_tool", 1);
  const view = checkContextView.parse(await checkContext(at.database, one, NOW.getTime()));
  expect(view.tools).toEqual([
    { name: "edit_file", count: TOOL_COUNT_MAX },
    { name: "fetch", count: 0 },
    { name: "shell", count: 3 },
  ]);
});

it("a tool that agents asked about is seen, also where no final decision is reported", async () => {
  const own = await testDatabase();
  const server = await testGateway(own.url);
  const key = await server.agent("claude");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (const id of ["one", "two"])
    await fetch(`${server.url}/api/v1/hooks/claude-code/PreToolUse`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        ...{ session_id: id, hook_event_name: "PreToolUse", cwd: "/w", tool_use_id: id },
        ...{ tool_name: "Bash", tool_input: { command: "ls" } },
      }),
    });
  expect((await checkContext(server.database, server.admin.workspaceId)).tools).toEqual([{ name: "Bash", count: 2 }]);
  await server.stop();
  await own.drop();
});

it("a workspace without decisions has seen no tools, and then no matcher is called into question", async () => {
  const nobody = uuidv7();
  expect((await checkContext(at.database, nobody)).tools).toEqual([]);
  const source =
    "profile: \"2026-08\"\nhooks:\n  pre_tool_use:\n    - matcher: shel\n      hooks: [{type: command, command: 'true'}]\n";
  expect((await check(at.database, { workspaceId: nobody, id: nobody }, { source })).findings).toEqual([]);
  const busy = uuidv7();
  await decide(busy, "shell", 1);
  expect(
    (await check(at.database, { workspaceId: busy, id: busy }, { source })).findings.map(({ rule }) => rule),
  ).toEqual(["matcher-matches-nothing-seen"]);
});

/** The policy that reaches an agent, once the policy has a rewrite in force. */
async function publishedFor(workspaceId: string, policyId: string, agentId: string) {
  const command = `echo '{"hook_specific_output":{"updated_input":{"cmd":"ls"}}}'`;
  const hooks = { pre_tool_use: [{ matcher: "never", hooks: [{ type: "command", command }] }] };
  await at.database.pool.query(
    `INSERT INTO policy_revision (workspace_id, policy_id, number, profile, source, hooks, sha256, note, author)
     VALUES ($1, $2, 1, '2026-08', '', $3, 'hash', '', 'Ada')`,
    [workspaceId, policyId, JSON.stringify(hooks)],
  );
  await at.database.pool.query(
    "UPDATE policy SET latest_revision = 1, live_revision = 1 WHERE workspace_id = $1 AND id = $2",
    [workspaceId, policyId],
  );
  return applyingView.parse(await explainAgent(at.database, workspaceId, agentId));
}

it("of a policy, the clients of the agents it is assigned to are known: all, those of its groups, or those it names", async () => {
  const workspaceId = uuidv7();
  const [policyId, groupId] = [uuidv7(), uuidv7()];
  const run = (sql: string, ...values: unknown[]) => at.database.pool.query(sql, [workspaceId, ...values]);
  await run("INSERT INTO workspace (id, name) VALUES ($1, 'clients')");
  await run("INSERT INTO policy (workspace_id, id, name) VALUES ($1, $2, 'gates')", policyId);
  await run("INSERT INTO agent_group (workspace_id, id, name, position) VALUES ($1, $2, 'team', 0)", groupId);
  const agents: string[] = [];
  for (const [index, client] of ["codex", "codex", "qwen", null, "vim"].entries()) {
    const id = uuidv7();
    agents.push(id);
    await run(
      "INSERT INTO agent (workspace_id, id, name, client) VALUES ($1, $2, $3, $4)",
      id,
      `agent ${index}`,
      client,
    );
  }
  const insertion =
    "INSERT INTO assignment (workspace_id, id, policy_id, scope, target_id, position) VALUES ($1, $2, $3, $4, $5, 0)";
  const assign = async (scope: string, targetId: string | null) => {
    await run("DELETE FROM assignment WHERE workspace_id = $1");
    await run(insertion, uuidv7(), policyId, scope, targetId);
    return (await boundClients(at.database, workspaceId, policyId)).map(({ title }) => title);
  };
  const titles = async () => (await boundClients(at.database, workspaceId, policyId)).map(({ title }) => title);
  // Its first revision will bind every agent.
  expect(await titles()).toEqual(["Codex", "Qwen Code"]);
  await run("UPDATE policy SET latest_revision = 1 WHERE workspace_id = $1");
  expect(await titles()).toEqual([]);
  expect(await assign("workspace", null)).toEqual(["Codex", "Qwen Code"]);
  expect(await assign("agent", agents[1] ?? "")).toEqual(["Codex"]);
  await run(
    "INSERT INTO agent_group_member (workspace_id, group_id, agent_id) VALUES ($1, $2, $3)",
    groupId,
    agents[2],
  );
  expect(await assign("group", groupId)).toEqual(["Qwen Code"]);

  const rewrite = `echo '{"hook_specific_output":{"updated_input":{"cmd":"ls"}}}'`;
  const source = `hooks:\n  pre_tool_use:\n    - matcher: never\n      hooks:\n        - type: command\n          command: |\n            ${rewrite}\n`;
  const actor = { workspaceId, id: uuidv7() };
  const { findings } = await check(at.database, actor, { source, policyId });
  expect(findings.map(({ message }) => message)).toContain("this rewrite becomes a denial on Qwen Code");
  const effective = await publishedFor(workspaceId, policyId, agents[2] ?? "");
  expect(effective).toMatchObject({
    client: "Qwen Code",
    policies: [{ onClient: ["this rewrite becomes a denial on Qwen Code"] }],
  });
  const unassigned = await check(at.database, actor, { source });
  expect(unassigned.findings.map(({ rule }) => rule)).not.toContain("client-answers-stricter");
});
