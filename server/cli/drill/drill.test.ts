/** Drills as they are made: the files that an enrolment writes, real hook processes, a real gateway. */

import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { enrolment } from "../../agents/enrolment.ts";
import { ENROLLED_CLIENT_NAMES } from "../../dialects/schema.ts";
import { describeEnrol } from "../enrol/command.ts";
import type { ProcessContext } from "../enrol/process-context.ts";
import { Refusal } from "../refusal.ts";
import { describeDrill } from "./command.ts";

let db: TestDatabase;
let gateway: TestGateway;
let base: string;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "quarterdeck-drill-"));
  await mkdir(join(base, "home"));
  await mkdir(join(base, "project"));
  key = await gateway.agent(`drilled ${randomUUID()}`);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const VERBS = { enrol: describeEnrol, drill: describeDrill };

async function run(verb: keyof typeof VERBS, args: readonly string[], env: Record<string, string> = {}) {
  const written = { stdout: "", stderr: "" };
  const context: ProcessContext = {
    environment: { PATH: process.env.PATH, QUARTERDECK_KEY: key, QUARTERDECK_URL: gateway.url, ...env },
    homeDirectory: join(base, "home"),
    workingDirectory: join(base, "project"),
    writeOutput: (text) => {
      written.stdout += text;
    },
    writeError: (text) => {
      written.stderr += text;
    },
  };
  try {
    await VERBS[verb](new Command(verb), context).exitOverride().parseAsync(args, { from: "user" });
    return { code: 0, ...written };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...written, code: error.exitCode, stderr: `${written.stderr}${error.message}` };
  }
}

interface Drilled {
  readonly results: readonly { call: number; event: string; outcome: string; policy: string | null }[];
  readonly notes: readonly string[];
}
async function drillJson(args: readonly string[], env?: Record<string, string>) {
  const { code, stdout, stderr } = await run("drill", [...args, "--json"], env);
  if (stdout === "") throw new Error(stderr);
  const drilled = JSON.parse(stdout) as Drilled;
  return { code, stderr, outcomes: drilled.results.map(({ outcome }) => outcome), ...drilled };
}

async function write(path: string, value: unknown, mode = 0o644): Promise<void> {
  const full = join(base, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, typeof value === "string" ? value : JSON.stringify(value));
  await chmod(full, mode);
}

const BLOCKED = ["blocked", "blocked", "blocked"];

describe.each(ENROLLED_CLIENT_NAMES)("%s as it is enrolled", (client) => {
  test("is held by a gate that answers, and while the console is away", async () => {
    expect(await run("enrol", [client])).toMatchObject({ code: 0 });
    const live = await drillJson([client]);
    expect(live).toMatchObject({ code: 0, outcomes: BLOCKED });
    expect(live.results.map(({ policy }) => policy)).toEqual(["allow", "allow", "allow"]);
    const away = await drillJson([client, "--outage"]);
    expect(away).toMatchObject({ code: 0, outcomes: BLOCKED });
    expect(away.results.map(({ policy }) => policy)).toEqual([null, null, null]);
  });
});

test("docker-agent with the block of its enrolment is held, and while the console is away", async () => {
  const { hooks } = parse(enrolment({ url: gateway.url, profile: "2026-08", trustKey: "none" }).hooks) as {
    hooks: object;
  };
  await write("project/agent.yaml", stringify({ agents: { root: { hooks } } }));
  const args = ["docker-agent", "--config", "agent.yaml"];
  expect(await drillJson(args)).toMatchObject({ code: 0, outcomes: BLOCKED });
  expect(await drillJson([...args, "--outage"])).toMatchObject({ code: 0, outcomes: BLOCKED });
  expect((await run("drill", [...args, "--agent", "other"])).stderr).toContain("has the agents root");
});

test("a person reads what became of each call, and strictness asks for the policy's own denial", async () => {
  await run("enrol", ["claude-code"]);
  const { code, stdout } = await run("drill", ["claude-code"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Claude Code, liveness: 3 of 3 blocked");
  expect(stdout).toContain("PreToolUse Bash   blocked: the gate answered; the policy would allow it");
  const strict = await run("drill", ["claude-code", "--strict"]);
  expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining("denies only 0 of 3") });
});

