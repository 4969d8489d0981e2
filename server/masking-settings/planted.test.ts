/** Personal data of a workspace in forty places: it is in no table, so in no page, card, notice, webhook or backup, and in no log. */
import { maskingSetting } from "@quarterdeck/hooks/contract/masking-setting";
import superjson from "superjson";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import * as judges from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import { saveMasking } from "./service.ts";

const POLICY = `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: echo
      hooks:
        - {name: echoes, type: command, command: "cat; cat >&2; exit 2"}
    - matcher: rewrite
      hooks:
        - name: rewrites
          type: command
          command: |
            printf '{"hook_specific_output":{"updated_input":{"note":"EMP-990001","pin":"pin-9900"},"additional_context":"EMP-990002"}}'
    - matcher: judged
      hooks:
        - {name: judge, type: model, model: local/tiny, schema: pre_tool_use_decision, prompt: "stub:deny {{ toJSON .ToolInput }}"}
    - matcher: risky
      hooks:
        - {name: asks, type: builtin, command: ask_a_person}
`;

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
let key: string;
let logged = "";

beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url, { log: createLog("trace", { write: (line) => (logged += line) }) });
  key = await server.agent("careless");
  const { bus } = server.running.app;
  await judges.save(
    { ...server.running.app, db: server.database },
    server.admin,
    saveConnection.parse({
      ...{ name: "local", provider: "openai-compatible", baseUrl: stub.url, callsPerDay: null, nanoPerDay: null },
      prices: [],
    }),
  );
  await server.publish(POLICY, "guards");
  await server.publish(POLICY, "watched");
  const [watched] = (await policies.list(server.database, server.admin.workspaceId)).filter(
    ({ name }) => name === "watched",
  );
  const until = new Date(Date.now() + 3_600_000);
  await policies.observe(server.database, bus, server.admin, { policyId: watched?.id ?? "", until });
  const setting = maskingSetting.parse({
    patterns: [{ id: "0198c0de-0000-7000-8000-000000000001", name: "employee", pattern: "EMP-\\d{6}" }],
    fields: [{ tool: "*", path: "tool_input.pin" }],
    detectors: ["email", "phone", "card", "iban"],
    nationalIds: ["DE", "ES"],
  });
  await saveMasking({ db: server.database, bus }, server.admin, { setting, version: 0, reason: null });
  await server.running.app.untilHeardEverywhere();
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

async function post(path: string, body: unknown, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...more };
  const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}
const hook = (event: string, input: object, more: Record<string, string> = {}) =>
  post(`/api/v1/hooks/${event}`, { session_id: "s", ...input }, more);

async function mutate(path: string, input: unknown) {
  const headers = { authorization: `Bearer ${server.secrets.adminToken}`, "content-type": "application/json" };
  const body = JSON.stringify(superjson.serialize(input));
  const response = await fetch(`${server.url}/api/trpc/${path}`, { method: "POST", headers, body });
  expect(response.status, await response.text()).toBe(200);
}

/** The tables that hold the text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = db.database;
  const { rows } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`SELECT 1 FROM "${name}" AS t WHERE t::text LIKE $1`, [`%${text}%`]);
    if (rowCount) found.push(name);
  }
  return found;
}

let next = 0;
/** Another number for each place, so that a leak names its place. */
const planted = (): string => {
  next += 1;
  return `EMP-7700${String(next).padStart(2, "0")}`;
};
const PERSONAL = {
  email: "jane.planted@example.com",
  phone: "+49 30 901820 77",
  card: "4111 1111 1111 1111",
  iban: "DE89 3704 0044 0532 0130 00",
  taxId: "36574261809",
  dni: "54362315K",
  pin: "pin-4711",
} as const;

