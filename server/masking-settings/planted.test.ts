/** Personal data of a workspace in hundreds of places: it is in no table, stream, card, notice, log, export or backup. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { maskingSetting } from "@quarterdeck/hooks/contract/masking-setting";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import { CLAUDE, claudeRequest, exportLogs } from "../../e2e/fixtures/otlp-exports.ts";
import {
  backupText,
  createPlanter,
  PERSONAL,
  PLANTED,
  plantedPayloads,
  tablesWith,
  textsIn,
} from "../../e2e/fixtures/planted-texts.ts";
import { startReceiver } from "../../e2e/fixtures/receiver.ts";
import { type SmtpStub, smtpStub } from "../../e2e/fixtures/smtp-stub.ts";
import { httpReceiver } from "../../e2e/fixtures/stream-receivers.ts";
import { WEBHOOK_KIND_NAMES } from "../audit/webhook-kinds-schema.ts";
import { writeBackup } from "../backup/index.ts";
import * as judges from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";
import { DEFAULT_CHOICES, NOTICE_KINDS } from "../notices/schema.ts";
import { saveMail } from "../people/installation/mail.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as policies from "../policies/index.ts";
import { exportPage, startExport } from "../record/export/export.ts";
import { EVENT_KIND_NAMES, MASKING_LEVELS, STREAM_FORMATS, saveStream } from "../streams/schema.ts";
import { saveMasking } from "./service.ts";

/** Its texts are composed when it runs: the text of a policy is stored as it is written. */
const ANSWER = `{"hook_specific_output":{"updated_input":{"note":"EMP-%s1","pin":"pin-%s"},"additional_context":"EMP-%s2"}}`;
const JUDGE = "schema: pre_tool_use_decision";
const POLICY = `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: echo
      hooks:
        - {name: echoes, type: command, command: "cat; cat >&2; exit 2"}
    - matcher: broken
      hooks:
        - {name: fails, type: command, command: "tee /dev/stderr; exit 7"}
    - matcher: rewrite
      hooks:
        - name: rewrites
          type: command
          command: |
            n=99000; printf '${ANSWER}' $n $n $n
    - matcher: judged
      hooks:
        - {name: judge, type: model, model: local/tiny, ${JUDGE}, prompt: "stub:leaks {{ toJSON .ToolInput }}"}
    - matcher: unjudged
      hooks:
        - {name: no judge, type: model, model: local/tiny, ${JUDGE}, prompt: "stub:failing {{ toJSON .ToolInput }}"}
    - matcher: risky
      hooks:
        - {name: asks, type: builtin, command: ask_a_person}
`;
const PIN = "pin-4711";
const QUOTED = 'Köln "A-770';
const TEXTS = [PLANTED, "EMP-9900", "pin-9900", PIN, QUOTED, ...Object.values(PERSONAL), "4111111111111111"];
/** A text without a rule: it must be found wherever the others are looked for. */
const KEPT = "KEPT-77";

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let collector: Awaited<ReturnType<typeof httpReceiver>>;
let smtp: SmtpStub;
let owner: Browser;
let key: string;
let dir: string;
let logged = "";

const planter = createPlanter();
const planted = planter.at;

beforeAll(async () => {
  dir = await mkdtemp("/tmp/quarterdeck-planted-");
  [db, stub, receiver, collector, smtp] = await Promise.all([
    testDatabase(),
    modelStub(),
    startReceiver(),
    httpReceiver(),
    smtpStub(),
  ]);
  const log = createLog("trace", { write: (line) => (logged += line) });
  const allowed = { privateModels: "loopback", privateMail: "loopback", privateWebhooks: "loopback" };
  server = await testGateway(db.url, { log, allowed: { ...allowed, privateSignOn: "none" } });
  server.running.startJobs();
  key = await server.agent("careless");
  await furnish();
  const setting = maskingSetting.parse({
    patterns: [
      { id: "0198c0de-0000-7000-8000-000000000001", name: "employee", pattern: "EMP-\\d{6}" },
      { id: "0198c0de-0000-7000-8000-000000000002", name: "case", pattern: 'Köln "A-\\d{5}"' },
    ],
    fields: [{ tool: "*", path: "tool_input.pin" }],
    detectors: ["email", "phone", "card", "iban"],
    nationalIds: ["DE", "ES"],
  });
  const { bus } = server.running.app;
  await saveMasking({ db: server.database, bus }, server.admin, { setting, version: 0, reason: null });
  await server.running.app.untilHeardEverywhere();
});
afterAll(async () => {
  await server?.stop();
  collector?.stop();
  receiver?.stop();
  await Promise.all([smtp?.close(), stub?.stop(), db?.drop()]);
  await rm(dir, { recursive: true });
});

