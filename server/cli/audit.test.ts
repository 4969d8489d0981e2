/** The record as an auditor gets it: exported, carried elsewhere, proven there without any server. */
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const POLICY =
  "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks:\n        - {type: builtin, command: safer_shell}\n";

let db: TestDatabase;
let server: TestGateway;
let folder: string;
let exported: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-audit-"));
  const key = await server.agent("ci");
  await server.publish(POLICY, "guard");
  for (const cmd of ["ls", "rm -rf /", "make"]) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd } });
    const answer = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  }
  const { checkpointer } = server.running.app.record;
  expect(await checkpointer.tick(true)).toBe(1);
  const [file = ""] = await readdir(checkpointer.dir);
  await copyFile(join(checkpointer.dir, file), join(folder, "outside.jsonl"));
  await server.publish(`${POLICY}\n`, "guard");
  // Here, because a test harms what is exported.
  const answered = await run(["audit", "export", "--dispatches"]);
  expect(answered.code).toBe(0);
  exported = answered.stdout;
  await writeFile(join(folder, "key.pem"), (await run(["audit", "keys"])).stdout);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

function run(args: readonly string[], offline = false) {
  const QUARTERDECK_URL = offline ? "http://127.0.0.1:9" : server.url;
  return quarterdeck(args, folder, {
    QUARTERDECK_URL,
    QUARTERDECK_TOKEN: offline ? "none" : server.secrets.adminToken,
  });
}

test("an export is proven offline, and one changed byte is named", async () => {
  await writeFile(join(folder, "record.jsonl"), exported);
  const proof = ["audit", "verify", "record.jsonl", "--key", "key.pem", "--checkpoint", "outside.jsonl"];
  const proven = await run(proof, true);
  expect(proven.stdout).toMatch(
    /Altered\n {2}Nothing was altered: \d+ entries hold together, 3 dispatches as recorded\./,
  );
  expect(proven.stdout).toMatch(
    /Missing\n {2}Nothing is missing: entries 1 to \d+ are all there\.\n {2}1 entry after the last checkpoint/,
  );
  expect(proven.code).toBe(0);

  const blind = await run(["audit", "verify", "record.jsonl", "--key", "key.pem"], true);
  expect(blind.stdout).toContain("Without a checkpoint from outside nobody can say");
  expect(blind.code).toBe(3);

  const changed = exported.replace(
    '"tool_input\\":{\\"cmd\\":\\"rm -rf /\\"}',
    '"tool_input\\":{\\"cmd\\":\\"rm -rf .\\"}',
  );
  expect(changed).not.toBe(exported);
  await writeFile(join(folder, "record.jsonl"), changed);
  const dispatch = await run(proof, true);
  expect(dispatch.code).toBe(1);
  expect(dispatch.stdout).toMatch(
    /1 thing was altered:\n {4}entry \d+ \(dispatches_recorded\): dispatch [0-9a-f-]{36} is not what was recorded/,
  );

  await writeFile(join(folder, "record.jsonl"), exported.replace('\\"name\\":\\"guard\\"', '\\"name\\":\\"gard\\"'));
  const entry = await run([...proof, "--json"], true);
  expect(entry.code).toBe(1);
  expect(JSON.parse(entry.stdout).altered.findings[0]).toMatchObject({ kind: "policy_created" });

  const lines = exported.split("\n");
  const isEntry = (line: string) => line.startsWith('{"type":"entry"');
  const cut = lines
    .filter((line) => !isEntry(line) || JSON.parse(line).seq < 4)
    .filter((line) => !/"type":"(end|dispatch|checkpoint)"/.test(line));
  const last = JSON.parse(cut.findLast(isEntry) ?? "{}");
  const end = JSON.stringify({ type: "end", entries: 3, seq: 3, hash: last.hash });
  await writeFile(join(folder, "record.jsonl"), `${[...cut.filter((line) => line !== ""), end].join("\n")}\n`);
  const short = await run(proof, true);
  expect(short.code).toBe(1);
  expect(short.stdout).toMatch(/the chain ends at entry 3, before checkpoint \d+ \(.*\): \d+ entries are cut off/);
  expect(short.stdout).toContain("Nothing was altered");
});

test("a verification of the running server that is interrupted goes on where it was", async () => {
  let pages = 0;
  const between = createServer((request, response) => {
    if (request.url?.includes("audit.exportPage")) pages += 1;
    if (pages > 1) request.socket.destroy();
    else
      void fetch(`${server.url}${request.url}`, {
        headers: { authorization: request.headers.authorization ?? "" },
      }).then(async (answer) => response.writeHead(answer.status).end(await answer.text()));
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const address = between.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const args = ["audit", "verify", "--checkpoint", "outside.jsonl", "--resume", "place.json"];
  const cut = await quarterdeck(args, folder, {
    QUARTERDECK_URL: `http://127.0.0.1:${port}`,
    QUARTERDECK_TOKEN: server.secrets.adminToken,
  });
  between.close();
  expect(cut.code).toBe(1);
  expect(cut.stdout).toBe("");
  expect(await readdir(folder)).toContain("place.json");

  const done = await run(args);
  expect(done.stderr).toMatch(/Goes on after \d+ entries\./);
  expect(done.stdout).toContain("3 dispatches as recorded");
  expect(done.code).toBe(0);
  expect(await readdir(folder)).not.toContain("place.json");
  await writeFile(join(folder, "place.json"), '{"version":1}');
  expect((await run(args)).stderr).toContain("place.json holds no place of a verification");
  await rm(join(folder, "place.json"));
});

test("the record of the running server is proven with its dispatches, without a file", async () => {
  const whole = await run(["audit", "verify", "--checkpoint", "outside.jsonl"]);
  expect(whole.stdout).toContain("3 dispatches as recorded");
  expect(whole.code).toBe(0);
  const { pool } = db.database;
  const kept = await pool.query("SELECT id, verdict, batch FROM dispatch");
  await pool.query("UPDATE dispatch SET verdict = 'other' WHERE id = (SELECT max(id::text)::uuid FROM dispatch)");
  await pool.query(
    "UPDATE dispatch SET batch = gen_random_uuid() WHERE id = (SELECT min(id::text)::uuid FROM dispatch)",
  );
  const harmed = await run(["audit", "verify", "--checkpoint", "outside.jsonl"]);
  for (const { id, verdict, batch } of kept.rows)
    await pool.query("UPDATE dispatch SET verdict = $2, batch = $3 WHERE id = $1", [id, verdict, batch]);
  expect(harmed.code).toBe(1);
  expect(harmed.stdout).toContain("is not what was recorded");
  expect(harmed.stdout).toContain("belongs to no batch that was recorded");
  expect(harmed.stdout).toContain("1 of its 1 dispatches is missing");
});

test.each([
  [["audit", "verify", "none.jsonl", "--key", "outside.jsonl"], "holds no Ed25519 public key"],
  [["audit", "verify", "outside.jsonl"], "--key FILE"],
  [["audit", "verify", "outside.jsonl", "--key", "key.pem"], "Line 1 does not begin an export"],
  [["audit", "verify", "missing.jsonl", "--key", "key.pem"], "could not be read"],
  [["audit", "export", "--from", "0"], "Give an entry's number."],
])("%j is refused in one sentence", async (args, says) => {
  const { code, stderr } = await run(args, true);
  expect(stderr).toContain(says);
  expect(code).toBe(2);
});
