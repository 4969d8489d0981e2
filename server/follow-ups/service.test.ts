import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import type { Administrator } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import { callFacets, listCalls } from "../decisions/calls.ts";
import { countDecisionsInput, listDecisions } from "../decisions/schema.ts";
import { type Bus, createBus } from "../events/index.ts";
import { createNotices, list as listNotices } from "../notices/service.ts";
import { systemClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { COMMENTS_MAX, KEYWORDS_MAX, keyword, writeComment } from "./schema.ts";
import * as service from "./service.ts";

const AT = Date.UTC(2026, 10, 20, 12);
const RANGE = { from: new Date(AT - 1_000), to: new Date(AT + 1_000) };
const log = createLog("silent");
const call = (ms: number, id: string | undefined, event = "pre_tool_use"): Happened => ({
  at: new Date(AT + ms),
  event,
  verdict: event === "pre_tool_use" ? "deny" : "none",
  input: {
    ...{ session_id: "s1", tool_name: "shell", tool_use_id: id, tool_input: { cmd: id ?? "unnamed" } },
    ...(event === "pre_tool_use" ? {} : { approval_decision: "deny", approval_source: "pre_tool_use_hook_deny" }),
  },
});

let db: TestDatabase;
let bus: Bus;
let one: RecordedWorkspace;
let other: RecordedWorkspace;
let ada: Administrator;
let grace: Administrator;
let viewer: Administrator;
const keys: { occurredAt: Date; id: string }[] = [];
const [GATE, FINAL, SECOND, UNNAMED] = [0, 1, 2, 3];
const keyOf = (at: number | undefined) => keys[at ?? 0] ?? { occurredAt: new Date(AT), id: uuidv7() };

beforeAll(async () => {
  db = await testDatabase();
  bus = createBus(db.url, log);
  [one, other] = [await recordedWorkspace(db, "one"), await recordedWorkspace(db, "other")];
  const happened = [
    call(1, "first"),
    call(2, "first", "on_tool_approval_decision"),
    call(3, "second"),
    call(4, undefined),
  ];
  const ids = await one.record(...happened);
  for (const [at, id] of ids.entries()) keys.push({ occurredAt: happened[at]?.at ?? new Date(0), id });
  [ada, grace, viewer] = [
    await newPerson("Ada", "approver"),
    await newPerson("Grace", "auditor"),
    await newPerson("Bo", "viewer"),
  ];
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await bus.close();
  await db.drop();
});

async function newPerson(name: string, role: Role): Promise<Administrator> {
  const id = uuidv7();
  await db.owner.query("INSERT INTO person (id, name, email, email_verified) VALUES ($1, $2, $3, true)", [
    ...[id, name, `${id}@example.org`],
  ]);
  await db.owner.query("INSERT INTO membership (workspace_id, person_id, role) VALUES ($1, $2, $3)", [
    ...[one.workspaceId, id, role],
  ]);
  return { kind: "person", workspaceId: one.workspaceId, id, name, role };
}

const world = () => ({ db: db.database, bus });
const of = (at: number | undefined, actor = ada) => service.get(db.database, actor, keyOf(at));
async function found(filters: object) {
  const asked = listDecisions.parse({ range: RANGE, filters });
  const { rows } = await listCalls(db.database, one.workspaceId, asked);
  const facets = await callFacets(db.database, one.workspaceId, countDecisionsInput.parse({ range: RANGE, filters }));
  expect(facets.calls).toBe(rows.length);
  return rows.map(({ excerpt, followUp }) => [excerpt, followUp]);
}

it("keeps comments of a call whichever of its decisions is open, and lets their authors remove them", async () => {
  await service.comment(world(), grace, { call: keyOf(FINAL), text: "Was this\nmeant?" });
  await service.comment(world(), ada, { call: keyOf(GATE), text: "No." });
  const { comments } = await of(GATE);
  expect(comments).toMatchObject([
    { author: "Grace", text: "Was this\nmeant?", isRemovable: false },
    { author: "Ada", text: "No.", isRemovable: true },
  ]);
  expect((await of(FINAL)).comments).toEqual(comments);
  expect((await of(SECOND)).comments).toEqual([]);
  const [first, second] = comments.map(({ id }) => id);
  await expect(service.removeComment(world(), ada, first ?? "")).rejects.toMatchObject({ code: "forbidden" });
  await service.removeComment(world(), ada, second ?? "");
  await service.removeComment(world(), ada, second ?? "");
  const owner = { ...ada, role: "owner" } as Administrator; // holds: a role of people
  expect((await of(GATE, owner)).comments).toMatchObject([{ author: "Grace", isRemovable: true }]);
  expect((await of(GATE, viewer)).comments).toMatchObject([{ author: "Grace", isRemovable: false }]);
});

it("assigns calls to a member who may follow them up, with one entry and one notice", async () => {
  const entries = async () =>
    (
      await db.owner.query(
        "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'calls_assigned' ORDER BY seq",
        [one.workspaceId],
      )
    ).rows.map(({ body }) => JSON.parse(body));
  const calls = [keyOf(GATE), keyOf(FINAL), keyOf(SECOND)];
  await service.assign(world(), ada, { calls, assigneeId: grace.id });
  await service.assign(world(), ada, { calls, assigneeId: grace.id });
  expect((await of(FINAL)).assignee).toEqual({ id: grace.id, name: "Grace" });
  expect(await entries()).toMatchObject([{ person: grace.id, count: 2 }]);
  expect(JSON.stringify(await entries())).not.toContain("Was this");
  const { make } = createNotices({
    ...{ pool: db.database.pool, bus, log, clock: systemClock, url: "https://deck.example" },
    mailer: { send: async () => true },
  });
  await make();
  const { notices } = await listNotices(db.database, grace);
  expect(notices).toMatchObject([{ kind: "calls", title: "2 calls are assigned to you" }]);
  expect(notices[0]?.path).toMatch(/^\/activity\?open=\d+\.[0-9a-f-]{36}$/);
  expect((await listNotices(db.database, ada)).notices).toEqual([]);
  await expect(service.assign(world(), ada, { calls, assigneeId: viewer.id })).rejects.toMatchObject({
    code: "person_not_found",
  });
  await service.assign(world(), ada, { calls: [keyOf(SECOND)], assigneeId: null });
  expect((await of(SECOND)).assignee).toBeNull();
  expect(await service.listPeople(db.database, one.workspaceId)).toEqual([
    { id: ada.id, name: "Ada" },
    { id: grace.id, name: "Grace" },
  ]);
});

it("sets and removes a keyword on several calls, and filters calls by follow-ups", async () => {
  const calls = [keyOf(SECOND), keyOf(UNNAMED)];
  await service.setKeyword(world(), ada, { calls, name: "false-positive", isSet: true });
  await service.setKeyword(world(), ada, { calls, name: "false-positive", isSet: true });
  await service.setKeyword(world(), ada, { calls: [keyOf(UNNAMED)], name: "later", isSet: true });
  const mark = (keywords: string[]) => ({ keywords, assignee: null, comments: 0 });
  expect(await found({ keyword: ["false-positive"] })).toEqual([
    ["unnamed", mark(["false-positive", "later"])],
    ["second", mark(["false-positive"])],
  ]);
  expect(await found({ keyword: ["later"] })).toHaveLength(1);
  expect(await found({ assignee: ["Grace"] })).toMatchObject([["first", { assignee: { name: "Grace" }, comments: 1 }]]);
  expect(await found({ has: ["comments"] })).toMatchObject([["first", {}]]);
  expect(await found({ has: ["comments"], keyword: ["later"] })).toEqual([]);
  expect(await service.listKeywords(db.database, one.workspaceId)).toEqual([
    { value: "false-positive", count: 2 },
    { value: "later", count: 1 },
  ]);
  expect(await service.listKeywords(db.database, other.workspaceId)).toEqual([]);
  await service.setKeyword(world(), ada, { calls, name: "false-positive", isSet: false });
  expect(await found({ keyword: ["false-positive"] })).toEqual([]);
});

it("refuses what is too much, what is not stored, and what is in another workspace", async () => {
  for (let at = 0; at < COMMENTS_MAX; at += 1)
    await service.comment(world(), ada, { call: keyOf(SECOND), text: `${at}` });
  const more = { call: keyOf(SECOND), text: "more" };
  await expect(service.comment(world(), ada, more)).rejects.toMatchObject({ code: "invalid_input" });
  expect((await of(SECOND)).comments).toHaveLength(COMMENTS_MAX);
  const set = (name: string) => service.setKeyword(world(), ada, { calls: [keyOf(GATE)], name, isSet: true });
  for (let at = 0; at < KEYWORDS_MAX; at += 1) await set(`word-${at}`);
  await set("word-0");
  await expect(set("one-more")).rejects.toMatchObject({ code: "invalid_input" });
  const nowhere = { occurredAt: new Date(AT), id: uuidv7() };
  const stranger = { ...ada, workspaceId: other.workspaceId } as Administrator; // holds: another workspace's person
  for (const [who, key] of [
    [ada, nowhere],
    [stranger, keyOf(GATE)],
  ] as const) {
    await expect(service.comment(world(), who, { call: key, text: "x" })).rejects.toMatchObject({
      code: "dispatch_not_found",
    });
    await expect(service.assign(world(), who, { calls: [key], assigneeId: null })).rejects.toMatchObject({
      code: "dispatch_not_found",
    });
    await expect(service.get(db.database, who, key)).rejects.toMatchObject({ code: "dispatch_not_found" });
  }
});

it("takes plain text and one word", () => {
  const text = (one: string) => writeComment.safeParse({ call: keyOf(GATE), text: one }).success;
  expect([
    text("two\nlines"),
    text("  "),
    text("x".repeat(2_001)),
    text("turn \u202E round"),
    text("nul \u0000"),
  ]).toEqual([...[true, false, false, false, false]]);
  expect(keyword.parse(" False-Positive ")).toBe("false-positive");
  for (const wrong of ["", "two words", "-x", "x".repeat(41), 'a"b'])
    expect(keyword.safeParse(wrong).success).toBe(false);
});
