/** Words that others chose, through the verbs that print them: nothing of them acts on a terminal. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createLog } from "../platform/log.ts";
import { plainText } from "../platform/plain-line.ts";

/** Clears a screen, sets a title, an 8-bit control, an override of direction, a zero width and a tag character. */
const HOSTILE = "a\u001b[2J\u001b]0;x\u0007\u009b2Jb\u202ec\u200bd\u{e0041}e\rf";
const ACTS = /[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/u;
const inYaml = JSON.stringify(HOSTILE).replace(
  /[\u007f-\uffff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
const POLICY = `profile: "2026-07"
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ name: ${inYaml}, type: command, command: "exit 2" }]
`;

let db: TestDatabase;
let server: TestGateway;
let folder: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-print-"));
  await server.agent("named");
  await server.publish(POLICY, "guard");
  // As the rows of an older release, or of another program.
  await db.owner.query("UPDATE agent SET name = $1", [HOSTILE]);
  await db.owner.query("UPDATE policy_revision SET hooks = jsonb_build_object($1::text, '[]'::jsonb)", [HOSTILE]);
  await db.owner.query(
    "INSERT INTO approver_rules (workspace_id, rules, set_by) SELECT id, jsonb_build_object($1::text, 1), $1 FROM workspace",
    [HOSTILE],
  );
  const allow = {
    permissions: { deny: [`Bash(${HOSTILE})`] },
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: HOSTILE }] }] },
  };
  const event = { [HOSTILE]: 1, hook_event_name: HOSTILE };
  const head = { type: "evidence", version: 1, workspace: HOSTILE, madeBy: HOSTILE, asked: HOSTILE };
  const files = {
    "p.yaml": POLICY,
    "bad.yaml": POLICY.replace("pre_tool_use", inYaml),
    "settings.json": JSON.stringify(allow),
    "changed.yaml": POLICY.replace("exit 2", "exit 1"),
  };
  const lines = {
    "s.jsonl": `${JSON.stringify(event)}\n`,
    "e.jsonl": `${JSON.stringify(head)}\n`,
    "raw.jsonl": `${HOSTILE}\n`,
  };
  for (const [name, text] of Object.entries({ ...files, ...lines })) await writeFile(join(folder, name), text);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("no verb prints a character that acts on a terminal", () => {
  it.each<readonly [string, readonly string[]]>([
    ["policy lint", ["policy", "lint", "p.yaml"]],
    ["policy lint, a text that cannot be read", ["policy", "lint", "bad.yaml"]],
    ["policy publish, refused", ["policy", "publish", "bad.yaml", "--name", "guard"]],
    ["policy publish, of a hostile name", ["policy", "publish", "p.yaml", "--name", HOSTILE]],
    ["policy diff", ["policy", "diff", "guard", "changed.yaml"]],
    ["policy export, of an unknown name", ["policy", "export", HOSTILE]],
    ["import --json", ["import", "claude-code", "settings.json", "--json"]],
    ["doctor", ["doctor"]],
    ["doctor --json", ["doctor", "--json"]],
    ["stats --json", ["stats", "--json"]],
    ["replay", ["replay", "s.jsonl", "--key", "k"]],
    ["replay, no JSON", ["replay", "raw.jsonl", "--key", "k"]],
    ["audit verify, an evidence file", ["audit", "verify", "e.jsonl"]],
    ["audit verify, no export", ["audit", "verify", "raw.jsonl"]],
    ["audit verify, the record", ["audit", "verify"]],
    ["halt, of an unknown agent", ["halt", "--agent", HOSTILE, "--reason", "stop"]],
    ["drill", ["drill", HOSTILE]],
    ["enrol", ["enrol", HOSTILE]],
    ["an unknown verb", [HOSTILE]],
  ])("%s", async (_name, args) => {
    const trusted = { QUARTERDECK_URL: server.url, QUARTERDECK_TOKEN: server.secrets.adminToken };
    const files = args.map((one) => (/\.(yaml|json|jsonl)$/.test(one) ? join(folder, one) : one));
    const { stdout, stderr } = await quarterdeck(files, folder, trusted);
    expect(`${stdout}${stderr}`).not.toBe("");
    expect(`${stdout}${stderr}`).not.toMatch(ACTS);
  });

  it("a text that a file takes stays whole on a pipe, with its remarks plain beside it; a terminal gets it plain", async () => {
    const { stdout, stderr } = await quarterdeck(["import", "claude-code", join(folder, "settings.json")], folder, {});
    expect(stderr).not.toMatch(ACTS);
    expect(stdout).toMatch(ACTS);
    expect(plainText(stdout)).not.toMatch(ACTS);
  });

  it("nor does the log", () => {
    let text = "";
    createLog("info", { write: (line) => (text += line) }).info({ agent: HOSTILE }, HOSTILE);
    expect(text).not.toMatch(ACTS);
    expect(JSON.parse(text)).toMatchObject({ agent: HOSTILE, msg: HOSTILE });
  });
});

it("no verb writes past the print edge", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const own = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const writers = own.filter((name) =>
    /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(join(import.meta.dirname, name), "utf8")),
  );
  // The host of a plugin is a program of its own, whose output only the drill reads.
  expect(writers.sort()).toEqual(["drill/plugin-host.ts", "print.ts"]);
});
