/** The call of an approval request is read as its rules read it, and a text that cannot be read is no reading. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import * as agents from "../../agents/index.ts";
import * as approvals from "../../approvals/index.ts";
import { requestReading } from "./schema.ts";
import { readRequest } from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - type: rules
          rules:
            - ask: Keys are looked at.
              path: { access: read, class: credentials }
            - ask: Pushes are looked at.
              command: { program: git, subcommand: push }
    - matcher: deploy|shell
      hooks: [{ type: builtin, command: ask_a_person }]
`;

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

/** The id of the request that a call becomes. */
async function request(tool: string, command: string): Promise<string> {
  const { admin, running, url } = gateway;
  const { agentId, key } = await agents.create(db.database, running.app.bus, admin, { name: randomUUID() });
  await fetch(`${url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ session_id: "s", tool_name: tool, tool_use_id: randomUUID(), cwd: "/srv/app" },
      tool_input: { command },
    }),
  });
  const { open } = await approvals.list(db.database, admin);
  return open.find((one) => one.agentId === agentId)?.id ?? "";
}

const read = async (id: string) => requestReading.parse(await readRequest(db.database, gateway.admin.workspaceId, id));

it("names the commands, and the rule that asked", async () => {
  const { call, hooks } = await read(await request("shell", "git status && git push origin trunk"));
  expect(call?.commands.map(({ source }) => source)).toEqual(["git status", "git push origin trunk"]);
  expect(hooks.map(({ decisive }) => decisive)).toEqual([1]);
  expect(hooks[0]?.rules.map(({ state }) => state)).toEqual(["not_matched", "matched"]);
});

it("has no rules for a builtin that asked", async () => {
  const { call, hooks } = await read(await request("deploy", "now"));
  expect(call?.tool).toBe("deploy");
  expect(hooks).toEqual([]);
});

it("has no rules of a revision that is not stored, and no call for arguments that were cut", async () => {
  const id = await request("shell", "git push origin trunk");
  const change = (set: string) => db.owner.query(`UPDATE approval_request SET ${set} WHERE id = $1`, [id]);
  await change(`asked_by = (SELECT jsonb_agg(hook || '{"revision": 9}') FROM jsonb_array_elements(asked_by) AS hook)`);
  expect((await read(id)).hooks).toEqual([]);
  await change(`input = left(input, 9)`);
  expect(await read(id)).toEqual({ call: null, hooks: [] });
});

it("is not found in another workspace", async () => {
  const id = await request("shell", "git push origin trunk");
  await expect(readRequest(db.database, randomUUID(), id)).rejects.toMatchObject({ code: "approval_not_found" });
});
