/** An installation that the former release filled, by its own code, is taken over by this one: what it was stays what it is. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { copyDatabase, emptyDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import {
  answerOf,
  FIXTURE,
  layOldSpool,
  type OldAnswers,
  oldHookProgram,
  readOldAnswers,
} from "../../e2e/fixtures/old-installation.ts";
import { procedures } from "../../e2e/fixtures/old-release.ts";
import { connectPlainly, listTables } from "../backup/catalogue.ts";
import type { Manifest } from "../backup/manifest.ts";
import { restoreBackup } from "../backup/service.ts";
import { copyOut } from "../backup/table-copy.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as projections from "../projections/service.ts";
import { checkpointFile, readCheckpoints } from "../record/checkpoints/checkpoint-file.ts";
import { trustedKeys } from "../record/service.ts";
import { verifyStored } from "../record/verification/verify-stored.ts";
import { startBackfill } from "./background-backfill.ts";

/** Tables in which migrations change what the former release wrote: whose address is proven, who invited, when sessions end. */
const CHANGED = ["browser_session", "invitation", "person", "person_verification"];

let answers: OldAnswers;
/** The former release's data directory. */
let dataDir: string;
/** Each table as the former release wrote it. */
let written: Manifest["tables"];
/** Read, and never written to but by being served. */
let upgraded: { url: string; drop(): Promise<void> };
let gateway: TestGateway;
/** The same once more, at which agents work. */
let worked: { url: string; drop(): Promise<void> };
/** The same once more, whose long parts are still to be made. */
let unfinished: { url: string; drop(): Promise<void> };
/** Each table now, in the columns that the former release knew. */
const now = new Map<string, { rows: number; sha256: string }>();
beforeAll(async () => {
  answers = await readOldAnswers(FIXTURE);
  [upgraded, dataDir] = [await emptyDatabase(), await mkdtemp("/tmp/quarterdeck-upgraded-")];
  const restored = await restoreBackup({ file: join(FIXTURE, "backup.tar"), url: upgraded.url, dataDir });
  written = restored.tables;
  unfinished = await copyDatabase(upgraded.url);
  await startBackfill(upgraded.url, createLog("silent")).finished;
  worked = await copyDatabase(upgraded.url);
  const client = await connectPlainly(upgraded.url, "test");
  const tables = await listTables(client);
  for (const { name, columns } of written) {
    const table = tables.find((one) => one.name === name);
    if (table) now.set(name, await copyOut(client, { ...table, columns }));
  }
  await client.end();
  gateway = await serve(upgraded.url);
});
/** A server with the secrets of the installation, in a directory of its own. */
async function serve(url: string): Promise<TestGateway> {
  const kept = await mkdtemp(join(dataDir, "served-"));
  for (const name of await readdir(dataDir))
    if (!name.startsWith("served-")) await cp(join(dataDir, name), join(kept, name), { recursive: true });
  return testGateway(url, { kept });
}
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([upgraded, worked, unfinished].map((database) => database?.drop()));
  await rm(dataDir ?? "", { recursive: true, force: true });
});

test("a backup of the former release restores, and every row keeps the bytes it had", async () => {
  for (const { name, rows, sha256 } of written)
    if (!CHANGED.includes(name)) expect.soft(now.get(name), name).toEqual({ rows, sha256 });
  // Only overload fills the one that is left.
  expect(written.filter(({ rows }) => rows === 0).map(({ name }) => name)).toEqual(["load_shed"]);
});

test("the record of every workspace verifies against the checkpoints that the former release signed", async () => {
  const { rows } = await gateway.database.pool.query<{ id: string }>(
    "SELECT workspace_id AS id FROM audit_head ORDER BY 1",
  );
  expect(rows).toHaveLength(3);
  const reports = [];
  for (const { id } of rows) {
    const outside = await readCheckpoints(checkpointFile(join(dataDir, "checkpoints"), id));
    const keys = await inWorkspace(id, () => trustedKeys(gateway.database, id, gateway.secrets));
    const report = await verifyStored(gateway.database, id, { keys, outside });
    expect([report.altered, report.missing.count], id).toEqual([{ findings: [], count: 0 }, 0]);
    expect(report.checkpoints.fitting, id).toBeGreaterThan(0);
    reports.push(report);
  }
  const first = reports.find(({ dispatches }) => dispatches?.rows === answers.verified.dispatches.rows);
  expect(first?.dispatches).toMatchObject(answers.verified.dispatches);
});

