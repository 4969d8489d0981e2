/** `quarterdeck login`, `logout` and `whoami` as a machine runs them: processes of their own, a real gateway, a browser. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Browser, signedIn } from "../../../e2e/fixtures/browser.ts";
import { quarterdeck } from "../../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { startLogin } from "../../../e2e/fixtures/login-process.ts";

let db: TestDatabase;
let server: TestGateway;
let home: string;
let key: string;
let mia: Browser;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  mia = await signedIn(server.url, db.database, server.admin.workspaceId, "viewer");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quarterdeck-login-"));
  key = await server.agent(`laptop ${home.slice(-6)}`);
  await mkdir(join(home, ".config/quarterdeck"), { recursive: true });
  await writeFile(join(home, ".config/quarterdeck/header"), `Authorization: Bearer ${key}\n`);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const environment = () => ({ HOME: home, QUARTERDECK_URL: server.url, QUARTERDECK_KEY: "" });
const run = (...args: readonly string[]) => quarterdeck(args, home, environment());

const login = () => startLogin(home, server.url);

test("a person logs in, sees it, and logs out", async () => {
  expect(await run("whoami")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/works for an unknown person\n$/),
  });
  const { code, ended } = await login();
  const userCode = await code;
  const { value } = await mia.query("deviceLogin.find", { userCode });
  expect(value).toMatchObject({ hostName: hostname().replace(/[^A-Za-z0-9._-]+/g, "-") });
  expect(await mia.mutate("deviceLogin.confirm", { userCode })).toMatchObject({ status: 200 });
  const done = await ended;
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/works for viewer \(proven\)\n$/) });
  expect(done.stderr).toContain(`${server.running.app.url}/agents/login`);
  expect(done.stderr).not.toContain(key);
  expect(await run("whoami")).toMatchObject({ code: 0, stdout: done.stdout });
  const out = await run("logout");
  expect(out).toMatchObject({ code: 0, stdout: expect.stringMatching(/works for an unknown person\n$/) });
  expect(out.stderr).toContain("Logged out viewer.");
  expect(await run("logout")).toMatchObject({ code: 0, stderr: expect.stringContaining("No person was logged in.") });
});

test("a refused login ends the command with a sentence", async () => {
  const { code, ended } = await login();
  await mia.mutate("deviceLogin.refuse", { userCode: await code });
  expect(await ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("refused in the console") });
});

test("a machine without a key is asked to join first", async () => {
  await rm(join(home, ".config/quarterdeck/header"));
  const refused = { code: 1, stdout: "", stderr: expect.stringContaining("Run quarterdeck join first") };
  for (const verb of ["login", "logout", "whoami"]) expect(await run(verb)).toMatchObject(refused);
});

test.each([
  [["login", "notepad"], 2, "There is no client"],
  [["login", "codex"], 2, "has no key of its own"],
  [["whoami", "--url", "console"], 2, "say where Quarterdeck is"],
] as const)("%j is one sentence", async (args, code, says) => {
  expect(await run(...args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) });
});
