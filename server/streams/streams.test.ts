import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import {
  accept,
  answer,
  breakOff,
  httpReceiver,
  storeReceiver,
  syslogReceiver,
  testCertificate,
} from "../../e2e/fixtures/stream-receivers.ts";
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { createLog } from "../platform/log.ts";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import * as record from "./check.ts";
import { EVENT_KIND_NAMES, type SaveStream, saveStream } from "./schema.ts";
import * as service from "./service.ts";
import { createStreamJob } from "./stream-job.ts";
import type { TURN_LIMITS } from "./turns/run-turn.ts";

let rig: RecordingRig;
let http: Awaited<ReturnType<typeof httpReceiver>>;
const log = createLog("silent");
const key = Buffer.alloc(32, 7);
const addresses = addressRule("loopback", VARIABLES.webhooks);

beforeAll(async () => {
  rig = await recordingRig();
  http = await httpReceiver();
});
afterAll(async () => {
  http?.stop();
  await rig?.close();
});
afterEach(async () => {
  http.requests.length = 0;
  http.behave(accept);
  await rig.db.owner.query("DELETE FROM stream");
});

interface Tenant {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly actor: Administrator;
}

async function tenant(): Promise<Tenant> {
  const owner = await rig.addOwner();
  return { ...owner, actor: { kind: "script", workspaceId: owner.workspaceId, id: "test", name: "ada" } };
}
const world = (): service.RecordStreams => ({
  ...{ db: rig.db.database, bus: rig.bus, addresses, key, url: "https://quarterdeck.example" },
});
const settings = (more: Partial<SaveStream> = {}): SaveStream =>
  saveStream.parse({
    ...{ name: "siem", kind: "http", address: `${http.url}/events`, format: "quarterdeck", isEnabled: true },
    ...{ kinds: EVENT_KIND_NAMES, secret: null, from: "start", ...more },
  });
const made = async (at: Tenant, more: Partial<SaveStream> = {}) =>
  (await service.save(world(), at.actor, settings(more))).id;
const job = (limits: Partial<typeof TURN_LIMITS> = {}) =>
  createStreamJob({
    ...{ pool: rig.db.database.pool, bus: rig.bus, log, addresses, key },
    limits: { gatherMs: 0, restMs: 0, ...limits },
  });

let calls = 0;
async function call({ workspaceId, agentId }: Tenant, event = "pre_tool_use", more: object = {}): Promise<void> {
  calls += 1;
  const input = {
    session_id: "s",
    tool_name: "shell",
    tool_use_id: `t${calls}`,
    tool_input: { cmd: `ls ${calls}` },
    ...more,
  };
  await rig.recorder.record(
    recordOf({ workspaceId, agentId }, event, JSON.stringify(input), {
      verdict: event === "pre_tool_use" ? "deny" : "none",
      reason: "no",
    }),
    false,
  );
}
const act = ({ actor }: Tenant, name: string) =>
  rig.db.database.prisma.$transaction((tx) =>
    recordAudit(tx, actor, { kind: "group_created", version: 1, by: actor.name, group: crypto.randomUUID(), name }),
  );
const view = async ({ workspaceId }: Tenant) => (await service.list(rig.db.database, workspaceId))[0];
const due = (id: string) => rig.db.owner.query("UPDATE stream SET next_at = now() WHERE id = $1", [id]);
/** The ids that the record gives for the stream's own filter. */
async function expected({ workspaceId }: Tenant): Promise<string[]> {
  const { events } = await record.manifest(rig.db.database, workspaceId, {
    ...{ after: { seq: 0, place: 0 }, to: Number.MAX_SAFE_INTEGER },
    ...{ kinds: [...EVENT_KIND_NAMES], agentsMode: "all", agents: [] },
  });
  return events.map(({ id }) => id);
}
const idsOf = (lines: readonly Record<string, unknown>[]) => lines.map(({ id }) => String(id));