/** Answers that depend on the time of asking: a session's state, what was used today, what is in force for a while. */
const PASSING = new Set([
  "state",
  "today",
  "cap",
  "observed",
  "isYou",
  "lastSeenAt",
  "keys",
  "revisionInForce",
  "until",
]);
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (PASSING.has(name) ? [] : [[name, lasting(one)]])),
  );
}

const byId = (all: readonly { id: string }[]) => [...all].sort((left, right) => (left.id < right.id ? -1 : 1));

describe("figures are what the former release answered", () => {
  const script = () => procedures(gateway.url, { authorization: `Bearer ${gateway.secrets.adminToken}` });

  test.each([
    "stats.everything",
    "statements.statement",
    "costs.summary",
    "decisions.facets",
    "sessions.list",
    "compactions.summary",
    "judges.summary",
    "policies.list",
    "agents.list",
  ])("%s", async (path) => {
    const { input, answer } = answerOf(answers, path);
    const said = await script().query(path, input);
    // Agents come in the order in which they were last seen.
    const ordered = (value: unknown) => (path === "agents.list" ? byId(value as { id: string }[]) : value); // agentView
    // Newer answers may say more, and say nothing else.
    expect(lasting(ordered(said))).toMatchObject(lasting(ordered(answer)) as object);
  });
});

test("computing figures anew calls rows of the former release older, and none of them altered", async () => {
  const { rows } = await gateway.database.pool.query<{ id: string }>(
    "SELECT DISTINCT workspace_id AS id FROM dispatch",
  );
  let dispatches = 0;
  for (const { id } of rows) {
    const days = await inWorkspace(id, () => projections.days(gateway.database.pool, id, undefined));
    for (const day of days) {
      const check = await inWorkspace(id, () => projections.check(gateway.database.pool, id, day));
      expect([check.differences, check.differing], `${id} ${day}`).toEqual([[], 0]);
      expect(["older", "equal"], `${id} ${day}`).toContain(check.state);
      dispatches += check.older.rows;
    }
  }
  const held = await gateway.database.pool.query<{ count: string }>(
    "SELECT count(*) FROM dispatch WHERE facts IS NULL",
  );
  expect(dispatches).toBe(Number(held.rows[0]?.count));
});

