/** Looking after an installation from the command line: a running server, its end, and the same again elsewhere. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

let db: TestDatabase;
let server: TestGateway;
let folder: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-operations-"));
});
afterAll(async () => {
  await server.stop();
  await db.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], env: Record<string, string>) => quarterdeck(args, folder, env);

test("an installation is written to one file while it runs, and comes back elsewhere", async () => {
  const home = join(folder, "home");
  const other = join(folder, "other");
  const target = await emptyDatabase();
  try {
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, "admin-token"), "qda_token\n", { mode: 0o600 });

    const backup = await run(["backup", "all.tar"], { DATABASE_URL: db.ownerUrl, QUARTERDECK_DATA_DIR: home });
    expect(backup).toMatchObject({ code: 0, stdout: "" });
    expect(backup.stderr).toContain("holds the keys to everything");

    const into = { DATABASE_URL: target.url, QUARTERDECK_DATA_DIR: other };
    const restore = await run(["restore", "all.tar"], into);
    expect(restore.stderr).toContain("The installation is as it was at");
    expect(restore.code).toBe(0);
    expect(await readFile(join(other, "admin-token"), "utf8")).toBe("qda_token\n");

    const twice = await run(["restore", "all.tar"], into);
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain("belongs to an installation");
  } finally {
    await target.drop();
  }
});

test("a backup never takes the place of a file, and the keys can stay at home", async () => {
  const home = join(folder, "keys");
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(folder, "here.tar"), "mine");
  const into = { DATABASE_URL: db.ownerUrl, QUARTERDECK_DATA_DIR: home };
  expect(await run(["backup", "here.tar"], into)).toMatchObject({ code: 2 });
  expect(await readFile(join(folder, "here.tar"), "utf8")).toBe("mine");
  await writeFile(join(home, "admin-token"), "qda_token\n", { mode: 0o600 });
  const without = await run(["backup", "--without-secrets", "bare.tar"], into);
  expect(without).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, "bare.tar"), "latin1")).not.toContain("qda_token");
  expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
});

test("the doctor says what it found, and exits with 1 when something must be done", async () => {
  const trusted = { QUARTERDECK_URL: server.url, QUARTERDECK_TOKEN: server.secrets.adminToken };
  const words = await run(["doctor"], trusted);
  // The database of these tests keeps nothing it acknowledged, and the doctor sees it.
  expect(words.code).toBe(1);
  expect(words.stdout).toMatch(/^✖ PostgreSQL runs with fsync/);
  const json = JSON.parse((await run(["doctor", "--json"], trusted)).stdout);
  expect(json.findings).toContainEqual(expect.objectContaining({ id: "exposure", state: "ok" }));
});

test("without a server the doctor looks at the machine, and says what it could not look at", async () => {
  const { code, stdout } = await run(["doctor"], { QUARTERDECK_URL: "http://127.0.0.1:9", QUARTERDECK_TOKEN: "short" });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✖ No server answers/);
  expect(stdout).toContain("✖ QUARTERDECK_TOKEN can be guessed.");
  expect(stdout).toContain("✔ Node is");
});