/** Turns until everything was sent, each of them due at once. */
async function drain(at: Tenant, id: string, limits: Partial<typeof TURN_LIMITS> = {}): Promise<void> {
  const sender = job(limits);
  await expect
    .poll(
      async () => {
        await due(id);
        await sender.turn();
        return (await view(at))?.lagMs;
      },
      { timeout: 30_000, interval: 5 },
    )
    .toBe(0);
}

test("every event of the record arrives once, in its order, with its hash in the chain", async () => {
  const at = await tenant();
  await Promise.all(Array.from({ length: 40 }, () => call(at)));
  await act(at, "first");
  await call(at, "after_llm_call", { model_id: "m", cost: 0.25, usage: { input_tokens: 3 } });
  const id = await made(at);
  await drain(at, id);
  const lines = http.lines();
  expect(idsOf(lines)).toEqual(await expected(at));
  expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["decision", "administration", "cost"]));
  const leaf = await rig.db.owner.query(
    "SELECT substr(leaves, 1, 43) AS leaf FROM chain_batch WHERE workspace_id = $1 ORDER BY seq LIMIT 1",
    [at.workspaceId],
  );
  expect(lines[0]).toMatchObject({ hash: leaf.rows[0]?.leaf, call: { tool: "shell", verdict: "deny", reason: "no" } });
  expect(await view(at)).toMatchObject({ events: lines.length, setAside: 0, resent: 0, removed: 0, error: null });
});

test("events that are recorded while a stream is sent follow it", async () => {
  const at = await tenant();
  const id = await made(at, { batchMax: 7 });
  const sender = job();
  sender.start();
  try {
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 9 }, () => call(at)));
    const all = await expected(at);
    await expect.poll(() => http.lines().length, { timeout: 20_000 }).toBe(all.length);
    expect(idsOf(http.lines())).toEqual(all);
  } finally {
    await sender.stop();
  }
  expect((await record.check(rig.db.database, at.workspaceId, { id, after: null })).differing).toEqual([]);
});

test("a filter by kind and agent leaves out the rest, and the position passes it", async () => {
  const at = await tenant();
  const other = await rig.addOwner(at.workspaceId);
  await call(at);
  await call({ ...at, agentId: other.agentId });
  await call(at, "session_start");
  await act(at, "not sent");
  const id = await made(at, { kinds: ["decision"], agentsMode: "except", agents: [other.agentId] });
  await drain(at, id);
  expect(http.lines()).toMatchObject([{ kind: "decision", call: { agentId: at.agentId } }]);
  const now = await view(at);
  expect(now).toMatchObject({ events: 1, seq: now?.head });
});

test("a receiver that is down, full or breaks off gets everything later, and possible doubles are counted", async () => {
  const at = await tenant();
  await Promise.all(Array.from({ length: 20 }, () => call(at)));
  const id = await made(at, { batchMax: 5 });
  await http.kill();
  await job().turn();
  expect(await view(at)).toMatchObject({
    events: 0,
    attempts: 1,
    resent: 0,
    error: expect.stringContaining("ECONNREFUSED"),
  });
  await http.restart();
  http.behave(answer(507));
  await due(id);
  await job().turn();
  expect(await view(at)).toMatchObject({ events: 0, attempts: 2, status: 507, error: expect.stringContaining("full") });
  http.behave(breakOff);
  await due(id);
  await job().turn();
  http.behave(accept);
  await drain(at, id);
  expect(idsOf(http.lines())).toEqual(await expected(at));
  expect((await view(at))?.resent).toBe(10);
});

test("a slow receiver ends at the time limit, and another stream is not held up by it", async () => {
  const [slow, quick] = [await tenant(), await tenant()];
  for (const at of [slow, quick]) await call(at);
  await made(slow, { address: `${http.url}/slow` });
  await made(quick, { address: `${http.url}/quick` });
  http.behave((request, response) => (request.path === "/slow" ? undefined : accept(request, response)));
  await job({ requestMs: 200 }).turn();
  expect(await view(slow)).toMatchObject({ events: 0, error: "It did not answer in time." });
  expect((await view(quick))?.events).toBeGreaterThan(0);
});

