/** `policy backtest` as a pipeline runs it: its own process, a real server, a real database. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { modelStub } from "../../e2e/fixtures/model-stub.ts";
import { type Backtests, createBacktests } from "../backtest/index.ts";
import * as judges from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";

const DENY_GIT = "{command: {program: git}, deny: no git}";
const DENY_RM = "{command: {program: rm}, deny: no deletes}";
const rules = (...list: readonly string[]) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: shell rules, type: rules, rules: [${list.join(", ")}]}
`;

let db: TestDatabase;
let server: TestGateway;
let folder: string;
let job: Backtests;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-backtest-"));
  const key = await server.agent("one");
  await server.publish(rules(DENY_GIT), "guard");
  for (const cmd of ["ls", "git push --force", "rm -rf build"]) {
    const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } }),
    });
    expect(response.status).toBe(200);
  }
  job = createBacktests({
    ...{ db: server.database, log: createLog("silent"), tools: server.running.app.sampleTools },
  });
  job.start();
  await writeFile(join(folder, "guard.yaml"), rules(DENY_GIT, DENY_RM));
  await writeFile(join(folder, "loose.yaml"), rules(DENY_RM));
}, 120_000);
afterAll(async () => {
  await job?.stop();
  await server?.stop();
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], stdin = "") =>
  quarterdeck(
    ["policy", "backtest", ...args],
    folder,
    { QUARTERDECK_URL: server.url, QUARTERDECK_TOKEN: server.secrets.adminToken },
    stdin,
  );

it("prints the counts of a stricter text, ends in 0, and leaves the policy as it is", async () => {
  const { code, stdout } = await run(["guard.yaml"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^guard: 3 calls of the last 7 days\n/);
  expect(stdout).toMatch(/looser +0\n +stricter +1\n/);
  expect(stdout).toContain(`${server.url}/policies/`);
  const [policy] = await policies.list(server.database, server.admin.workspaceId);
  expect(await policies.get(server.database, server.admin.workspaceId, policy?.id ?? "")).toMatchObject({
    ...{ draftVersion: 0, latestRevision: 1, source: rules(DENY_GIT) },
  });
});

it("runs commands and asks judges on request, after a forecast", async () => {
  const stub = await modelStub();
  const price = { input: 1_000_000n, output: 1_000_000n, cachedInput: null, cacheWrite: null };
  const connection = { name: "local", provider: "openai-compatible", baseUrl: stub.url, callsPerDay: null };
  await judges.save(
    { ...server.running.app, db: server.database },
    server.admin,
    saveConnection.parse({ ...connection, nanoPerDay: null, prices: [{ model: "tiny", ...price }] }),
  );
  const more = [
    "        - {name: script, type: command, command: 'grep -q rm && exit 2; exit 0'}",
    "        - {name: judge, type: model, model: local/tiny, schema: pre_tool_use_decision, prompt: 'stub:ask {{ .ToolName }}'}",
  ];
  const args = ["-", "--policy", "guard", "--commands", "10", "--judges-budget", "0.50", "--json"];
  const found = await run(args, `${rules(DENY_GIT)}${more.join("\n")}\n`);
  await stub.stop();
  expect(found.stderr).toMatch(
    /Forecast: 3 calls, about \d+ s on this node, in the background\.\nCommands: 2 of about 2 calls/,
  );
  expect(found.code).toBe(0);
  expect(JSON.parse(found.stdout).run).toMatchObject({
    tally: { stricter: 2, unchanged: 1 },
    sample: { kinds: [{ kind: "command", done: 2 }, { kind: "judge" }], answers: { asked: 1, nanoMax: "500000000" } },
  });
  expect((await run(["-", "--policy", "guard", "--judges", "5"], rules(DENY_GIT))).stderr).toContain("--judges-budget");
  expect((await run(["-", "--policy", "guard", "--judges-budget", "x"], rules(DENY_GIT))).stderr).toContain("0.50");
});

it("ends in 1 for a looser text, and reports each looser call", async () => {
  const plain = await run(["loose.yaml", "--policy", "guard", "--junit", "report.xml"]);
  expect(plain.code).toBe(1);
  expect(plain.stdout).toMatch(/LOOSER .* one +shell +git push --force +deny -> none +\(guard: shell rules\)\n/);
  expect(await readFile(join(folder, "report.xml"), "utf8")).toMatch(/tests="1" failures="1"[\s\S]*git push of one at/);
  const [policy] = await policies.list(server.database, server.admin.workspaceId);
  const asJson = await run(["-", "--policy", policy?.id ?? "", "--days", "1", "--json"], rules(DENY_RM));
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    run: { state: "finished", days: 1, tally: { looser: 1, stricter: 1 } },
    looser: [{ excerpt: "git push --force", from: "deny", to: "none" }],
  });
});

it.each([
  ["a text with problems", ["-", "--policy", "guard"], "stdin:1:"],
  ["a policy that does not exist", ["guard.yaml", "--policy", "none"], 'No policy is named "none".'],
  ["a text without a name", ["-"], "--policy"],
  ["days beyond the limit", ["guard.yaml", "--days", "91"], "from 1 to 90"],
])("ends in 2 for %s", async (_what, args, says) => {
  const { code, stdout, stderr } = await run(args, "hooks: [");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(says);
});