/** A judge, two policies of which one is monitored, an owner who gets mail, webhooks and streams of every shape. */
async function furnish(): Promise<void> {
  const { app } = server.running;
  const { workspaceId } = server.admin;
  const connection = { name: "local", provider: "openai-compatible", baseUrl: stub.url, prices: [] };
  await judges.save(
    { ...app, db: server.database },
    server.admin,
    saveConnection.parse({ ...connection, callsPerDay: null, nanoPerDay: null }),
  );
  await server.publish(POLICY, "guards");
  await server.publish(POLICY, "watched");
  const watched = (await policies.list(server.database, workspaceId)).find(({ name }) => name === "watched");
  const until = new Date(Date.now() + 3_600_000);
  await policies.observe(server.database, app.bus, server.admin, { policyId: watched?.id ?? "", until });
  owner = await signedIn(server.url, db.database, workspaceId, "owner");
  await db.owner.query("UPDATE person SET email = 'owner@deck.test', email_verified = true WHERE name = 'owner'");
  const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "deck@deck.test" } as const;
  await inWorkspace(workspaceId, () => saveMail(app.db, app, server.admin, mail));
  for (const shape of ["json", "slack"] as const)
    await done("webhooks.save", {
      ...{ url: `${receiver.url}/${shape}`, kinds: [...WEBHOOK_KIND_NAMES], shape, isEnabled: true },
    });
  const ways = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, ["page", "mail"]]));
  await done("notices.saveChoices", { ...DEFAULT_CHOICES, ways });
  for (const format of STREAM_FORMATS)
    for (const masking of MASKING_LEVELS)
      await done(
        "streams.save",
        saveStream.parse({
          ...{ name: `${format} ${masking}`, kind: "http", address: `${collector.url}/${format}-${masking}`, format },
          ...{ masking, isEnabled: true, kinds: EVENT_KIND_NAMES, secret: null, from: "start" },
        }),
      );
}

async function post(path: string, body: unknown, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...more };
  const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(200);
  return text;
}
const hook = (event: string, input: object, more: Record<string, string> = {}) =>
  post(`/api/v1/hooks/${event}`, { session_id: "s", ...input }, more);

async function done(path: string, input: unknown): Promise<unknown> {
  const { status, text, value } = await owner.mutate(path, input);
  expect(status, `${path}: ${text}`).toBe(200);
  return value;
}

const argument = (place: string) => ({ cmd: planted(place), pin: PIN });