it("is in no table and no log, from forty places", async () => {
  const inputs = [
    ["user_prompt_submit", { prompt: `for ${planted()} and ${Object.values(PERSONAL).slice(0, 6).join(", ")}` }],
    ["notification", { notification_message: planted(), notification_level: "info" }],
    ["stop", { stop_response: planted(), last_user_message: planted(), reason: planted() }],
    ["after_compaction", { summary: planted(), compaction_reason: "manual" }],
    [
      "before_llm_call",
      { messages: [{ role: "user", content: planted(), multi_content: [{ type: "text", text: planted() }] }] },
    ],
    [
      "session_start",
      { cwd: `/home/${planted()}`, worktree_path: planted(), source: "startup", steering_messages: [planted()] },
    ],
    [
      "post_tool_use",
      { tool_name: "read", tool_use_id: "t1", tool_input: { path: planted() }, tool_response: { rows: [[planted()]] } },
    ],
    ["post_tool_use", { tool_name: "read", tool_use_id: "t2", tool_input: {}, tool_response: planted() }],
    [
      "pre_tool_use",
      { tool_name: "other", tool_input: { [planted()]: { deep: [{ list: planted() }] }, n: 4111111111111111 } },
    ],
    [
      "pre_tool_use",
      { tool_name: "other", tool_input: { json: JSON.stringify({ inner: `"${planted()}"` }) }, custom: planted() },
    ],
    ["pre_tool_use", { tool_name: "echo", tool_input: { cmd: planted(), pin: PERSONAL.pin } }],
    ["pre_tool_use", { tool_name: "judged", tool_input: { cmd: planted(), pin: PERSONAL.pin } }],
    ["pre_tool_use", { tool_name: "risky", cwd: planted(), tool_input: { cmd: planted(), pin: PERSONAL.pin } }],
    ["user_prompt_submit", { prompt: `${"long text ".repeat(9_000)} ${planted()}`, skill: { content: planted() } }],
    [
      "tool_guard",
      { tool_name: "other", tool_input: { url: `https://x.example/?q=${planted()}` }, prompt_file: planted() },
    ],
  ] as const;
  for (const [event, input] of inputs) await hook(event, input);
  // A repeat gets the original answer, which is kept encrypted.
  const rewrite = { tool_name: "rewrite", tool_input: { note: planted(), pin: PERSONAL.pin } };
  const first = await hook("pre_tool_use", rewrite, { "idempotency-key": "once" });
  expect(first).toContain("EMP-990001");
  expect(await hook("pre_tool_use", rewrite, { "idempotency-key": "once" })).toBe(first);
  const local = {
    ...{ revision: "1", verdict: "deny", reason: planted(), durationMs: 1 },
    hooks: [
      {
        ...{ policy: "p", revision: 1, path: "hooks.pre_tool_use[0]", name: "n", type: "command", outcome: "refused" },
        ...{ said: "deny", startedMs: 0, durationMs: 1, stdout: planted(), stderr: planted(), failure: planted() },
      },
    ],
  };
  const events = [
    { event: "user_prompt_submit", input: { session_id: "r", prompt: planted() } },
    { event: "user_prompt_submit", input: { session_id: "r", prompt: `${"long text ".repeat(9_000)} ${planted()}` } },
    {
      event: "pre_tool_use",
      input: { session_id: "r", tool_name: "shell", tool_input: { cmd: planted(), pin: PERSONAL.pin } },
      local,
    },
  ].map((one) => ({ event_id: crypto.randomUUID(), ...one }));
  expect(JSON.parse(await post("/api/v1/events", events))).toMatchObject({ stored: 3 });
  await post("/api/v1/questions", { session_id: "s", question: `May I mail ${planted()}?` });
  await post("/api/v1/hooks/claude-code/PreToolUse", {
    ...{
      session_id: "c",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_use_id: "c1",
      cwd: `/home/${planted()}`,
    },
    tool_input: { command: `grep ${planted()} .` },
  });
  // Texts that people type.
  await mutate("halts.halt", { target: { scope: "workspace" }, reason: `asked by ${planted()}` });
  await server.projected();
  await expect
    .poll(() => server.database.pool.query("SELECT 1 FROM observation").then(({ rowCount }) => rowCount))
    .toBeGreaterThan(0);

  expect(next).toBeGreaterThanOrEqual(40);
  const texts = ["EMP-77", "EMP-9900", "pin-9900", ...Object.values(PERSONAL), "4111111111111111"];
  const leaks = await Promise.all(texts.map(async (text) => [text, await tablesWith(text)] as const));
  expect(leaks.filter(([, tables]) => tables.length > 0)).toEqual([]);
  for (const text of texts) expect(logged).not.toContain(text);
  // The judge was asked, and read no more than is stored.
  expect(stub.asked.length).toBeGreaterThan(0);
  for (const text of texts) expect(JSON.stringify(stub.asked)).not.toContain(text);
  // What was taken away is counted.
  await server.running.app.masking.flush();
  const { rows } = await server.database.pool.query<{ rule: string }>(
    "SELECT DISTINCT rule FROM mask_hit_hour ORDER BY rule",
  );
  expect(rows.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(["card", "email", "field", "iban", "id_DE", "id_ES", "phone"]),
  );
});
