import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../../e2e/fixtures/recorded.ts";
import { createBus } from "../../events/index.ts";
import { createLog } from "../../platform/log.ts";
import * as policies from "../../policies/index.ts";
import type { StoredHook } from "../../recording/schema.ts";
import { parseRuleKey, ruleCards, ruleDetail, ruleKeyText } from "./schema.ts";
import * as service from "./service.ts";

const NOON = new Date("2026-11-20T12:00:00.000Z");
const DAY = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-21T00:00:00Z") };
const SOURCE = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no deletes, type: command, command: "true" }
        - { name: idle, type: command, command: "true" }
`;
const hook = (more: Partial<StoredHook>): StoredHook => ({
  ...{ policy: "guard", revision: 1, path: "hooks.pre_tool_use[0].hooks[0]", name: "no deletes", type: "command" },
  ...{ outcome: "completed", said: "nothing", startedMs: 0, durationMs: 10, stdout: "", stderr: "" },
  ...more,
});
const call = (id: string) => ({
  session_id: "s",
  tool_name: "shell",
  tool_use_id: id,
  tool_input: { cmd: `do ${id}` },
});
const gate = (id: string, verdict: "deny" | "ask" | "none", more: Partial<StoredHook>, ms: number): Happened => ({
  at: new Date(NOON.getTime() + ms),
  verdict,
  input: call(id),
  hooks: [hook(more)],
});

let db: TestDatabase;
let one: RecordedWorkspace;
let other: RecordedWorkspace;
beforeAll(async () => {
  db = await testDatabase();
  [one, other] = [await recordedWorkspace(db, "one"), await recordedWorkspace(db, "other")];
  const bus = createBus(db.url, createLog("silent"));
  const admin = { kind: "script", workspaceId: one.workspaceId, id: "test", name: "test" } as const;
  await policies.publishByName(db.database, bus, admin, { name: "guard", source: SOURCE, note: "" }, policies.NO_CASES);
  await bus.close();
  await one.record(
    gate("a", "deny", { said: "deny", durationMs: 20 }, 0),
    gate("b", "ask", { said: "ask", durationMs: 40 }, 1),
    gate("c", "none", { durationMs: 10 }, 2),
    gate("d", "deny", { outcome: "failed", said: "failed", failure: "exited with status 7", durationMs: 4_000 }, 3),
    gate("e", "deny", { policy: "gone", name: "old", said: "deny" }, 4),
  );
  await one.record({
    at: new Date(NOON.getTime() + 5_000),
    event: "on_tool_approval_decision",
    input: { ...call("b"), approval_decision: "allow", approval_source: "user_approved" },
  });
});
afterAll(async () => {
  await Promise.all([one?.close(), other?.close()]);
  await db?.drop();
});

const cardsOf = async (of: RecordedWorkspace) =>
  ruleCards.parse(await service.listRuleCards(db.database, of.workspaceId, DAY));

describe("a rule's report card", () => {
  it("counts what it did, once each, with its latencies and who overruled it", async () => {
    const card = (await cardsOf(one)).cards.find(({ hook }) => hook === "no deletes");
    expect(card).toMatchObject({
      policy: "guard",
      event: "pre_tool_use",
      inForce: 1,
      fired: 4,
      outcomes: { denied: 1, asked: 1, silent: 1, failed: 1 },
      overturned: { denied: 0, asked: 1 },
      judge: null,
    });
    expect(Math.abs((card?.latency.p50 ?? 0) / 20 - 1)).toBeLessThan(0.091);
    expect(Math.abs((card?.latency.p99 ?? 0) / 4_000 - 1)).toBeLessThan(0.091);
  });

  it("is there for a rule in force that never fired, and for one that fired and is in force no more", async () => {
    const { cards, countedSince } = await cardsOf(one);
    expect(cards.find(({ hook }) => hook === "idle")).toMatchObject({ inForce: 1, fired: 0, latency: { p50: null } });
    expect(cards.find(({ hook }) => hook === "old")).toMatchObject({ inForce: 0, fired: 1, policyId: null });
    expect(countedSince).toBeNull();
  });

  it("holds nothing of another workspace", async () => {
    expect((await cardsOf(other)).cards).toEqual([]);
  });

  it("opens with its newest refusals, errors in their own words, and what a person overruled", async () => {
    const rule = { policy: "guard", event: "pre_tool_use", hook: "no deletes" };
    expect(parseRuleKey(ruleKeyText(rule))).toEqual(rule);
    const detail = ruleDetail.parse(await service.getRuleDetail(db.database, one.workspaceId, { ...DAY, rule }));
    expect(detail.refusals.map(({ outcome, excerpt }) => [outcome, excerpt])).toEqual([
      ["asked", "do b"],
      ["denied", "do a"],
    ]);
    expect(detail.errors.map(({ outcome, failure }) => [outcome, failure])).toEqual([
      ["failed", "exited with status 7"],
    ]);
    expect(detail.overturned.map(({ excerpt, overturnedBy }) => [excerpt, overturnedBy])).toEqual([
      ["do b", "user_approved"],
    ]);
    expect(detail.points.map(({ outcomes }) => outcomes)).toEqual([{ asked: 1, denied: 1, failed: 1, silent: 1 }]);
  });
});