describe("what the former release gave to agents still works", () => {
  let home: string;
  let agentsGateway: TestGateway;
  beforeAll(async () => {
    agentsGateway = await serve(worked.url);
    home = await mkdtemp("/tmp/quarterdeck-old-hook-");
  });
  afterAll(async () => {
    await agentsGateway?.stop();
    await rm(home, { recursive: true, force: true });
  });

  const key = () => answers.keys.builder ?? "";
  const variables = () => ({
    QUARTERDECK_URL: agentsGateway.url,
    QUARTERDECK_KEY: key(),
    QUARTERDECK_TRUST_KEY: answers.trustKey,
    HOME: home,
  });
  const call = (tool: string, cmd: string) =>
    JSON.stringify({
      session_id: "after",
      agent_name: "builder",
      tool_name: tool,
      tool_use_id: cmd,
      tool_input: { cmd },
    });

  function run(file: string, args: readonly string[], input: string, env: Record<string, string> = {}) {
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const options = {
        cwd: home,
        env: { PATH: process.env.PATH ?? "", NODE_ENV: "test" as const, ...variables(), ...env },
      };
      const child = execFile(file, args, options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      child.stdin?.on("error", () => undefined); // it may end before it reads
      child.stdin?.end(input);
    });
  }

  test("its keys, and the token of a service account", async () => {
    const body = call("shell", "forbidden");
    const headers = { authorization: `Bearer ${key()}`, "content-type": "application/json" };
    const answer = await fetch(`${agentsGateway.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("This word is not allowed.")]);
    const service = procedures(agentsGateway.url, { authorization: `Bearer ${answers.serviceToken}` });
    expect(await service.query("access.whoami")).toMatchObject({ kind: "service", name: "exporter" });
  });

  test("its hook program and its script: denied, and let through", async () => {
    const program = await oldHookProgram(home);
    const env = { QUARTERDECK_HOOK_DIR: join(home, "program") };
    const denied = await run(process.execPath, [program, "pre_tool_use"], call("shell", "forbidden"), env);
    expect([denied.code, denied.stderr + denied.stdout]).toEqual([
      expect.any(Number),
      expect.stringContaining("not allowed"),
    ]);
    expect(denied.stdout).toContain('"decision":"block"');
    // A hook of the policy that runs beside the agent.
    const beside = await run(process.execPath, [program, "pre_tool_use"], call("local", "forbidden"), env);
    expect(`${beside.code}${beside.stdout}${beside.stderr}`).toContain("Denied beside the agent.");
    expect(await run(process.execPath, [program, "pre_tool_use"], call("shell", "ls"), env)).toMatchObject({ code: 0 });
    const script = join(home, "quarterdeck-hook.sh");
    const refused = await run("/bin/sh", [script, "pre_tool_use"], call("shell", "forbidden"));
    expect(refused.stdout + refused.stderr).toContain("not allowed");
    expect((await run("/bin/sh", [script, "pre_tool_use"], call("shell", "ls"))).stdout.trim()).toBe("{}");
  });

  test("its snippets, with curl and nothing else", async () => {
    const { answer } = answerOf(answers, "agents.enrolment");
    const snippets = answer as { hooks: string; curl: string; url: string }; // enrolmentView
    const here = (text: string) => text.replaceAll(snippets.url, agentsGateway.url).replaceAll("qd_...", key());
    const { hooks } = parse(here(snippets.hooks)) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    const commands = (hooks.pre_tool_use ?? []).flatMap((entry) => entry.hooks.map(({ command }) => command));
    expect(commands).toHaveLength(2);
    const said = [];
    for (const command of commands) said.push(await run("/bin/sh", ["-c", command], call("shell", "forbidden")));
    // The preempt lane has no hooks, the default lane denies.
    expect(said.map(({ stdout, stderr }) => (stdout + stderr).includes("not allowed"))).toEqual([false, true]);
    const byHand = await run("/bin/sh", ["-ec", here(snippets.curl)], "");
    expect([byHand.code, byHand.stdout]).toEqual([0, expect.stringContaining('"stored":1')]);
  });

  test("what its hook program kept while the server was away is delivered", async () => {
    const program = await oldHookProgram(home);
    const dir = join(home, "spooled");
    const env = { QUARTERDECK_HOOK_DIR: dir };
    // The program makes its place for this server by itself.
    expect(await run(process.execPath, [program, "--flush"], "", env)).toMatchObject({ stdout: "0 events reported\n" });
    const [place = ""] = await readdir(dir);
    await mkdir(join(dir, place, "spool"), { recursive: true });
    expect(await layOldSpool(join(dir, place, "spool"))).toBe(5);
    expect(await run(process.execPath, [program, "--flush"], "", env)).toEqual({
      code: 0,
      stdout: "5 events reported\n",
      stderr: "",
    });
    const { rows } = await agentsGateway.database.pool.query<{ input: string }>(
      "SELECT input FROM dispatch WHERE session_id = 'kept' AND origin = 'report' ORDER BY occurred_at",
    );
    expect(rows.map(({ input }) => /answer \d/.exec(input)?.[0])).toEqual([0, 1, 2, 3, 4].map((n) => `answer ${n}`));
  });
});

test("a gate is answered while a part of the upgrade is under way", async () => {
  const during = await serve(unfinished.url);
  // Building an index waits for a transaction that began before it.
  const reader = new pg.Client(unfinished.url);
  reader.on("error", () => undefined); // when the test failed and its database goes
  await reader.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM dispatch");
  const backfill = startBackfill(unfinished.url, createLog("silent"));
  const isBuilding = async () =>
    (await during.database.pool.query("SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'"))
      .rowCount !== 0;
  await expect.poll(isBuilding, { timeout: 30_000 }).toBe(true);
  const said = [];
  for (let asked = 0; asked < 20; asked += 1) {
    const headers = { authorization: `Bearer ${answers.keys.fixer}`, "content-type": "application/json" };
    const body = JSON.stringify({ session_id: "during", tool_name: "shell", tool_input: { cmd: "forbidden" } });
    const answer = await fetch(`${during.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
    said.push(`${answer.status} ${(await answer.text()).includes("not allowed")}`);
  }
  expect(new Set(said)).toEqual(new Set(["200 true"]));
  expect(await isBuilding()).toBe(true);
  await reader.query("COMMIT");
  await reader.end();
  await backfill.finished;
  const left = await during.database.pool.query("SELECT FROM upgrade_step WHERE finished_at IS NULL");
  expect(left.rowCount).toBe(0);
  await during.stop();
});
