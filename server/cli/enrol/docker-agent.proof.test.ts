/**
 * docker-agent from its enrolment to its removal: real hook processes, a real gateway, and a runtime that reads the user's folder as
 * docker-agent does. Once in the form of each release.
 */
import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Spawner, startSpawner } from "@quarterdeck/hooks";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { startDockerAgent } from "../../../e2e/fixtures/docker-agent-runtime.ts";
import { createEnrolmentHome, type EnrolmentHome } from "../../../e2e/fixtures/enrolment-home.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import * as halts from "../../halts/index.ts";
import { describeDrill } from "../drill/command.ts";
import { Refusal } from "../refusal.ts";

const POLICY = `profile: "2026-08"
hooks:
  tool_input_transform:
    - matcher: shell
      hooks:
        - type: command
          command: |
            if grep -q change-me; then echo '{"hook_specific_output":{"updated_input":{"cmd":"touch changed"}}}'; fi
  tool_guard:
    - matcher: shell
      hooks: [{ type: command, command: "if grep -q guarded; then echo 'The guard says no.' >&2; exit 2; fi" }]
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks: [{ type: command, command: "if grep -q forbidden; then echo 'The early lane says no.' >&2; exit 2; fi" }]
    - matcher: shell
      hooks: [{ type: command, command: "if grep -q unwanted; then echo 'The late lane says no.' >&2; exit 2; fi" }]
`;

let db: TestDatabase;
let gateway: TestGateway;
let spawner: Spawner;
let silent: Server;
let silentUrl: string;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
  spawner = await startSpawner({ sandbox: "none" });
  silent = createServer((socket) => socket.on("error", () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  silentUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
});
afterAll(async () => {
  silent?.close();
  await spawner?.close();
  await gateway?.stop();
  await db?.drop();
});

let at: EnrolmentHome;
let programs: string;
let key: string;
beforeEach(async () => {
  at = await createEnrolmentHome();
  programs = await mkdtemp(join(tmpdir(), "docker-agent-program-"));
  key = await gateway.agent(`docker-agent ${randomUUID()}`);
});
afterEach(async () => {
  await at.remove();
  await rm(programs, { recursive: true, force: true });
});

/** A program that only says its version, and writes a mark into its settings' folder as docker-agent does at any start. */
async function install(version: string): Promise<Record<string, string>> {
  const path = join(programs, "docker-agent");
  const settings = join(at.home, ".config/cagent");
  await writeFile(
    path,
    `#!/bin/sh\nd=\${DOCKER_AGENT_CONFIG_DIR:-${settings}}; mkdir -p "$d"; : > "$d/.first_run"\necho "docker-agent version v${version}"\n`,
  );
  await chmod(path, 0o755);
  return { PATH: `${programs}:/usr/bin:/bin`, QUARTERDECK_KEY: key, QUARTERDECK_URL: gateway.url };
}

const runtime = (version: string, isAutonomous = false) =>
  startDockerAgent({
    ...{ home: at.home, directory: at.base, version, spawner, isAutonomous },
    environment: { PATH: "/usr/bin:/bin", HOME: at.home },
  });
const shell = (cmd: string) => ["shell", { cmd }] as const;

async function drill(env: Record<string, string>, args: readonly string[] = []) {
  let stdout = "";
  const context = {
    ...{ environment: env, homeDirectory: at.home, workingDirectory: at.base, writeError: () => undefined },
    writeOutput: (text: string) => {
      stdout += text;
    },
  };
  const code = await describeDrill(new Command("drill"), context)
    .exitOverride()
    .parseAsync(["docker-agent", "--json", ...args], { from: "user" })
    .then(
      () => 0,
      (error: unknown) => (error instanceof Refusal ? error.exitCode : Promise.reject(error)),
    );
  const read = stdout === "" ? null : JSON.parse(stdout);
  return { code, version: read?.version, outcomes: read?.results.map(({ outcome }: { outcome: string }) => outcome) };
}
const BLOCKED = ["blocked", "blocked", "blocked"];

