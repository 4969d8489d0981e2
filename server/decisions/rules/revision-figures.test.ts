import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../../e2e/fixtures/recorded.ts";
import { createBus } from "../../events/index.ts";
import { createLog } from "../../platform/log.ts";
import * as policies from "../../policies/index.ts";
import { HOOK_OUTCOMES } from "../../recording/schema.ts";
import { getRuleRevisions } from "./revision-figures.ts";
import { type RuleRevisions, ruleRevisions } from "./revision-schema.ts";
import * as service from "./service.ts";

const DAY_MS = 86_400_000;
const RANGE = { from: new Date("2026-11-18T03:30:00Z"), to: new Date("2026-11-22T07:10:00Z") };
const RULE = { policy: "guard", event: "pre_tool_use", hook: "no deletes" };
const source = (more = "") => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no deletes, type: command, command: "true${more}" }
`;

let db: TestDatabase;
let one: RecordedWorkspace;
let ids = 0;
beforeAll(async () => {
  db = await testDatabase();
  one = await recordedWorkspace(db, "one");
  const bus = createBus(db.url, createLog("silent"));
  const admin = { kind: "script", workspaceId: one.workspaceId, id: "test", name: "test" } as const;
  for (const more of ["", " 2", " 3"])
    await policies.publishByName(
      db.database,
      bus,
      admin,
      { name: "guard", source: source(more), note: "" },
      policies.NO_CASES,
    );
  const policyId = await policies.findIdByName(db.database, one.workspaceId, "guard");
  await policies.rollBack(db.database, bus, admin, { policyId, number: 2, expectedLive: 3 });
  await bus.close();
});
afterAll(async () => {
  await one?.close();
  await db?.drop();
});

const run = (revision: number, said: "deny" | "nothing", durationMs: number, atMs: number): Happened => {
  ids += 1;
  return {
    at: new Date(RANGE.from.getTime() + atMs),
    verdict: said === "deny" ? "deny" : "none",
    input: { session_id: "s", tool_name: "shell", tool_use_id: `c${ids}` },
    hooks: [
      {
        ...{ policy: "guard", revision, path: "hooks.pre_tool_use[0].hooks[0]", name: "no deletes", type: "command" },
        ...{ outcome: "completed", said, startedMs: 0, durationMs, stdout: "", stderr: "" },
      },
    ],
  };
};

const read = async () =>
  ruleRevisions.parse(await getRuleRevisions(db.database, one.workspaceId, { ...RANGE, rule: RULE }));
const lineOf = ({ lines }: RuleRevisions, revision: number) => lines.find((line) => line.revision === revision);

/** The runs and outcomes of every part, added up. */
function sumOf({ lines, earlier }: RuleRevisions) {
  const parts = [...lines, ...(earlier === null ? [] : [earlier])];
  const outcomes = HOOK_OUTCOMES.map((word) => parts.reduce((sum, part) => sum + (part.outcomes[word] ?? 0), 0));
  return { fired: parts.reduce((sum, { fired }) => sum + fired, 0), outcomes };
}
async function cardSum() {
  const { cards } = await service.listRuleCards(db.database, one.workspaceId, RANGE);
  const card = cards.find(({ hook }) => hook === RULE.hook);
  return { fired: card?.fired, outcomes: HOOK_OUTCOMES.map((word) => card?.outcomes[word]) };
}

describe("the figures of a rule by revision", () => {
  it("name the revision in force and the one before it, also without a run", async () => {
    const { lines, earlier, uncounted } = await read();
    expect(lines.map(({ revision, state, fired }) => ({ revision, state, fired }))).toEqual([
      { revision: 2, state: "live", fired: 0 },
      { revision: 1, state: "past", fired: 0 },
    ]);
    const [live, past] = lines;
    // A roll back adds no revision: it is in force since the roll back.
    expect(live?.inForceSince?.getTime()).toBeGreaterThanOrEqual(live?.publishedAt?.getTime() ?? Infinity);
    expect(past?.inForceSince).toBeNull();
    expect({ earlier, uncounted }).toEqual({ earlier: null, uncounted: { fired: 0, countedSince: null } });
  });

  it("add up to the rule's figures, over hours and whole days", async () => {
    await one.record(
      ...[run(1, "deny", 10, 0), run(1, "nothing", 10, DAY_MS), run(1, "nothing", 10, 2 * DAY_MS)],
      ...[run(2, "deny", 40, DAY_MS), run(2, "deny", 40, 3 * DAY_MS), run(2, "nothing", 80, 3.9 * DAY_MS)],
      ...[run(3, "nothing", 5, 2.2 * DAY_MS), run(7, "deny", 5, 2.2 * DAY_MS), run(0, "nothing", 5, 2.2 * DAY_MS)],
    );
    const view = await read();
    expect(view.lines.map(({ revision, fired }) => [revision, fired])).toEqual([
      [7, 1],
      [3, 1],
      [2, 3],
      [1, 3],
    ]);
    expect(view.earlier).toMatchObject({ fired: 1 });
    expect(lineOf(view, 7)).toMatchObject({ publishedAt: null, state: "past" });
    expect(lineOf(view, 2)?.outcomes).toEqual({ denied: 2, silent: 1 });
    expect(Math.abs((lineOf(view, 2)?.latency.p50 ?? 0) / 40 - 1)).toBeLessThan(0.091);
    expect(sumOf(view)).toEqual(await cardSum());
  });

  it("list few revisions, and none whose runs are in part among the earlier ones", async () => {
    await one.record(...Array.from({ length: 40 }, (_, at) => run(at + 10, at % 3 ? "nothing" : "deny", at, DAY_MS)));
    const view = await read();
    expect(view.lines.map(({ revision }) => revision)).toEqual(Array.from({ length: 16 }, (_, at) => 49 - at));
    expect(view.lines.every(({ fired }) => fired === 1)).toBe(true);
    expect(view.earlier?.fired).toBe(9 + 40 - 16);
    expect(sumOf(view)).toEqual(await cardSum());
    // The revision in force is among the earlier ones: its runs are not known apart.
    expect(lineOf(view, 2)).toBeUndefined();
  });

  it("say how many runs were counted before revisions were", async () => {
    await db.owner.query("DELETE FROM hook_revision_hour");
    await db.owner.query("DELETE FROM hook_revision_day");
    await db.owner.query(
      "INSERT INTO projection_fold (table_name, version, since) VALUES ('hook_revision_hour', 2, now()) ON CONFLICT DO NOTHING",
    );
    const { uncounted, earlier } = await read();
    expect(earlier).toBeNull();
    expect(uncounted.fired).toBe((await cardSum()).fired);
    expect(uncounted.countedSince).toBeInstanceOf(Date);
  });
});