describe("a client without an answer", () => {
  const HOOK = { type: "command", command: "true" };
  const settings = (hooks: object) => write("home/.claude/settings.json", { hooks });

  test("that was never enrolled is not governed", async () => {
    const { code, stderr, stdout } = await run("drill", ["claude-code"]);
    expect(code).toBe(1);
    expect(stdout).toContain("0 of 3 blocked");
    expect(stderr).toContain("Claude Code is not governed here");
    const keyless = await run("drill", ["claude-code"], { QUARTERDECK_KEY: "" });
    expect(keyless).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("not governed") });
  });

  test("differs from one whose hook asks for some tools alone", async () => {
    await run("enrol", ["claude-code"]);
    const enrolled = JSON.parse(await readFile(join(base, "home/.claude/settings.json"), "utf8"));
    enrolled.hooks.PreToolUse[0].matcher = "Bash";
    delete enrolled.hooks.UserPromptSubmit;
    await settings(enrolled.hooks);
    const { code, outcomes } = await drillJson(["claude-code"]);
    expect({ code, outcomes }).toEqual({ code: 1, outcomes: ["blocked", "unconfigured", "unconfigured"] });
  });

  test("passes where its hook lets it, and is held where another hook refuses", async () => {
    await settings({ PreToolUse: [{ hooks: [HOOK] }], UserPromptSubmit: [{ hooks: [HOOK] }] });
    expect(await drillJson(["claude-code"])).toMatchObject({ code: 1, outcomes: ["passed", "passed", "passed"] });
    await run("enrol", ["claude-code"]);
    expect(await drillJson(["claude-code"])).toMatchObject({ code: 0, outcomes: BLOCKED });
  });

  test("that blocks by itself, without the gate, is no proof of it", async () => {
    const refusing = { ...HOOK, command: "echo no >&2; exit 2" };
    await settings({ PreToolUse: [{ hooks: [refusing] }], UserPromptSubmit: [{ hooks: [refusing] }] });
    const { code, outcomes } = await drillJson(["claude-code"]);
    expect({ code, outcomes }).toEqual({ code: 1, outcomes: ["unanswered", "unanswered", "unanswered"] });
  });

  test("keeps hooks that the client would not run out of the count, and says why", async () => {
    await run("enrol", ["claude-code"]);
    const path = join(base, "home/.claude/settings.json");
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), disableAllHooks: true }));
    const off = await drillJson(["claude-code"]);
    expect(off.outcomes).toEqual(["unconfigured", "unconfigured", "unconfigured"]);
    expect(off.notes[0]).toContain("disableAllHooks");
    await writeFile(path, "{ broken");
    expect((await drillJson(["claude-code"])).notes[0]).toContain("cannot be read");
  });

  test("and whose hook never ends is not waited for longer than the client does", async () => {
    const endless = { ...HOOK, command: "exec sleep 600", timeout: 1 };
    await settings({ PreToolUse: [{ hooks: [endless] }], UserPromptSubmit: [{ hooks: [endless] }] });
    expect((await drillJson(["claude-code"])).outcomes).toEqual(["passed", "passed", "passed"]);
  });
});

test("an HTTP hook is asked over HTTP, and fails closed only where it says so", async () => {
  const hook = (event: string) => ({
    ...{ type: "http", url: `${gateway.url}/api/v1/hooks/claude-code/${event}`, onFailure: "block" },
    ...{ headers: { authorization: "Bearer $QUARTERDECK_KEY" }, allowedEnvVars: ["QUARTERDECK_KEY"] },
  });
  const { onFailure: _, ...open } = hook("UserPromptSubmit");
  const hooks = { PreToolUse: [{ hooks: [hook("PreToolUse")] }], UserPromptSubmit: [{ hooks: [open] }] };
  await write("project/.claude/settings.json", { hooks });
  expect(await drillJson(["claude-code", "--project"])).toMatchObject({ code: 0, outcomes: BLOCKED });
  const away = await drillJson(["claude-code", "--project", "--outage"]);
  expect({ code: away.code, outcomes: away.outcomes }).toEqual({ code: 1, outcomes: ["blocked", "blocked", "passed"] });
});

test("an outage that the hooks do not notice is none", async () => {
  const url = "$CONSOLE/api/v1/hooks/claude-code/$1";
  const header = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`;
  await write(
    "project/ask.sh",
    `CONSOLE=${gateway.url}\ncurl -q -sS --noproxy '*' ${header} --data-binary @- "${url}"\n`,
  );
  const hook = (event: string) => [{ hooks: [{ type: "command", command: `sh ask.sh ${event}` }] }];
  const hooks = { PreToolUse: hook("PreToolUse"), UserPromptSubmit: hook("UserPromptSubmit") };
  await write("home/.claude/settings.json", { hooks });
  const { code, outcomes } = await drillJson(["claude-code", "--outage"]);
  expect({ code, outcomes }).toEqual({ code: 1, outcomes: ["reached", "reached", "reached"] });
});

describe("what answers in the console's place", () => {
  let server: Server;
  let reply: { status: number; body: string };
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(reply.status, { "content-type": "text/html" }).end(reply.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test.each([
    [{ status: 200, body: "<html>" }, "is not Quarterdeck"],
    [{ status: 500, body: "<html>" }, "answered 500"],
    [{ status: 200, body: "" }, "is not Quarterdeck"],
  ])("is no gate: %j", async (answer, words) => {
    reply = answer;
    const { code, stderr, stdout } = await run("drill", ["claude-code", "--url", url()]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words);
  });

  test("is found out behind hooks that ask it, while the real console knows of nothing", async () => {
    reply = { status: 200, body: "<html>" };
    await run("enrol", ["codex", "--url", url()]);
    const { outcomes } = await drillJson(["codex", "--url", gateway.url]);
    expect(outcomes).toEqual(["unanswered", "unanswered", "unanswered"]);
  });
});

test.each([
  [["emacs"], "There is no client"],
  [["claude-code", "--user", "--managed"], "Give one of"],
  [["copilot", "--managed"], "reads no managed settings"],
  [["docker-agent", "--agent", "root"], "--agent goes with --config"],
  [["codex", "--config", "a.yaml"], "--config is for docker-agent"],
])("what was asked wrongly ends with 2: %j", async (args, words) => {
  const { code, stderr } = await run("drill", args);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});
