/** The files that an agent's machine fetches from the console, and the same program through the command line. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { everyHook, parseHooks } from "@quarterdeck/hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import { enrolment } from "../agents/enrolment.ts";

const CLI = fileURLToPath(new URL("../../scripts/quarterdeck.mjs", import.meta.url));
const DENY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, run_on: agent, command: 'echo not here >&2; exit 2' }]
`;
const INPUT = { session_id: "served", tool_name: "shell", tool_input: { cmd: "ls" } };

let db: TestDatabase;
let server: TestGateway;
let local: LocalExecutor;
let trustKey: string;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(DENY);
  key = await server.agent("laptop");
  trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  local = await localExecutor({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
}, 120_000);
afterAll(async () => {
  await local?.remove();
  await server?.stop();
  await db?.drop();
});

it.each([
  "quarterdeck-hook.mjs",
  "quarterdeck-hook.sh",
  "quarterdeck-enrol.mjs",
  "quarterdeck-enrol.sh",
  "quarterdeck-drill.mjs",
  "quarterdeck-inventory.mjs",
  "quarterdeck-mcp.mjs",
])("the console serves %s to everybody", async (name) => {
  const answer = await fetch(`${server.url}/${name}`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^#!\//);
  expect((await fetch(`${server.url}/${name}`, { method: "POST" })).status).toBe(405);
});

it("what the enrolment snippet says to fetch and to run gates, and blocks when the program is not there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "enrolled-"));
  const text = enrolment({ url: server.url, profile: "2026-08", trustKey }).local;
  const parsed = parseHooks((parse(text) as { hooks: unknown }).hooks, "2026-08"); // our own text
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const [, gate] = everyHook(parsed.hooks).filter(({ event }) => event === "pre_tool_use");
  const observer = everyHook(parsed.hooks).find(({ event }) => event === "stop");
  const env = { HOME: folder, ...gate?.hook.env };
  expect((await local.shell(gate?.hook.command ?? "", INPUT, env)).code).toBe(2);
  expect((await local.shell(observer?.hook.command ?? "", INPUT, env)).code).toBe(0);
  const fetching = (/mkdir .*&&\n#.*$/m.exec(text)?.[0] ?? "").replace("\n#", "\n");
  expect((await local.shell(fetching, "", env)).code).toBe(0);
  const program = join(folder, ".quarterdeck/quarterdeck-hook.mjs");
  const whole = await readFile(program, "utf8");
  const half = createServer((_request, response) => {
    response.writeHead(200, { "content-length": 500 }).write("half", () => response.destroy());
  });
  await new Promise<void>((resolve) => half.listen(0, "127.0.0.1", resolve));
  const broken = `http://127.0.0.1:${(half.address() as AddressInfo).port}`; // a TCP server's address
  expect((await local.shell(fetching.replace(server.url, broken), "", env)).code).not.toBe(0);
  expect(await readFile(program, "utf8")).toBe(whole);
  half.close();
  const ran = await local.shell(gate?.hook.command ?? "", INPUT, env);
  expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, { decision: "block", reason: "not here" }]);
  await rm(folder, { recursive: true, force: true });
});

it("the command line does the same, and ends in 2 where it cannot", async () => {
  const run = (args: readonly string[], url: string) =>
    new Promise<{ code: number; stdout: string }>((resolve) => {
      const env = { ...process.env, QUARTERDECK_URL: url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey };
      const child = execFile(
        process.execPath,
        [CLI, "hook", ...args],
        { env: { ...env, QUARTERDECK_HOOK_DIR: local.dir }, cwd: local.repository },
        (error, stdout) => resolve({ code: error === null ? 0 : Number(error.code), stdout }),
      );
      child.stdin?.end(JSON.stringify(INPUT));
    });
  const denied = await run(["pre_tool_use"], server.url);
  expect([denied.code, JSON.parse(denied.stdout)]).toEqual([0, { decision: "block", reason: "not here" }]);
  expect((await run(["pre_tool_use", "--no-such-flag"], server.url)).code).toBe(2);
  expect((await run(["pre_tool_use"], "http://127.0.0.1:9")).code).toBe(2);
});

it("the shim asks the console with curl alone, and fails closed", async () => {
  await writeFile(join(local.repository, "hook.sh"), await (await fetch(`${server.url}/quarterdeck-hook.sh`)).text());
  const shim = (rest: string, env = {}) => local.shell(`/bin/sh hook.sh ${rest}`, INPUT, env);
  expect(await shim("pre_tool_use")).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
  expect(await shim("pre_tool_use preempt_yolo")).toMatchObject({ code: 0 });
  const away = { QUARTERDECK_URL: "http://127.0.0.1:9" };
  expect(await shim("pre_tool_use", away)).toMatchObject({ code: 2, stdout: "" });
  expect(await shim("stop", away)).toMatchObject({ code: 0, stdout: "" });
  expect(await shim("pre_tool_use", { QUARTERDECK_KEY: "" })).toMatchObject({ code: 2 });
  const older = await shim("pre_tool_use", { QUARTERDECK_KEY: `qd_${"x".repeat(43)}` });
  expect(older).toMatchObject({ code: 2, stderr: expect.stringContaining("Create a new key for this agent") });
  const stranger = await shim("pre_tool_use", { QUARTERDECK_KEY: `qd_${"x".repeat(43)}_${"0".repeat(64)}` });
  expect(stranger).toMatchObject({ code: 2, stderr: expect.stringContaining("HTTP 401") });
  expect(await shim("")).toMatchObject({ code: 2 });
});