test("an event that the receiver refuses is set aside with its reason, and the stream goes on", async () => {
  const at = await tenant();
  await Promise.all(Array.from({ length: 8 }, () => call(at)));
  await call(at, "pre_tool_use", { tool_input: { cmd: "poison" } });
  await Promise.all(Array.from({ length: 8 }, () => call(at)));
  const id = await made(at);
  http.behave((request, response) => answer(request.body.includes("poison") ? 400 : 200)(request, response));
  await drain(at, id);
  const [refused, ...more] = await service.setAside(rig.db.database, at.workspaceId, { id });
  expect([refused, more]).toMatchObject([{ kind: "decision", status: 400, reason: "It answered 400." }, []]);
  const all = await expected(at);
  const sent = idsOf(http.lines()).filter((one) => one !== "0.0");
  expect(sent).toEqual(all.filter((one) => one !== `${refused?.seq}.${refused?.place}`));
  expect(await view(at)).toMatchObject({ events: all.length, setAside: 1 });
  expect(await record.check(rig.db.database, at.workspaceId, { id, after: null })).toMatchObject({
    ...{ sent: all.length, recorded: all.length, differing: [], next: null },
  });
});

test("a receiver that refuses everything loses nothing: the stream waits", async () => {
  const at = await tenant();
  await call(at);
  const id = await made(at);
  http.behave(answer(400));
  await job().turn();
  expect(await view(at)).toMatchObject({ events: 0, setAside: 0, error: expect.stringContaining("test event") });
  http.behave(accept);
  await drain(at, id);
  expect(idsOf(http.lines())).toEqual(await expected(at));
});

test("Splunk gets events with their time and a token, Elastic documents under an id that repeats", async () => {
  const at = await tenant();
  await call(at);
  const id = await made(at, { kind: "splunk", secret: "token", index: "agents", kinds: ["decision"] });
  await drain(at, id);
  const [splunk] = http.requests;
  expect(splunk?.headers.authorization).toBe("Splunk token");
  const [envelope] = http.lines() as [{ time: number; index: string; event: { at: string } }];
  expect([envelope.index, envelope.time * 1_000]).toEqual(["agents", Date.parse(envelope.event.at)]);

  http.requests.length = 0;
  http.behave((_request, response) =>
    response.end(JSON.stringify({ errors: true, items: [{ create: { status: 409 } }] })),
  );
  const other = await made(at, {
    name: "elastic",
    kind: "elastic",
    secret: "key",
    index: "logs-agents",
    kinds: ["decision"],
  });
  await drain(at, other);
  const [bulk] = http.requests;
  expect([bulk?.path.split("?")[0], bulk?.headers.authorization]).toEqual(["/events/_bulk", "ApiKey key"]);
  const [create, document] = http.lines() as [{ create: { _id: string } }, { id: string; at: string }];
  expect(create.create._id).toBe(`${at.workspaceId}:${document.id}`);
  expect(document).toMatchObject({ "@timestamp": document.at });
});

test("an answer of Elastic that refuses one document sets it aside, and one that is busy repeats all", async () => {
  const at = await tenant();
  for (let index = 0; index < 3; index += 1) await call(at);
  const id = await made(at, { kind: "elastic", secret: "key", index: "logs-agents", kinds: ["decision"] });
  const items = (...statuses: number[]) =>
    statuses.map((status) => ({
      create: { status, ...(status > 299 && { error: { type: "mapper_parsing_exception" } }) },
    }));
  http.behave((_request, response) => response.end(JSON.stringify({ errors: true, items: items(201, 429, 201) })));
  await job().turn();
  expect(await view(at)).toMatchObject({ events: 0, status: 429 });
  http.behave((_request, response) => response.end(JSON.stringify({ errors: true, items: items(409, 400, 409) })));
  await drain(at, id);
  expect(await service.setAside(rig.db.database, at.workspaceId, { id })).toMatchObject([
    { status: 400, reason: "It refused the event (mapper_parsing_exception)." },
  ]);
});

