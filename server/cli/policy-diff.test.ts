/** The answer a script gets about a file before it publishes it: its own process, a real server, a real database. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/quarterdeck.mjs", import.meta.url));
const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no rm, type: builtin, command: safer_shell }
    - matcher: fetch
      hooks:
        - { name: asks, type: builtin, command: safer_shell }
`;

let db: TestDatabase;
let server: TestGateway;
let folder: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(POLICY, "guard");
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-diff-test-"));
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

function diff(args: readonly string[], text: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, QUARTERDECK_URL: server.url, QUARTERDECK_TOKEN: server.secrets.adminToken };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SCRIPT, "policy", "diff", ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(text);
  });
}

it("says what changes in meaning and line by line, and tells a script by its exit code when asked to", async () => {
  const changed = POLICY.replace("matcher: shell", "matcher: fetch_url").replace(/ {4}- matcher: fetch\n[\s\S]*$/, "");
  await writeFile(join(folder, "changed.yaml"), changed);
  const plain = await diff(["guard", "changed.yaml"], "");
  expect(plain).toMatchObject({ code: 0, stderr: "" });
  expect(plain.stdout).toMatch(/removed from pre_tool_use.*\(what was stopped may pass\)\n/);
  expect(plain.stdout).toContain("\n--- guard (in force)\n+++ changed.yaml\n@@");
  expect(plain.stdout).toContain("\n-    - matcher: shell\n+    - matcher: fetch_url\n");
  expect(await diff(["guard", "-", "--exit-code"], changed)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("+++ stdin"),
    stderr: "",
  });
});

it("knows what is only said differently, and what is the same", async () => {
  const commented = await diff(["guard", "-", "--exit-code"], `# a word\n${POLICY}`);
  expect(commented.code).toBe(1);
  expect(commented.stdout).toMatch(/^Nothing changes in meaning\.\n/);
  expect(await diff(["guard", "-", "--exit-code"], POLICY)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("refuses a text that is no policy, and a policy that nobody has", async () => {
  expect(await diff(["guard", "-"], "hooks: [")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stdin:1:"),
  });
  expect(await diff(["nobody", "-"], POLICY)).toMatchObject({ code: 1, stderr: expect.stringContaining("nobody") });
});