describe.each(["1.147.0", "1.123.0"])("docker-agent %s", (version) => {
  const hasGuard = version === "1.147.0";

  test("is enrolled, held by every gate that it has, drilled, halted, and held without a console; then taken back", async () => {
    const env = await install(version);
    await at.write("home/.config/cagent/hooks.d/10-theirs.yaml", "stop: { type: command, command: 'true' }\n");
    const before = await at.snapshot();
    expect(await at.enrol(["docker-agent"], env)).toMatchObject({ code: 0 });
    const enrolled = await at.snapshot();
    expect(enrolled["home/.config/cagent/hooks.d/50-quarterdeck.yaml"]).toMatch(/^600 # Asks Quarterdeck/);

    const agent = await runtime(version);
    expect(agent.notes).toEqual([]);
    expect(await agent.call(...shell("ls"))).toMatchObject({ ran: true });
    expect(await agent.call(...shell("forbidden"))).toMatchObject({ ran: false, reason: "The early lane says no." });
    expect(await agent.call(...shell("unwanted"))).toMatchObject({ ran: false, reason: "The late lane says no." });
    expect(await agent.call(...shell("guarded"))).toMatchObject({ ran: false });
    // A release without the event for changes cannot carry one out.
    expect(await agent.call(...shell("change-me"))).toMatchObject(
      hasGuard
        ? { ran: true, input: { cmd: "touch changed" } }
        : { ran: false, reason: expect.stringContaining("cannot change it here") },
    );
    const unasked = await runtime(version, true);
    expect(await unasked.call(...shell("forbidden"))).toMatchObject({ ran: false });
    expect(await unasked.call(...shell("unwanted"))).toMatchObject({ ran: false, reason: "The late lane says no." });
    expect(await unasked.call(...shell("ls"))).toMatchObject({ ran: true });

    expect(await drill(env)).toEqual({ code: 0, version, outcomes: BLOCKED });
    expect(await drill(env, ["--outage"])).toMatchObject({ code: 0, outcomes: BLOCKED });

    const context = { db: db.database, bus: gateway.running.app.bus };
    const { id } = await halts.halt(context, gateway.admin, { target: { scope: "workspace" }, reason: "a key leaked" });
    expect(await agent.call(...shell("ls"))).toMatchObject({
      ran: false,
      reason: expect.stringContaining("a key leaked"),
    });
    expect(await drill(env)).toMatchObject({ outcomes: BLOCKED });
    await halts.resume(context, gateway.admin, { id, reason: "the key is replaced" });
    expect(await agent.call(...shell("ls"))).toMatchObject({ ran: true });

    expect(await at.enrol(["docker-agent", "--remove"], env)).toMatchObject({ code: 0 });
    expect(await at.snapshot()).toEqual(before);
    expect(await (await runtime(version)).call(...shell("forbidden"))).toMatchObject({ ran: true });
    expect((await drill(env)).code).toBe(1);
  });

  test("runs nothing while the console is down, and nothing while it is silent", async () => {
    const env = await install(version);
    const calls = async () => {
      const agent = await runtime(version, true);
      return [await agent.call(...shell("ls")), await agent.raise("user_prompt_submit", { prompt: "hello" })];
    };
    expect(await at.enrol(["docker-agent", "--url", "http://127.0.0.1:1"], env)).toMatchObject({ code: 0 });
    expect(await calls()).toMatchObject([{ ran: false }, false]);
    expect(await at.enrol(["docker-agent", "--url", silentUrl], env)).toMatchObject({ code: 0 });
    // The limits of the file are minutes; the same file with seconds.
    const path = join(at.home, ".config/cagent/hooks.d/50-quarterdeck.yaml");
    const text = (await at.snapshot())["home/.config/cagent/hooks.d/50-quarterdeck.yaml"] ?? "";
    await writeFile(path, text.replace(/^600 /, "").replaceAll(/ (exit|verdict|ignore) \d+ \d+/g, " $1 2 1"));
    expect(await calls()).toMatchObject([{ ran: false }, false]);
    const agent = await runtime(version);
    expect(await agent.raise("turn_end")).toBe(true);
  });
});

test("a file of another program that docker-agent skips is named, and ours is in force all the same", async () => {
  const env = await install("1.147.0");
  await mkdir(join(at.home, ".config/cagent"), { recursive: true });
  await at.write("home/.config/cagent/hooks.d/90-broken.yml", "on_lunch: { type: command, command: x }\n");
  await at.write("home/.config/cagent/config.yaml", "settings:\n  hooks:\n    stop: { type: command }\n");
  const { code, stderr } = await at.enrol(["docker-agent"], env);
  expect(code).toBe(0);
  expect(stderr).toMatch(/90-broken\.yml is skipped whole by docker-agent: .*on_lunch/);
  expect(stderr).toMatch(/config\.yaml, settings\.hooks is skipped whole by docker-agent/);
  expect(await (await runtime("1.147.0")).call(...shell("forbidden"))).toMatchObject({ ran: false });
});