/** Events of a native agent. */
async function sendHooks(): Promise<void> {
  const people = Object.values(PERSONAL).join(", ");
  await hook("user_prompt_submit", { prompt: `${KEPT} for ${planted("a prompt")} and ${people} in ${QUOTED}11"` });
  await hook("user_prompt_submit", {
    prompt: `${"long text ".repeat(9_000)} ${planted("the end of a long prompt")}`,
    skill: { content: planted("the text of a skill") },
  });
  await hook("notification", { notification_message: planted("a notification"), notification_level: "info" });
  await hook("stop", {
    ...{ stop_response: planted("the model's last text"), last_user_message: planted("the last user message") },
    reason: planted("the reason of a stop"),
  });
  await hook("after_compaction", { summary: planted("a compaction's summary"), compaction_reason: "manual" });
  const parts = [{ type: "text", text: planted("a part of a message") }];
  await hook("before_llm_call", {
    messages: [{ role: "user", content: planted("a message"), multi_content: parts }],
  });
  await hook("session_start", {
    ...{ cwd: `/home/${planted("a working directory")}`, worktree_path: planted("a worktree"), source: "startup" },
    steering_messages: [planted("a steering message")],
  });
  const result = { tool_name: "read", tool_use_id: "t1", tool_input: { path: planted("a file's path") } };
  await hook("post_tool_use", { ...result, tool_response: { rows: [[planted("a tool's structured output")]] } });
  await hook("post_tool_use", { ...result, tool_use_id: "t2", tool_response: planted("a tool's text output") });
  await hook("post_tool_use", {
    ...{ ...result, tool_use_id: "t3", tool_error: true, tool_response: planted("a tool's error") },
  });
  await hook("tool_guard", {
    ...{ tool_name: "other", tool_input: { url: `https://x.example/?q=${planted("a URL")}` } },
    prompt_file: planted("a prompt's file"),
  });
  const deep = { [planted("a key of an argument")]: { deep: [{ list: planted("a deep argument") }] } };
  await hook("pre_tool_use", { tool_name: "other", tool_input: { ...deep, n: 4111111111111111 } });
  const inner = JSON.stringify({ inner: `"${planted("JSON in JSON in a text")}" ${QUOTED}12"` });
  await hook("pre_tool_use", {
    ...{ tool_name: "other", custom: planted("a member that no contract names") },
    tool_input: { json: JSON.stringify({ again: inner, [`${QUOTED}13"`]: 1 }) },
  });
  const mcp = { query: planted("an argument of an MCP tool") };
  await hook("pre_tool_use", { tool_name: "mcp__crm__find", tool_input: mcp });
  await hook("pre_tool_use", { tool_name: "echo", tool_input: argument("a hook's stdout, stderr and veto") });
  await hook("pre_tool_use", { tool_name: "broken", tool_input: argument("a failed hook's stderr") });
  await hook("pre_tool_use", { tool_name: "judged", tool_input: argument("a judge's question") });
  await hook("pre_tool_use", { tool_name: "unjudged", tool_input: argument("a question that fails") });
  const risky = argument("an approval request's input");
  await hook("pre_tool_use", { tool_name: "risky", cwd: planted("an approval request's folder"), tool_input: risky });
  // A repeat gets the original answer, which is kept encrypted.
  const rewrite = { tool_name: "rewrite", tool_input: { note: planted("an input that a hook replaces"), pin: PIN } };
  const first = await hook("pre_tool_use", rewrite, { "idempotency-key": "once" });
  expect(first).toContain("EMP-990001");
  expect(await hook("pre_tool_use", rewrite, { "idempotency-key": "once" })).toBe(first);
  await post("/api/v1/questions", { session_id: "s", question: `May I mail ${planted("a question to people")}?` });
}

/** Events that are reported after they happened, by an executor on the agent's machine and by telemetry. */
async function sendReports(): Promise<void> {
  const ran = { policy: "p", revision: 1, path: "hooks.pre_tool_use[0]", name: "n", type: "command" };
  const output = {
    ...{ stdout: planted("a local hook's stdout"), stderr: planted("a local hook's stderr") },
    failure: planted("a local hook's failure"),
  };
  const local = {
    ...{ revision: "1", verdict: "deny", reason: planted("a local verdict's reason"), durationMs: 1 },
    hooks: [{ ...ran, outcome: "refused", said: "deny", startedMs: 0, durationMs: 1, ...output }],
  };
  const long = `${"long text ".repeat(9_000)} ${planted("a long reported prompt")}`;
  const call = { session_id: "r", tool_name: "shell", tool_input: argument("a reported call") };
  const events = [
    { event: "user_prompt_submit", input: { session_id: "r", prompt: planted("a reported prompt") } },
    { event: "user_prompt_submit", input: { session_id: "r", prompt: long } },
    { event: "pre_tool_use", input: call, local },
  ].map((one) => ({ event_id: crypto.randomUUID(), ...one }));
  expect(JSON.parse(await post("/api/v1/events", events))).toMatchObject({ stored: 3 });
  const attributes = { prompt: planted("an attribute of a log record"), "user.email": PERSONAL.email };
  const logs = { url: `${server.url}/api/otlp`, key };
  expect(await exportLogs(logs, CLAUDE, [claudeRequest("otlp", attributes)])).toBe(true);
}

