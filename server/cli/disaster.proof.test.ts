/** Backup, destroy, restore, verify: the record of an installation that is gone is proven by what was kept outside. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, rm, watch, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { builtProgram } from "../../e2e/fixtures/built-program.ts";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { emptyDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const POLICY =
  "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks:\n        - {type: builtin, command: safer_shell}\n";

test("what is restored is the record that was kept, whole and unaltered", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-disaster-"));
  const home = join(folder, "home");
  const db = await testDatabase();
  const target = await emptyDatabase();
  let server: TestGateway | undefined = await testGateway(db.ownerUrl);
  const run = (args: readonly string[], env: Record<string, string> = {}) => quarterdeck(args, folder, env);
  const trusted = (at: TestGateway) => ({ QUARTERDECK_URL: at.url, QUARTERDECK_TOKEN: at.secrets.adminToken });
  try {
    const key = await server.agent("ci");
    await server.publish(POLICY, "guard");
    for (const cmd of ["ls", "rm -rf /", "make"]) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd } });
      await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
    }
    // The copies kept outside: a checkpoint and the key that signed it.
    const { checkpointer } = server.running.app.record;
    expect(await checkpointer.tick(true)).toBe(1);
    const [file = ""] = await readdir(checkpointer.dir);
    await copyFile(join(checkpointer.dir, file), join(folder, "outside.jsonl"));
    await writeFile(join(folder, "key.pem"), (await run(["audit", "keys"], trusted(server))).stdout);

    await mkdir(home, { mode: 0o700 });
    expect(await run(["backup", "all.tar"], { DATABASE_URL: db.ownerUrl, QUARTERDECK_DATA_DIR: home })).toMatchObject({
      code: 0,
    });
    await server.stop();
    server = undefined;
    await db.drop();

    const into = { DATABASE_URL: target.url, QUARTERDECK_DATA_DIR: join(folder, "new") };
    expect(await run(["restore", "all.tar"], into)).toMatchObject({ code: 0 });
    server = await testGateway(target.url);
    const exported = await run(["audit", "export", "--dispatches"], trusted(server));
    await writeFile(join(folder, "record.jsonl"), exported.stdout);
    const proof = ["audit", "verify", "record.jsonl", "--key", "key.pem", "--checkpoint", "outside.jsonl"];
    const { code, stdout } = await run(proof);
    expect(stdout).toMatch(/Nothing was altered: \d+ entries hold together, 3 dispatches as recorded/);
    expect(stdout).toContain("Nothing is missing");
    expect(code).toBe(0);
  } finally {
    await server?.stop();
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a restore that was killed midway is not taken for a new installation", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-killed-"));
  const dataDir = join(folder, "new");
  const target = await emptyDatabase();
  const env = { ...process.env, DATABASE_URL: target.url, QUARTERDECK_DATA_DIR: dataDir, PORT: "0" };
  try {
    await mkdir(dataDir, { mode: 0o700 });
    // A file that never comes to its end: the restore waits in the middle of it.
    await promisify(execFile)("mkfifo", [join(folder, "endless.tar")]);
    const seen = watch(dataDir)[Symbol.asyncIterator]();
    const appeared = seen.next();
    const commandLine = await builtProgram("command-line");
    const restore = spawn(process.execPath, [commandLine, "restore", join(folder, "endless.tar")], { env });
    const ended = once(restore, "exit");
    expect((await appeared).value.filename).toMatch(/^(run|\.restore-)/);
    while (!(await readdir(dataDir)).some((name) => name.startsWith(".restore-"))) await seen.next();
    restore.kill("SIGKILL");
    await ended;

    const start = spawn(process.execPath, [await builtProgram("main")], { env });
    const [said, [code]] = await Promise.all([text(start.stderr), once(start, "exit")]);
    expect(said).toContain(`A restore into ${dataDir} has not finished`);
    expect(said).toContain("restore again into a new data directory");
    expect(code).toBe(1);
  } finally {
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a restore that was killed while it made its database is not taken for a new installation either", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-killed-"));
  const dataDir = join(folder, "new");
  const { DATABASE_URL: _none, ...own } = process.env;
  const env = { ...own, QUARTERDECK_DATA_DIR: dataDir, PORT: "0" };
  try {
    await mkdir(dataDir, { mode: 0o700 });
    const seen = watch(dataDir)[Symbol.asyncIterator]();
    const appeared = seen.next();
    const commandLine = await builtProgram("command-line");
    const args = [commandLine, "restore", join(folder, "any.tar")];
    const restore = spawn(process.execPath, args, { env, detached: true, stdio: "ignore" });
    const ended = once(restore, "exit");
    await appeared;
    while (!(await readdir(dataDir)).some((name) => name === "postgres" || name === "run")) await seen.next();
    // With its children, of which one makes the database.
    process.kill(-(restore.pid ?? 0), "SIGKILL");
    await ended;
    expect((await readdir(dataDir)).filter((name) => name.startsWith(".restore-"))).toHaveLength(1);

    const start = spawn(process.execPath, [await builtProgram("main")], { env });
    const [said, [code]] = await Promise.all([text(start.stderr), once(start, "exit")]);
    expect(said).toContain(`A restore into ${dataDir} has not finished`);
    expect(code).toBe(1);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
