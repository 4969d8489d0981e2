import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pack } from "tar-stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { testGateway } from "../../e2e/fixtures/gateway.ts";
import { longRun } from "../../e2e/fixtures/long-run.ts";
import { migrate, readMigrations } from "../database/index.ts";
import { openDatabase } from "../platform/db.ts";
import { INSTALLATION } from "../platform/scope.ts";
import { verifyStored } from "../record/verification/verify-stored.ts";
import { connectPlainly, listTables, referredFirst } from "./catalogue.ts";
import type { Manifest } from "./manifest.ts";
import { BackupError } from "./manifest.ts";
import { restoreBackup } from "./read.ts";
import { copyOut } from "./table-copy.ts";
import { writeBackup } from "./write.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: "echo no >&2; exit 2"
`;
const INPUT = (text: string) =>
  JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: text, tool_input: { cmd: `echo ${text}` } });

let original: TestDatabase;
let key: string;
/** Of the backup that all tests read; what they write themselves goes to `attempts`. */
let dir: string;
let backup: string;
let written: Manifest;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "quarterdeck-backup-test-"));
  backup = join(dir, "backup.tar");
  original = await testDatabase();
  const gateway = await testGateway(original.url);
  key = await gateway.agent("ada's agent");
  await gateway.publish(POLICY);
  // Tabs, line ends, quotes and what COPY escapes.
  for (const text of ["plain", "tab\\there", "line\\nend", "\\\\backslash", "ünï \\u0001"])
    await ask(gateway.url, key, text);
  await gateway.stop();
  await writeFile(join(dir, "signing-key.pem"), "the key");
  written = await writeBackup({ url: original.ownerUrl, file: backup, dataDir: dir, files: ["signing-key.pem"] });
});
afterAll(async () => {
  await original.drop();
  await rm(dir, { recursive: true });
});

let target: Awaited<ReturnType<typeof emptyDatabase>>;
let home: string;
let attempts: string;
beforeEach(async () => {
  target = await emptyDatabase();
  home = await mkdtemp(join(tmpdir(), "quarterdeck-restored-"));
  attempts = await mkdtemp(join(tmpdir(), "quarterdeck-attempts-"));
});
afterEach(async () => {
  await target.drop();
  await Promise.all([home, attempts].map((made) => rm(made, { recursive: true })));
});

async function ask(url: string, bearer: string, text: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: INPUT(text),
  });
  return { status: response.status, body: await response.text() };
}

/** Each table's rows, as a hash. */
async function contentOf(url: string): Promise<Record<string, string>> {
  const client = await connectPlainly(url, "test");
  const content: Record<string, string> = {};
  for (const table of await listTables(client)) {
    const { rows, sha256 } = await copyOut(client, table);
    content[table.name] = `${rows} ${sha256}`;
  }
  await client.end();
  return content;
}

/** The number of rows that somebody put there: since when hooks are counted is written by the migration itself. */
async function rowsOf(url: string): Promise<number> {
  const { hook_counting: _migrated, ...tables } = await contentOf(url);
  return Object.values(tables).reduce((sum, text) => sum + Number.parseInt(text, 10), 0);
}

/** The message of the refused restore, of whose backup nothing may be there. */
async function refusalOf(file: string): Promise<string> {
  const failure = await restoreBackup({ file, url: target.url, dataDir: home }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(BackupError);
  expect(await rowsOf(target.url)).toBe(0);
  expect(await readdir(home)).toEqual([]);
  return String(failure);
}

test("what is restored equals the original, every table of it, and agents go on with their keys", async () => {
  await restoreBackup({ file: backup, url: target.url, dataDir: home });
  const content = await contentOf(target.url);
  expect(content).toEqual(await contentOf(original.ownerUrl));
  expect(content.dispatch).toMatch(/^5 /);
  expect(content.chain_batch).toMatch(/^5 /);
  expect(await readFile(join(home, "signing-key.pem"), "utf8")).toBe("the key");

  const gateway = await testGateway(target.url);
  const answer = await ask(gateway.url, key, "after");
  await gateway.stop();
  expect(answer.status).toBe(200);
  expect(answer.body).toContain("no");

  const restored = openDatabase(target.url, { connectionsMax: 2, outside: INSTALLATION });
  const { rows } = await restored.pool.query<{ id: string }>("SELECT workspace_id AS id FROM audit_head");
  const reports = [];
  for (const { id } of rows) reports.push(await verifyStored(restored, id, { keys: [], outside: null }));
  await restored.close();
  expect(reports.map(({ altered, missing }) => altered.count + missing.count)).toEqual([0]);
  expect(reports[0]?.dispatches).toMatchObject({ batches: 6, held: 6 });
});

test("the file is for its owner alone, and nothing is left beside it", async () => {
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect((await readdir(dir)).sort()).toEqual(["backup.tar", "signing-key.pem"]);
  expect(written.files.map(({ name }) => name)).toEqual(["signing-key.pem"]);
});

const releases = (await readMigrations()).map(({ name }) => name);
/** The first and the one before the newest; the long run takes every sixth besides. */
const sampled = releases
  .slice(0, -1)
  .filter((_, index) => index === 0 || index === releases.length - 2 || (longRun && index % 6 === 0));

test.for(sampled)("a backup made after %s is restored and brought up to date", async (newest) => {
  const [old, next] = [await emptyDatabase(), await emptyDatabase()];
  await migrate(old.url, undefined, new Set(releases.slice(0, releases.indexOf(newest) + 1)));
  const client = new pg.Client(old.url);
  await client.connect();
  const id = "01900000-0000-7000-8000-000000000001";
  await client.query("INSERT INTO workspace (id, name) VALUES ($1, 'kept')", [id]);
  await client.query("INSERT INTO policy (workspace_id, id, name) VALUES ($1, $1, 'kept')", [id]);
  await client.end();
  const file = join(attempts, `${newest}.tar`);
  await writeBackup({ url: old.url, file, dataDir: dir, files: [] });
  await restoreBackup({ file, url: next.url, dataDir: home });
  expect(await migrate(next.url)).toEqual([]);
  const restored = new pg.Client(next.url);
  await restored.connect();
  expect((await restored.query("SELECT name FROM policy")).rows).toEqual([{ name: "kept" }]);
  await restored.end();
  await Promise.all([old.drop(), next.drop()]);
});

test("a database that holds anything is left alone", async () => {
  await migrate(target.url);
  const failure = await restoreBackup({ file: backup, url: target.url, dataDir: home }).catch(String);
  expect(failure).toContain("Restore into an empty one");
});

test("one changed byte, wherever it is, is noticed and nothing is kept", async () => {
  const bytes = await readFile(backup);
  const places = [bytes.indexOf("\0", 2_000), bytes.indexOf("the key"), bytes.lastIndexOf("tables/") + 600];
  for (const [index, at] of places.entries()) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    const file = join(attempts, `damaged-${index}.tar`);
    await writeFile(file, damaged);
    // A byte of padding carries nothing: then, and only then, the restore is the original.
    const failure = await restoreBackup({ file, url: target.url, dataDir: home }).catch((error: unknown) => error);
    if (failure instanceof Error) expect(await rowsOf(target.url)).toBe(0);
    else expect(await contentOf(target.url)).toEqual(await contentOf(original.ownerUrl));
    await rm(home, { recursive: true });
    await target.drop();
    target = await emptyDatabase();
    home = await mkdtemp(join(tmpdir(), "quarterdeck-restored-"));
  }
});

test("a backup that was cut off is refused by name", async () => {
  const file = join(attempts, "cut.tar");
  await writeFile(file, (await readFile(backup)).subarray(0, -20_000));
  expect(await refusalOf(file)).toMatch(/BackupError: .*(missing|cut off|cannot be read)/i);
});

/** The backup, with its manifest changed and files put in. */
async function tampered(
  change: (manifest: Manifest) => void,
  entries: readonly { name: string; type?: "file" | "symlink" | "link"; linkname?: string; text?: string }[],
): Promise<string> {
  const manifest: Manifest = { ...structuredClone(written), tables: [] };
  change(manifest);
  const tar = pack();
  tar.entry({ name: "manifest.json" }, JSON.stringify(manifest));
  for (const { text = "", ...header } of entries) tar.entry(header, header.type === undefined ? text : "");
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer); // a stream of bytes
  const file = join(attempts, "tampered.tar");
  await writeFile(file, Buffer.concat(parts));
  return file;
}
const listing = (name: string, text: string) => ({ name, sha256: createHash("sha256").update(text).digest("hex") });

test.each([
  "postgres/postgresql.auto.conf",
  "postgresql.auto.conf",
  "checkpoints/../admin-token",
  "../admin-token",
  "/etc/cron.d/x",
  "checkpoints/.hidden",
  "run/x",
  "scratch/x",
])("a backup cannot bring the file %s", async (name) => {
  const file = await tampered(
    (manifest) => manifest.files.push(listing(name, "x")),
    [{ name: `data/${name}`, text: "x" }],
  );
  expect(await refusalOf(file)).toContain("manifest cannot be read");
});

test("a link, a name that comes twice, and more bytes than allowed are refused", async () => {
  const admin = listing("admin-token", "x");
  const only = (manifest: Manifest) => {
    manifest.files = [admin];
  };
  for (const type of ["symlink", "link"] as const) {
    const file = await tampered(only, [{ name: "data/admin-token", type, linkname: "/etc/passwd" }]);
    expect(await refusalOf(file)).toContain("no plain file");
  }
  const twice = await tampered(
    (manifest) => {
      manifest.files = [admin, admin];
    },
    [{ name: "data/admin-token", text: "x" }],
  );
  expect(await refusalOf(twice)).toContain("manifest cannot be read");
  const again = await tampered(only, [
    { name: "data/admin-token", text: "x" },
    { name: "data/admin-token", text: "x" },
  ]);
  expect(await refusalOf(again)).toContain("does not list");
  const asked = { file: backup, url: target.url, dataDir: home, filesBytesMax: 3 };
  await expect(restoreBackup(asked)).rejects.toThrow("more than 3 bytes together");
});

test("a file that is there already is not overwritten, and nothing else is left", async () => {
  await writeFile(join(home, "signing-key.pem"), "mine");
  await expect(restoreBackup({ file: backup, url: target.url, dataDir: home })).rejects.toThrow(BackupError);
  expect(await readFile(join(home, "signing-key.pem"), "utf8")).toBe("mine");
  expect(await readdir(home)).toEqual(["signing-key.pem"]);
});

test("after a backup that failed, at whatever place it was cut, the whole one is accepted", async () => {
  const bytes = await readFile(backup);
  for (const share of [0.2, 0.6, 0.95]) {
    const file = join(attempts, "cut-at.tar");
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * share)));
    await refusalOf(file);
  }
  await restoreBackup({ file: backup, url: target.url, dataDir: home });
  expect(await contentOf(target.url)).toEqual(await contentOf(original.ownerUrl));
});

test("a file that is no backup is refused", async () => {
  const file = join(attempts, "no.tar");
  await writeFile(file, "hello");
  const failure = await restoreBackup({ file, url: target.url, dataDir: home }).catch(String);
  expect(failure).toMatch(/not a backup|cut off/i);
});

test("tables come after those they refer to, and a circle is no order", () => {
  const tables = ["a", "b", "c"].map((name) => ({ name }));
  const names = (list: { name: string }[]) => list.map(({ name }) => name).join("");
  expect(names(referredFirst(tables, [{ from: "a", to: "c" }]))).toBe("bca");
  expect(() =>
    referredFirst(tables, [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ]),
  ).toThrow("circle");
});
