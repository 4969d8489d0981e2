/** The one line that the page "Connect an agent" asks to run, as a machine with an empty home runs it. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { bundle } from "../../scripts/bundle.mjs";
import { connectLine } from "../agents/connect-schema.ts";
import * as agents from "../agents/index.ts";

let db: TestDatabase;
let server: TestGateway;
let home: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quarterdeck-connect-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const headerFile = () => join(home, ".config/quarterdeck/header");
const run = (args: readonly string[], stdin: string) =>
  quarterdeck(args, home, { HOME: home, QUARTERDECK_URL: server.url, QUARTERDECK_KEY: "" }, stdin);

async function newToken(): Promise<string> {
  const { bus } = server.running.app;
  const input = { name: "one laptop", uses: 1, hours: 1 };
  return (await agents.createEnrolmentToken(db.database, bus, server.admin, input)).token;
}

test("the pasted line joins, enrols and drills, and an agent's key of the environment is not used", async () => {
  await bundle();
  const line = connectLine({ client: "claude-code", url: server.url, name: "laptop of Ada", token: await newToken() });
  const env = { HOME: home, QUARTERDECK_KEY: `qd_${"1".repeat(43)}`, QUARTERDECK_URL: "" };
  const pasted = await execa("/bin/sh", ["-c", line], { cwd: home, env, reject: false });
  expect(pasted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("3 of 3 blocked") });
  expect(pasted.stderr).toContain("joined as laptop of Ada");
  expect(await readFile(headerFile(), "utf8")).not.toContain("111111");
  expect(await readFile(join(home, ".claude/settings.json"), "utf8")).toContain("quarterdeck");
  const { rows } = await db.owner.query(
    "SELECT agent_drill.client FROM agent_drill JOIN agent ON agent.id = agent_id WHERE name = 'laptop of Ada'",
  );
  expect(rows).toEqual([{ client: "claude-code" }]);
}, 120_000);

test("the line of plain HTTP shows the key on that machine, and asks a first question", async () => {
  const line = connectLine({ client: "http", url: server.url, name: "own loop", token: await newToken() });
  const { stdout } = await execa("/bin/sh", ["-c", line], { cwd: home, env: { HOME: home } });
  expect(stdout).toMatch(/export QUARTERDECK_KEY=qd_\w{43}_[0-9a-f]{64}/);
  const { rows } = await db.owner.query("SELECT last_seen_at IS NOT NULL AS seen FROM agent WHERE name = 'own loop'");
  expect(rows).toEqual([{ seen: true }]);
});

test("a second client joins with a key of its own, and the first keeps its key, its hooks and its drill", async () => {
  expect(await run(["connect", "claude-code", "--name", "first client"], await newToken())).toMatchObject({ code: 0 });
  const before = await Promise.all([headerFile(), join(home, ".claude/settings.json")].map((path) => readFile(path)));
  expect(await run(["connect", "cursor", "--name", "second client"], await newToken())).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("3 of 3 blocked"),
  });
  const after = await Promise.all([headerFile(), join(home, ".claude/settings.json")].map((path) => readFile(path)));
  expect(after).toEqual(before);
  const own = join(home, ".config/quarterdeck/cursor");
  expect(await readFile(join(own, "header"), "utf8")).not.toBe(before[0]?.toString());
  expect((await stat(join(own, "header"))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home, ".cursor/hooks.json"), "utf8")).toContain("quarterdeck/cursor/relay");
  expect(await run(["drill", "claude-code"], "")).toMatchObject({ code: 0 });
  const { rows } = await db.owner.query(
    `SELECT name, array_agg(DISTINCT agent_drill.client) AS clients FROM agent_drill JOIN agent ON agent.id = agent_id
     WHERE name IN ('first client', 'second client') GROUP BY name ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: "first client", clients: ["claude-code"] },
    { name: "second client", clients: ["cursor"] },
  ]);
  expect(await run(["enrol", "cursor", "--remove"], "")).toMatchObject({ code: 0 });
  expect(await run(["drill", "claude-code"], "")).toMatchObject({ code: 0 });
}, 120_000);

test("a client that is connected already keeps its agent, and the token keeps its use", async () => {
  expect(await run(["connect", "codex", "--name", "the codex"], await newToken())).toMatchObject({ code: 0 });
  expect(await run(["connect", "gemini", "--name", "the gemini"], await newToken())).toMatchObject({ code: 0 });
  const token = await newToken();
  expect(await run(["connect", "codex", "--name", "x"], token)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Codex is enrolled already"),
  });
  expect(await run(["connect", "gemini", "--name", "x"], token)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("gemini/header holds a key already"),
  });
  expect(await run(["connect", "qwen", "--name", "the qwen"], token)).toMatchObject({ code: 0 });
}, 120_000);

test("a client that does not exist, and a client with a key, leave the token its use", async () => {
  const token = await newToken();
  expect(await run(["connect", "clod", "--name", "x"], token)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no client "clod"'),
  });
  const own = join(home, ".config/quarterdeck/codex/header");
  await mkdir(dirname(own), { recursive: true });
  for (const path of [headerFile(), own]) await writeFile(path, "Authorization: Bearer qd_other\n");
  expect(await run(["connect", "codex", "--name", "x"], token)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("holds a key already"),
  });
  await expect(stat(join(home, ".codex"))).rejects.toThrow("ENOENT");
  await rm(own);
  expect(await run(["connect", "codex", "--name", "x"], token)).toMatchObject({ code: 0 });
}, 120_000);
