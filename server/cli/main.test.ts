/** The command line as a script uses it: its own process, a real server, a real database. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quarterdeck, type Ran } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { longRun } from "../../e2e/fixtures/long-run.ts";

const DATA = fileURLToPath(new URL("../../../shared/data/", import.meta.url));
const isRecorded = existsSync(DATA);
if (longRun && !isRecorded) console.info("the recorded sessions are not beside this checkout: they are not replayed");

let db: TestDatabase;
let server: TestGateway;
let folder: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-cli-"));
});
afterAll(async () => {
  await server.stop();
  await db.drop();
  await rm(folder, { recursive: true, force: true });
});

function run(args: readonly string[], more: { env?: Record<string, string>; stdin?: string } = {}): Promise<Ran> {
  const trusted = { QUARTERDECK_URL: server.url, QUARTERDECK_TOKEN: server.secrets.adminToken };
  return quarterdeck(args, folder, { ...trusted, ...more.env }, more.stdin);
}

async function stats(): Promise<{ overall: { event_count: number; ledger: { usd: string } } }> {
  return JSON.parse((await run(["stats", "--json"])).stdout);
}

async function keyOf(agent: string): Promise<string> {
  return (await run(["key", "create", "--agent", agent])).stdout.trim();
}

describe("asked wrongly", () => {
  test.each([
    { args: ["launch"], says: 'There is no verb "launch".' },
    { args: ["key", "create"], says: "--agent" },
    { args: ["replay", "x.jsonl", "--key", "k", "--as", "rumour"], says: "rumour" },
    { args: ["replay", "x.jsonl", "--key", "k", "--speed", "0"], says: "above 0" },
  ])("$args is one sentence and exit 2", async ({ args, says }) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(says);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each([[[]], [["key"]], [["policy", "publish"]], [["replay"]], [["stats"]]])("%j has --help", async (verb) => {
    const { code, stdout } = await run([...verb, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: quarterdeck");
  });

  test("a server that is away, or does not trust us, is one sentence and exit 1", async () => {
    const away = await run(["stats"], { env: { QUARTERDECK_URL: "http://127.0.0.1:9" } });
    expect(away).toMatchObject({ code: 1, stdout: "" });
    expect(away.stderr).toMatch(/^quarterdeck: No server answers at .*\n$/);
    const stranger = await run(["stats"], { env: { QUARTERDECK_TOKEN: "qda_somebody_elses" } });
    expect(stranger).toMatchObject({ code: 1, stdout: "" });
    expect(stranger.stderr).toMatch(/^quarterdeck: .*does not trust this token.*\n$/);
    const nobody = await run(["stats"], { env: { QUARTERDECK_TOKEN: "", QUARTERDECK_DATA_DIR: folder } });
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain("There is no admin token at");
  });
});

describe("keys, sign-in and policies", () => {
  test("a key is printed alone, opens the agent API, and a second one is another", async () => {
    const { stdout } = await run(["key", "create", "--agent", "scripted"]);
    expect(stdout).toMatch(/^qd_[0-9A-Za-z]{43}_[0-9a-f]{64}\n$/);
    const headers = { authorization: `Bearer ${stdout.trim()}`, "content-type": "application/json" };
    const answer = await fetch(`${server.url}/api/v1/hooks/turn_start`, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(200);
    expect(await keyOf("scripted")).not.toBe(stdout.trim());
  });

  test("a sign-in link works once", async () => {
    const { stdout } = await run(["sign-in"]);
    const link = new URL(stdout.trim());
    expect(link.origin).toBe(server.url);
    const signIn = () =>
      fetch(`${server.url}/api/trpc/access.signIn`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ json: { token: link.searchParams.get("token") } }),
      });
    expect((await signIn()).status).toBe(200);
    expect((await signIn()).status).toBe(401);
  });

  test("what was published is exported byte for byte, from a file and from stdin", async () => {
    const first = "# why\nhooks:\n  stop:\n    - { type: command, command: 'true' } # kept\n";
    await writeFile(join(folder, "good.yaml"), first);
    const published = await run(["policy", "publish", "good.yaml", "--name", "scripted", "--note", "first"]);
    expect(published.stdout).toContain("scripted revision 1 is in force");
    expect((await run(["policy", "export", "scripted"])).stdout).toBe(first);
    const second = first.replace("true", "false");
    expect((await run(["policy", "publish", "-", "--name", "scripted"], { stdin: second })).code).toBe(0);
    expect((await run(["policy", "export", "scripted"])).stdout).toBe(second);
  });

  test("an export is for a release of docker-agent, and refused where a gate would be lost", async () => {
    const gate = "  pre_tool_use:\n    - { preempt_yolo: true, hooks: [{ type: builtin, command: safer_shell }] }\n";
    await run(["policy", "publish", "-", "--name", "asks"], { stdin: `hooks:\n${gate}` });
    const { code, stdout, stderr } = await run(["policy", "export", "asks", "--release", "1.147"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^"safer_shell" on pre_tool_use: docker-agent 1\.147 and later only labels commands/);
    expect(stderr).toMatch(
      /\nquarterdeck: Nothing was exported for docker-agent 1\.147 and later, .*lose a gate there\.\n$/,
    );
    const older = await run(["policy", "export", "asks", "--release", "1.100"]);
    expect([older.code, older.stdout]).toEqual([0, expect.stringContaining("# For docker-agent 1.100 to 1.107\n")]);
    const unknown = await run(["policy", "export", "asks", "--release", "0.1"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("Known: 1.100 to 1.107, ")]);
    expect((await run(["policy", "export", "asks", "--bundle", "--release", "1.147"])).code).toBe(2);
    await run(["policy", "publish", "-", "--name", "asks"], { stdin: "hooks: {}\n" });
  });

  test("findings that block are overridden by their rules and a reason", async () => {
    const stdin = 'profile: "2026-11"\nhooks:\n  before_compaction:\n    - {type: command, command: "exit 2"}\n';
    const publish = (...more: string[]) => run(["policy", "publish", "-", "--name", "stuck", ...more], { stdin });
    const { code, stderr } = await publish();
    expect([code, stderr]).toEqual([1, expect.stringContaining("stdin:4:23: ")]);
    expect(stderr).toContain("To override them: --override veto-hits-overflow --reason TEXT.");
    expect((await publish("--override", "veto-hits-overflow")).stderr).toContain("--override needs --reason");
    const unknown = await publish("--override", "all", "--reason", "r");
    expect(unknown.stderr).toContain('No rule named "all" blocks a policy.');
    const published = await publish("--override", "veto-hits-overflow", "--reason", "It is a test.");
    expect(published.stdout).toContain("stuck revision 1 is in force");
  });

  test("problems stand at their line, and the policy in force stays", async () => {
    const before = (await run(["policy", "export", "scripted"])).stdout;
    await writeFile(join(folder, "bad.yaml"), "hooks:\n  stop:\n    - { type: command }\n  stopp: []\n");
    const { code, stderr } = await run(["policy", "publish", "bad.yaml", "--name", "scripted"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bad\.yaml:\d+:\d+: /);
    expect(stderr.trim().split("\n").at(-1)).toBe("quarterdeck: The policy has errors and was not published.");
    expect((await run(["policy", "export", "scripted"])).stdout).toBe(before);
    expect(await run(["policy", "export", "unheard of"])).toEqual({
      code: 1,
      stdout: "",
      stderr: 'quarterdeck: No policy named "unheard of" is in force.\n',
    });
    expect((await run(["policy", "publish", "missing.yaml", "--name", "x"])).stderr).toContain("missing.yaml cannot");
  });
});

describe("replay", () => {
  const line = (event: string, at_ms: number, input: object) => JSON.stringify({ event, at_ms, agent: "a", input });

  test("costs keep their digits, separators inside strings do not cut, bad lines are told and the others sent", async () => {
    const before = await stats();
    const text = [
      line("after_llm_call", 0, { session_id: "r1", model_id: "m/x", cost: 1 }).replace(":1}", ":0.10000000000000001}"),
      line("stop", 3, { session_id: "r1", stop_response: "one\u2028two\u0000three" }),
      "{ not json",
      line("no_such_event", 4, { session_id: "r1" }),
      line("stop", 5, { session_id: "r1" }),
    ].join("\n");
    await writeFile(join(folder, "odd.jsonl"), text);
    const key = await keyOf("odd");
    for (const as of ["dispatch", "report"]) {
      const ran = await run(["replay", "odd.jsonl", "--key", key, "--as", as]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain("odd.jsonl:3: ");
      expect(ran.stderr).toContain("odd.jsonl:4: ");
      const [stored, repeated] = as === "dispatch" ? [3, 0] : [0, 3];
      expect(ran.stdout).toContain(`stored ${stored}, repeated ${repeated}, refused 2`);
      expect(ran.stdout).toContain("bad_line 1");
    }
    const after = await stats();
    expect(after.overall.event_count - before.overall.event_count).toBe(3);
    const input = await db.database.pool.query<{ input: string }>(
      "SELECT input FROM dispatch WHERE session_id = 'r1' AND event = 'after_llm_call'",
    );
    expect(input.rows[0]?.input).toContain("0.10000000000000001");
  });

  test("an event's id is that of its line, so that others who derive it repeat and do not add", async () => {
    const text = line("stop", 0, { session_id: "r2" });
    const key = await keyOf("named");
    await writeFile(join(folder, "named.jsonl"), `${text}\n`);
    expect((await run(["replay", "named.jsonl", "--key", key])).code).toBe(0);
    const hex = createHash("sha256").update(text).digest("hex");
    const eventId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
    const answer = await fetch(`${server.url}/api/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify([{ event_id: eventId, event: "stop", input: { session_id: "r2" } }]),
    });
    expect(await answer.json()).toMatchObject({ repeated: 1 });
  });

  test("speed keeps the recording's rhythm", async () => {
    await writeFile(
      join(folder, "slow.jsonl"),
      [line("stop", 0, { session_id: "r3" }), line("stop", 40_000, { session_id: "r3" })].join("\n"),
    );
    const key = await keyOf("slow");
    const started = performance.now();
    expect((await run(["replay", "slow.jsonl", "--key", key, "--speed", "20"])).code).toBe(0);
    expect(performance.now() - started).toBeGreaterThan(2_000);
  });

  test("verdicts are counted, and a key that is none ends it in one sentence", async () => {
    await server.publish(
      "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks: [{ type: command, command: 'exit 2' }]\n",
      "gate",
    );
    const text = line("pre_tool_use", 0, { session_id: "r4", tool_name: "shell", tool_input: { cmd: "ls" } });
    await writeFile(join(folder, "gated.jsonl"), text);
    const ran = await run(["replay", "gated.jsonl", "--key", await keyOf("gated")]);
    expect(ran.stdout).toContain("verdicts: deny 1, ask 0, allow 0, none 0");
    const stranger = await run(["replay", "gated.jsonl", "--key", `qd_${"x".repeat(43)}`]);
    expect(stranger).toMatchObject({ code: 1, stdout: "" });
    expect(stranger.stderr.trim().split("\n")).toHaveLength(1);
    expect((await run(["replay", "no-such.jsonl", "--key", "k"])).stderr).toContain("no-such.jsonl cannot be read");
  });
});

if (longRun && isRecorded)
  describe("recorded sessions through the whole way", () => {
    let own: { db: TestDatabase; server: TestGateway };
    beforeAll(async () => {
      const fresh = await testDatabase();
      own = { db: fresh, server: await testGateway(fresh.url) };
    });
    afterAll(async () => {
      await own.server.stop();
      await own.db.drop();
    });

    test("a replay of all of them counts what was published, and a second one changes nothing", async () => {
      const env = { QUARTERDECK_URL: own.server.url, QUARTERDECK_TOKEN: own.server.secrets.adminToken };
      const files = readdirSync(`${DATA}sessions`).map((name) => `${DATA}sessions/${name}`);
      const key = await own.server.agent("recorded");
      const expected: unknown = JSON.parse(readFileSync(`${DATA}expected.json`, "utf8"));
      for (const outcome of ["stored 7309, repeated 0, refused 0", "stored 0, repeated 7309, refused 0"]) {
        const ran = await run(["replay", ...files, "--key", key, "--as", "report"], { env });
        expect(ran.stdout).toContain(outcome);
        expect(ran.code).toBe(0);
        expect(JSON.parse((await run(["stats", "--json"], { env })).stdout)).toEqual(expected);
      }
      expect((await run(["stats"], { env })).stdout).toContain("$18.25196171");
    }, 180_000);
  });

test("policy lint says what is wrong and what could be better, at its line, without a server", async () => {
  await writeFile(join(folder, "loose.yaml"), "hooks:\n  stop:\n    - {type: command, command: exit 2}\n");
  const loose = await run(["policy", "lint", "loose.yaml"]);
  expect(loose.stdout).toBe("loose.yaml:3:23: warning: stop ignores exit 2: it cannot be stopped (output-ignored)\n");
  expect(loose.code).toBe(0);
  const strict = await run(["policy", "lint", "loose.yaml", "--strict"]);
  expect([strict.code, strict.stderr]).toEqual([1, "quarterdeck: The policy has a warning.\n"]);
  const bad = await run(["policy", "lint", "-"], { stdin: "hooks:\n  stp: []\n" });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/^stdin:2:3: hooks\.stp: unknown event "stp" \(did you mean "stop"\?\)\n$/);
});