test("syslog gets RFC 5424 messages over TLS, counts only whole connections and refuses an unknown certificate", async () => {
  const at = await tenant();
  for (let index = 0; index < 50; index += 1)
    await call(at, "pre_tool_use", { tool_input: { cmd: `grüße € ${"x".repeat(9_000)}` } });
  const certificate = testCertificate();
  const syslog = await syslogReceiver(certificate);
  try {
    const id = await made(at, { kind: "syslog", address: syslog.address, kinds: ["decision"] });
    await job().turn();
    expect(await view(at)).toMatchObject({ events: 0, error: expect.stringContaining("not trusted") });
    await service.save(
      world(),
      at.actor,
      settings({ id, kind: "syslog", address: syslog.address, kinds: ["decision"], ca: certificate.cert }),
    );
    syslog.breakAfter(1_000);
    await due(id);
    await job().turn();
    expect(await view(at)).toMatchObject({ events: 0 });
    expect(syslog.messages).toEqual([]);
    syslog.breakAfter(Number.POSITIVE_INFINITY);
    await drain(at, id);
    expect(syslog.messages).toHaveLength(50);
    const [, time, , , kind, text = ""] =
      /^<108>1 (\S+) (\S+) (\S+) - (\S+) - (.*)$/.exec(syslog.messages[0] ?? "") ?? [];
    expect([kind, JSON.parse(text)]).toMatchObject([
      "decision",
      { at: time, call: { input: expect.stringContaining("grüße €") } },
    ]);
  } finally {
    syslog.stop();
  }
});