/** Requests that are refused: a refusal is logged and counted. */
async function sendRefused(): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const event = { event_id: crypto.randomUUID(), event: planted("a reported event's name"), input: {} };
  const hook = "hooks/pre_tool_use";
  const requests = [
    ["events", JSON.stringify([event])],
    [hook, `{"session_id": "s", "prompt": ${planted("a body that is no JSON")}`],
    [hook, JSON.stringify({ session_id: "s", tool_name: "x", tool_input: planted("a member of the wrong type") })],
    [hook, JSON.stringify({ session_id: "s", tool_name: { [planted("a name of the wrong type")]: 1 } })],
  ] as const;
  for (const [path, body] of requests) {
    const response = await fetch(`${server.url}/api/v1/${path}`, { method: "POST", headers, body });
    expect(response.status, await response.text()).toBe(400);
  }
}

/** The captured payloads of every client. */
async function sendPayloads(): Promise<void> {
  const files = (await readdir(new URL("../dialects/vectors/", import.meta.url))).filter((one) => !one.startsWith("_"));
  for (const { path: event, payload } of await plantedPayloads(files, planter)) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const path = `${server.url}/api/v1/hooks/${event}`;
    const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(payload) });
    expect(response.status, `${path}: ${await response.text()}`).toBeLessThan(300);
  }
}

/** Texts that people type. */
async function type(): Promise<void> {
  const { rows } = await db.owner.query(
    "SELECT occurred_at AS \"occurredAt\", id FROM dispatch WHERE tool_name = 'echo'",
  );
  await done("followUps.comment", { call: rows[0], text: `ask ${planted("a comment")}` });
  const open = (await owner.query("approvals.list")).value as { open: { id: string; isWhole: boolean }[] };
  for (const { id } of open.open) {
    const refused = await owner.mutate("approvals.answer", { id, verdict: "deny", words: planted("an answer") });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("masks") });
    await done("approvals.answer", { id, verdict: "deny", words: "no" });
  }
  expect(open.open.map(({ isWhole }) => isWhole)).toEqual(open.open.map(() => false));
  const policyId = (await policies.list(server.database, server.admin.workspaceId))[0]?.id;
  const input = (place: string) => JSON.stringify({ tool_name: "shell", tool_input: argument(place) });
  const policyCase = { policyId, event: "pre_tool_use", expect: { allowed: true } };
  await done("playground.saveCase", { ...policyCase, name: "one", input: input("a test case") });
  const madeUp = { ...policyCase, name: "two", keepsSecrets: true };
  await done("playground.saveCase", { ...madeUp, input: input("a test case with made-up secrets") });
  const { promptId } = (await done("prompts.create", { name: "careful" })) as { promptId: string };
  const call = { tool_name: "shell", tool_input: argument("a known call of a judge") };
  const calls = { from: "hand", kind: "bad", event: "pre_tool_use", input: call };
  await done("knownCalls.add", { promptId, calls, note: planted("the note of a known call") });
  await done("policies.publishByName", { name: "noted", source: "hooks: {}\n", note: planted("a publication's note") });
  await done("policies.freeze", { reason: `leaked ${planted("the reason of a freeze")}` });
  await done("policies.unfreeze", {});
  const target = { scope: "workspace" };
  await done("halts.halt", { target, reason: `${KEPT} asked by ${planted("the reason of a halt")}` });
}

