/** `quarterdeck join` as a machine runs it: a process of its own, an empty home, a real gateway. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { bundle } from "../../scripts/bundle.mjs";
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
  home = await mkdtemp(join(tmpdir(), "quarterdeck-join-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const headerFile = () => join(home, ".config/quarterdeck/header");
const run = (args: readonly string[], stdin = "") =>
  quarterdeck(args, home, { HOME: home, QUARTERDECK_URL: server.url, QUARTERDECK_KEY: "" }, stdin);

async function newToken(uses = 1): Promise<string> {
  const { bus } = server.running.app;
  return (await agents.createEnrolmentToken(db.database, bus, server.admin, { name: "laptops", uses, hours: 1 })).token;
}

test("the key is written where enrol looks for it, and nowhere else", async () => {
  await writeFile(join(home, "token"), `${await newToken()}\n`);
  const joined = await run(["join", "--url", `${server.url}/`, "--token-file", "token", "--name", "laptop of Mia"]);
  expect(joined).toMatchObject({ code: 0, stdout: "laptop of Mia\n" });
  const header = await readFile(headerFile(), "utf8");
  const [, key = ""] = /^Authorization: Bearer (qd_\w{43})\n$/.exec(header) ?? [];
  expect((await stat(headerFile())).mode & 0o777).toBe(0o600);
  expect(key).not.toBe("");
  expect(joined.stderr).not.toContain(key);
  const answerKey = headerFile().replace(/header$/, "answer-key");
  expect((await stat(answerKey)).mode & 0o777).toBe(0o600);
  expect(await readFile(answerKey, "utf8")).toBe(`${server.running.app.answerKeys.of(key)}\n`);
  const policy = await fetch(`${server.url}/api/v1/policy`, { headers: { authorization: `Bearer ${key}` } });
  expect(policy.status).toBe(200);
  expect(await run(["enrol", "claude-code"])).toMatchObject({ code: 0 });
  expect(await readFile(headerFile(), "utf8")).toBe(header);
});

test("the token may come from stdin; one that is used up is refused in a sentence, and nothing is written", async () => {
  const token = await newToken();
  expect(await run(["join", "--token-file", "-", "--name", "first"], token)).toMatchObject({ code: 0 });
  await rm(headerFile());
  const second = await run(["join", "--token-file", "-", "--name", "second"], token);
  expect(second).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("was used once") });
  expect(second.stderr).not.toContain(token);
  await expect(stat(headerFile())).rejects.toThrow("ENOENT");
});

test("a machine without this project joins with the one file that the console serves, and enrols with it", async () => {
  await bundle();
  const served = await fetch(`${server.url}/quarterdeck-enrol.mjs`);
  const program = join(home, "quarterdeck-enrol.mjs");
  await writeFile(program, await served.text());
  const node = (args: readonly string[], input = "") =>
    execa(process.execPath, [program, ...args], { env: { HOME: home, QUARTERDECK_KEY: "" }, input, reject: false });
  const asked = ["join", "--url", server.url, "--token-file", "-", "--name", "bare machine"];
  expect(await node(asked, await newToken())).toMatchObject({ exitCode: 0, stdout: "bare machine" });
  const key = await readFile(headerFile(), "utf8");
  expect(key).toMatch(/^Authorization: Bearer qd_/);
  expect(await node(["codex", "--user", "--url", server.url])).toMatchObject({ exitCode: 0 });
  expect(await readFile(headerFile(), "utf8")).toBe(key);
  expect(await node(asked, "qdj_none")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("holds a key already"),
  });
});

test("a machine that has a key keeps it, and the token its use", async () => {
  const token = await newToken();
  await mkdir(join(home, ".config/quarterdeck"), { recursive: true });
  await writeFile(headerFile(), "Authorization: Bearer qd_other\n");
  const refused = await run(["join", "--token-file", "-", "--name", "third"], token);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("holds a key already") });
  await rm(headerFile());
  expect(await run(["join", "--token-file", "-", "--name", "third"], token)).toMatchObject({ code: 0 });
});

test.each([
  [["--token-file", "-", "--name", "x"], "qd_not_a_token", 2, "holds no enrolment token"],
  [["--token-file", "absent", "--name", "x"], "", 1, "cannot be read (ENOENT)"],
  [["--token-file", "-", "--name", "../x"], "", 2, "Give --name."],
  [["--token-file", "-", "--url", "console", "--name", "x"], "", 2, "--url https://"],
] as const)("%j is one sentence", async (args, stdin, code, says) => {
  const refused = await run(["join", ...args], stdin);
  expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) });
});