test("a store gets gzipped files, signed, and a repeated request writes the same file", async () => {
  const at = await tenant();
  const store = await storeReceiver();
  try {
    for (let index = 0; index < 6; index += 1) await call(at);
    const id = await made(at, {
      ...{ kind: "s3", address: store.url, bucket: "records", region: "eu-1", prefix: "agents/", accessKeyId: "AKID" },
      ...{ secret: "hidden", kinds: ["decision"] },
    });
    const paths: string[] = [];
    store.behave((request, response) => {
      paths.push(request.path);
      breakOff(request, response);
    });
    await job().turn();
    for (let index = 0; index < 6; index += 1) await call(at);
    store.behave(accept);
    await drain(at, id);
    const files = store.files();
    expect([...files.keys()][0]).toBe(paths[0]);
    expect(paths[0]).toMatch(/^\/records\/agents\/\d{4}\/\d\d\/\d\d\/\d{12}\.\d+-\d{12}\.\d+\.ndjson\.gz$/);
    expect([...files.values()].flat().map(({ kind }) => kind)).toEqual(Array(12).fill("decision"));
    expect(store.requests[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-1\/s3\/aws4_request, /,
    );
    expect(JSON.stringify(store.requests.map((one) => one.headers))).not.toContain("hidden");
  } finally {
    store.stop();
  }
});

test("the level of masking decides which texts leave", async () => {
  const at = await tenant();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await call(at, "pre_tool_use", { tool_input: { cmd: `login ${secret}` } });
  const sent = async (masking: SaveStream["masking"]) => {
    http.requests.length = 0;
    const id = await made(at, { name: masking, masking, kinds: ["decision"] });
    await drain(at, id);
    return http.requests.map(({ body }) => body.toString()).join("");
  };
  expect(await sent("stored")).toContain(secret);
  const masked = await sent("masked");
  expect(masked).toContain("login");
  expect(masked).not.toContain(secret);
  const facts = await sent("facts");
  for (const word of ["login", secret, '"no"']) expect(facts).not.toContain(word);
});

test("rows that retention removed are counted, and block nothing", async () => {
  const at = await tenant();
  for (let index = 0; index < 3; index += 1) await call(at);
  await rig.db.owner.query(
    "DELETE FROM dispatch WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM dispatch WHERE workspace_id = $1 LIMIT 1)",
    [at.workspaceId],
  );
  const id = await made(at, { kinds: ["decision"] });
  await drain(at, id);
  expect(await view(at)).toMatchObject({ events: 2, removed: 1, lagMs: 0 });
  expect(await record.check(rig.db.database, at.workspaceId, { id, after: null })).toMatchObject({
    ...{ sent: 2, recorded: 2, removed: 0, differing: [] },
  });
});

test("a record that was altered behind a stream differs from what it sent", async () => {
  const at = await tenant();
  for (let index = 0; index < 3; index += 1) await call(at);
  const id = await made(at, { kinds: ["decision"] });
  await drain(at, id);
  await rig.db.owner.query(
    "UPDATE chain_batch SET leaves = overlay(leaves placing 'AAAA' from 1) WHERE workspace_id = $1",
    [at.workspaceId],
  );
  const { differing, sent, recorded } = await record.check(rig.db.database, at.workspaceId, { id, after: null });
  expect([differing.length > 0, sent, recorded]).toEqual([true, 3, 3]);
});

test("a changed filter begins where it was changed, and both parts agree with the record", async () => {
  const at = await tenant();
  for (let index = 0; index < 4; index += 1) await call(at);
  const id = await made(at, { kinds: ["decision"] });
  await drain(at, id);
  await service.save(world(), at.actor, settings({ id, kinds: ["decision", "event"] }));
  for (let index = 0; index < 4; index += 1) await call(at, "session_start");
  await drain(at, id);
  expect(http.lines().map(({ kind }) => kind)).toEqual([...Array(4).fill("decision"), ...Array(4).fill("event")]);
  expect(await record.check(rig.db.database, at.workspaceId, { id, after: null })).toMatchObject({
    ...{ sent: 8, recorded: 8, differing: [] },
  });
});

test("a stream can send a part of the record again", async () => {
  const at = await tenant();
  for (let index = 0; index < 4; index += 1) await call(at);
  const id = await made(at, { kinds: ["decision"] });
  await drain(at, id);
  const before = idsOf(http.lines());
  await service.rewind(world(), at.actor, { id, seq: 0 });
  await drain(at, id);
  expect(idsOf(http.lines())).toEqual([...before, ...before]);
  await expect(service.rewind(world(), at.actor, { id, seq: 1_000_000 })).rejects.toThrow("no such entry");
});

test("a secret is sealed, is not returned, and is not sent to another place", async () => {
  const at = await tenant();
  const id = await made(at, { secret: "Bearer very-hidden" });
  const stored = await rig.db.owner.query("SELECT secret, target FROM stream WHERE id = $1", [id]);
  expect(JSON.stringify(stored.rows) + stored.rows[0]?.secret.toString("latin1")).not.toContain("very-hidden");
  expect(JSON.stringify(await view(at))).not.toContain("very-hidden");
  const elsewhere = settings({ id, address: "https://siem.example.com/events" });
  await expect(service.save(world(), at.actor, elsewhere)).rejects.toThrow("Enter the secret again.");
  expect(await service.test(world(), at.workspaceId, { id })).toEqual({ status: 200, error: null });
  expect(http.requests[0]?.headers.authorization).toBe("Bearer very-hidden");
});

test.each([
  ["http", "http://169.254.169.254/latest"],
  ["http", "https://quarterdeck.example/api/v1/events"],
  ["http", "https://siem.example.com/?token=1"],
  ["syslog", "169.254.169.254:6514"],
  ["syslog", "siem.example.com"],
  ["s3", "file:///etc"],
] as const)("a stream of kind %s to %s is refused", async (kind, address) => {
  const at = await tenant();
  const more = { bucket: "b12", region: "eu-1", accessKeyId: "AKID" };
  await expect(service.save(world(), at.actor, settings({ kind, address, ...more }))).rejects.toThrow();
});

test("each change of a stream is an entry of the record, without the address's path or a secret", async () => {
  const at = await tenant();
  const id = await made(at, { secret: "hidden", address: `${http.url}/path-with-key` });
  await service.rewind(world(), at.actor, { id, seq: 0 });
  await service.remove(world(), at.actor, { id });
  const { rows } = await rig.db.owner.query(
    "SELECT kind, body, changes FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
    [at.workspaceId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["stream_saved", "stream_rewound", "stream_removed"]);
  expect(JSON.stringify(rows)).not.toMatch(/hidden|path-with-key/);
  await expect(service.remove(world(), at.actor, { id })).rejects.toMatchObject({ code: "stream_not_found" });
});