/** The text of an export of the record. */
async function exported(): Promise<string> {
  const { workspaceId } = server.admin;
  return inWorkspace(workspaceId, async () => {
    let page = await startExport(server.database, workspaceId, { dispatches: "rows" });
    let all = page.text;
    for (let next = page.next; next !== null; next = page.next) {
      page = await exportPage(server.database, workspaceId, { ...next, dispatches: "rows", isWhole: true });
      all += page.text;
    }
    return all;
  });
}

async function backedUp(): Promise<string> {
  const file = join(dir, "backup.tar");
  await writeBackup({ url: db.ownerUrl, file, dataDir: dir, files: [] });
  return backupText(file);
}

const sentText = (): string => collector.requests.map(({ path, body }) => `${path} ${body}`).join("\n");
const noticeText = (): string => receiver.received.map(({ path, text }) => `${path} ${text}`).join("\n");

/** Streams, webhooks and mails have sent all. */
async function untilSent(): Promise<void> {
  await server.projected();
  await expect
    .poll(() => server.database.pool.query("SELECT 1 FROM observation").then(({ rowCount }) => rowCount))
    .toBeGreaterThan(0);
  await expect
    .poll(
      async () =>
        ((await owner.query("streams.list")).value as { lagMs: number; events: number }[]).map(
          ({ lagMs, events }) => events > 0 && lagMs,
        ),
      { timeout: 60_000, interval: 200 },
    )
    .toEqual(STREAM_FORMATS.flatMap(() => MASKING_LEVELS.map(() => 0)));
  await expect.poll(() => smtp.letters.length, { timeout: 30_000 }).toBeGreaterThan(0);
  for (const path of ["/json", "/slack"])
    await expect
      .poll(() => receiver.received.some((one) => one.path === path && /approval/i.test(one.text)), { timeout: 30_000 })
      .toBe(true);
}

it("is in no table, stream, webhook, mail, log, export or backup, from more than forty places", async () => {
  await sendHooks();
  await sendReports();
  await sendPayloads();
  await sendRefused();
  await type();
  await untilSent();
  expect(new Set(planter.places).size).toBeGreaterThan(200);

  const outputs = {
    streams: sentText(),
    webhooks: noticeText(),
    letters: smtp.letters.join("\n"),
    log: logged,
    export: await exported(),
    backup: await backedUp(),
    questions: JSON.stringify(stub.asked),
  };
  expect(await tablesWith(db.owner, TEXTS)).toEqual([]);
  for (const [name, text] of Object.entries(outputs)) {
    expect(text, name).not.toBe("");
    expect(planter.placesIn(text), name).toEqual([]);
    expect(textsIn(text, TEXTS), name).toEqual([]);
  }
  const { rows } = await db.owner.query<{ clients: number; masked: number }>(
    `SELECT count(DISTINCT input::text::json -> 'ext' ->> 'dialect')::int AS clients,
       count(*) FILTER (WHERE input::text LIKE '%[REDACTED]%')::int AS masked FROM dispatch`,
  );
  expect(rows[0]?.clients).toBe(7);
  expect(rows[0]?.masked).toBeGreaterThan(150);
  // The search finds what no rule hides.
  const tables = (await tablesWith(db.owner, [KEPT])).map((one) => one.slice(0, one.indexOf(":")));
  expect(tables).toEqual(expect.arrayContaining(["public.halt", "public.audit_entry"]));
  expect(tables.some((one) => one.startsWith("public.dispatch"))).toBe(true);
  for (const name of ["streams", "export", "backup"] as const) expect(outputs[name], name).toContain(KEPT);
  expect(sentText().match(/\/\w+-(?:masked|stored)(?= )/g)).toEqual(expect.arrayContaining(["/ocsf-stored"]));
});

it("is counted, by rule and without the text", async () => {
  await server.running.app.masking.flush();
  const { rows } = await db.owner.query<{ rule: string }>("SELECT DISTINCT rule FROM mask_hit_hour ORDER BY rule");
  expect(rows.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(["card", "email", "field", "iban", "id_DE", "id_ES", "phone"]),
  );
});
