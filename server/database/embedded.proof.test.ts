import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { createLog } from "../platform/log.ts";
import { type EmbeddedPostgres, startEmbedded } from "./embedded.ts";

const QUICK = { fsync: "off", shared_buffers: "16MB" };

let dataDir: string;
let postgres: EmbeddedPostgres | undefined;
let supervisor: ChildProcess | undefined;

// One cluster for all tests: making it is what takes long.
beforeAll(async () => {
  dataDir = await mkdtemp("/tmp/quarterdeck-pg-");
  await (await start()).stop();
});

afterEach(async () => {
  await postgres?.stop();
  supervisor?.kill("SIGKILL");
  await expect.poll(pidFileExists, { timeout: 15_000 }).toBe(false);
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function start(): Promise<EmbeddedPostgres> {
  postgres = await startEmbedded({ dataDir, socketDir: dataDir, log: createLog("silent"), settings: QUICK });
  return postgres;
}

async function startSupervisor(): Promise<ChildProcess> {
  const child = fork(await fixtureProgram("postgres-process"), [dataDir], {
    execArgv: [],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  supervisor = child;
  await once(child, "message");
  return child;
}

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client(`postgresql://quarterdeck@localhost/postgres?host=${encodeURIComponent(dataDir)}`);
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query({ text, rowMode: "array" });
  await client.end();
  return rows.flat();
}

function pidFileExists(): boolean {
  return existsSync(join(dataDir, "postgres/postmaster.pid"));
}

function postmaster(): number {
  return Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
}

test("nothing but a private unix socket leads to it", async () => {
  await start();
  expect(await query("SELECT current_setting('listen_addresses'), current_setting('unix_socket_permissions')")).toEqual(
    ["", "0700"],
  );
  expect(await query("SELECT current_setting('password_encryption') IS NOT NULL")).toEqual([true]);
});

test("a crash is followed by a restart that keeps what was committed", async () => {
  const running = await start();
  await query("CREATE TABLE IF NOT EXISTS kept (n int); INSERT INTO kept VALUES (1)").catch(() => undefined);
  process.kill(postmaster(), "SIGKILL");
  await expect.poll(() => running.state().state).toBe("restarting");
  await expect.poll(() => running.state().state, { timeout: 15_000 }).toBe("running");
  expect(await query("SELECT count(*)::int FROM kept")).toEqual([1]);
});

test("a crash in the middle of a statement is followed by one restart: what is left of it holds nothing up", async () => {
  const said: string[] = [];
  const log = createLog("silent");
  const running = await startEmbedded({
    dataDir,
    socketDir: dataDir,
    log: { ...log, error: (...words: unknown[]) => void said.push(JSON.stringify(words)) } as typeof log, // what it calls of it
    settings: QUICK,
  });
  postgres = running;
  // Of plain sums, in which nothing notices that the postmaster is gone.
  const busy = query("SELECT sum(n) FROM generate_series(1, 1e9::bigint) AS n").catch(() => undefined);
  await expect.poll(() => query("SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%sum(n)%'")).toEqual([2]);
  process.kill(postmaster(), "SIGKILL");
  await expect.poll(() => running.state().state).toBe("restarting");
  await expect.poll(() => running.state().state, { timeout: 15_000 }).toBe("running");
  await busy;
  expect(said).toEqual([expect.stringContaining("PostgreSQL crashed; restarting it")]);
});

test("a clean stop by somebody else is respected and said", async () => {
  const running = await start();
  process.kill(postmaster(), "SIGINT");
  await expect
    .poll(() => running.state())
    .toMatchObject({ state: "stopped", says: expect.stringContaining("operator") });
  expect(pidFileExists()).toBe(false);
});

test("it does not outlive its supervisor's kill -9", async () => {
  const child = await startSupervisor();
  expect(pidFileExists()).toBe(true);
  child.kill("SIGKILL");
  await expect.poll(pidFileExists, { timeout: 15_000 }).toBe(false);
});

test("one that a supervisor left behind, even frozen, is stopped by the next start", async () => {
  const child = await startSupervisor();
  const left = postmaster();
  process.kill(left, "SIGSTOP");
  child.kill("SIGKILL");
  const running = await start();
  expect(postmaster()).not.toBe(left);
  expect(running.state().state).toBe("running");
});

test("a stale pid file that names an innocent process harms nobody", async () => {
  await writeFile(join(dataDir, "postgres/postmaster.pid"), `${process.pid}\n${dataDir}/postgres\n`);
  expect((await start()).state().state).toBe("running");
});

test("a cluster of another major version is refused in words", async () => {
  const file = join(dataDir, "postgres/PG_VERSION");
  await writeFile(file, "17\n");
  await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, and this is 18/);
  await writeFile(file, "18\n");
});

test("a start that fails says PostgreSQL's own reason", async () => {
  const starting = startEmbedded({
    dataDir,
    socketDir: dataDir,
    log: createLog("silent"),
    settings: { ...QUICK, max_connections: "none" },
  });
  await expect(starting).rejects.toThrow(/did not start: invalid value for parameter "max_connections"/);
});
