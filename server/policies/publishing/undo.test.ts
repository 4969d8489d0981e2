import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { Administrator } from "../../access/actor.ts";
import * as agents from "../../agents/index.ts";
import type { AppError } from "../../errors/app-error.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { assign } from "../assignments/assignments.ts";
import { reorder } from "../assignments/priority.ts";
import { setCanary } from "../rollout/canary.ts";
import * as policies from "../service.ts";
import * as views from "../views.ts";
import { NO_CASES } from "./case-gate.ts";
import { freeze } from "./freeze.ts";
import { observe } from "./monitor-mode.ts";
import * as publications from "./publish.ts";
import { rollBack } from "./roll-back.ts";

const SOURCE = (word: string) => `hooks:\n  stop:\n    - type: command\n      command: echo ${word}\n`;

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;
let policyId: string;
let agentId: string;

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  admin = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
  policyId = (await policies.create(at.database, bus, admin, { name: "guard" })).policyId;
  ({ agentId } = await agents.create(at.database, bus, admin, { name: "one" }));
});

const get = (id = policyId) => views.get(at.database, admin.workspaceId, id);
async function publish(word: string, rollout?: { kind: "canary"; share: number; groupId: null }) {
  const { latestRevision: baseRevision, draftVersion } = await get();
  const input = { policyId, source: SOURCE(word), note: "", baseRevision, draftVersion, ...(rollout && { rollout }) };
  return publications.publish(at.database, bus, admin, input, NO_CASES);
}
const back = (number: number, expectedLive: number, undoes?: number) =>
  rollBack(at.database, bus, admin, { policyId, number, expectedLive, ...(undoes && { undoes }) });
type Scope = "workspace" | "chosen" | "nobody";
const bind = (scope: Scope, undoes?: number) => {
  const agentIds = scope === "chosen" ? [agentId] : [];
  return assign(at.database, bus, admin, { policyId, scope, groupIds: [], agentIds, ...(undoes && { undoes }) });
};
const lastEntry = async () => {
  const { rows } = await at.database.pool.query<{ body: string }>(
    "SELECT body FROM audit_entry WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 1",
    [admin.workspaceId],
  );
  return JSON.parse(rows[0]?.body ?? "{}") as Record<string, unknown>; // an entry of this test
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => ["nothing was refused", ""],
    (error: AppError) => [error.code, error.message],
  );
const assignments = () =>
  at.database.prisma.assignment.findMany({
    where: { workspaceId: admin.workspaceId, policyId },
    select: { scope: true, targetId: true, position: true, mode: true, observeUntil: true, observeSince: true },
  });

describe("undoing a publication", () => {
  it("puts the revision before in force, and is an act with a link to the act undone", async () => {
    await publish("one");
    const { entry } = await publish("two");
    await back(1, 2, entry);
    expect(await get()).toMatchObject({ liveRevision: 1, latestRevision: 2 });
    expect(await lastEntry()).toMatchObject({
      ...{ kind: "policy_change_undone", by: admin.id, policy: policyId, act: entry, change: "policy_published" },
    });
  });

  it("of the first revision leaves nothing in force", async () => {
    const { entry } = await publish("one");
    await back(0, 1, entry);
    expect(await get()).toMatchObject({ liveRevision: 0, latestRevision: 1, publishedSource: "" });
    expect((await refusal(back(0, 0)))[0]).toBe("revision_not_found");
  });

  it("puts back the revision that was in force, also where it was not the newest", async () => {
    for (const word of ["one", "two"]) await publish(word);
    await back(1, 2);
    const { entry } = await publish("three");
    expect(await refusal(back(2, 3, entry))).toEqual(["policy_moved_on", expect.stringContaining("would not restore")]);
    await back(1, 3, entry);
    expect(await get()).toMatchObject({ liveRevision: 1 });
  });

  it("is refused in words once the policy has changed since, and changes nothing", async () => {
    await publish("one");
    const { entry } = await publish("two");
    await bind("nobody");
    const [code, says] = await refusal(back(1, 2, entry));
    expect([code, says]).toEqual(["policy_moved_on", expect.stringContaining("was changed again since")]);
    expect(await get()).toMatchObject({ liveRevision: 2, scope: "nobody" });
    expect(await lastEntry()).toMatchObject({ kind: "policy_assigned" });
  });

  it("is done once, of two at the same time", async () => {
    await publish("one");
    const { entry } = await publish("two");
    const done = await Promise.allSettled([back(1, 2, entry), back(1, 2, entry)]);
    expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refusal(back(1, 2, entry))).toEqual(["policy_moved_on", expect.any(String)]);
  });

  it("is refused where it would lose a canary, in a freeze, and for an entry of another policy", async () => {
    await publish("one");
    const { number } = await publish("two", { kind: "canary", share: 100, groupId: null });
    const { entry } = await publish("three");
    expect(number).toBe(2);
    expect(await refusal(back(1, 3, entry))).toEqual(["policy_moved_on", expect.stringContaining("would not restore")]);
    const next = await publish("four");
    await freeze(at.database, bus, admin, { reason: "a release" });
    expect((await refusal(back(3, 4, next.entry)))[0]).toBe("workspace_frozen");
    expect((await refusal(back(3, 4, 1)))[0]).toBe("workspace_frozen");
    expect(await get()).toMatchObject({ liveRevision: 4 });
  });

  it("of a roll back puts the revision before it in force", async () => {
    for (const word of ["one", "two"]) await publish(word);
    const { entry } = await back(1, 2);
    expect(await refusal(back(1, 1, entry))).toEqual(["policy_moved_on", expect.stringContaining("would not restore")]);
    await back(2, 1, entry);
    expect(await lastEntry()).toMatchObject({ act: entry, change: "policy_rolled_back" });
  });

  it("asks for a second person where the policy does", async () => {
    await publish("one");
    const { entry } = await publish("two");
    await at.database.prisma.policy.updateMany({ where: { id: policyId }, data: { fourEyes: true } });
    expect((await refusal(back(1, 2, entry)))[0]).toBe("review_required");
    expect((await refusal(bind("nobody")))[0]).toBe("review_required");
    expect(await get()).toMatchObject({ liveRevision: 2 });
  });

  it("takes no number of an entry that is none of its acts", async () => {
    await publish("one");
    await publish("two");
    const assigned = await bind("chosen");
    expect((await refusal(back(1, 2, assigned.entry)))[1]).toContain("this change cannot be undone");
    expect((await refusal(back(1, 2, 999_999)))[1]).toContain("this change cannot be undone");
    await setCanary(at.database, bus, admin, {
      policyId,
      revision: 1,
      share: 100,
      groupId: null,
      expectedCanary: null,
    });
    expect((await refusal(bind("workspace", assigned.entry)))[1]).toContain("was changed again since");
  });
});

describe("undoing an assignment", () => {
  it("assigns the policy as before, with the position and the observation that it had", async () => {
    await publish("one");
    const other = (await policies.create(at.database, bus, admin, { name: "other" })).policyId;
    await bind("chosen");
    await assign(at.database, bus, admin, { policyId: other, scope: "chosen", groupIds: [], agentIds: [agentId] });
    await reorder(at.database, bus, admin, { scope: "agent", targetId: agentId, policyIds: [policyId, other] });
    await observe(at.database, bus, admin, { policyId, until: new Date(Date.now() + 3_600_000) });
    const before = await assignments();
    const { entry } = await bind("nobody");
    expect(await assignments()).toEqual([]);
    await bind("chosen", entry);
    expect(await assignments()).toEqual(before);
    expect(await lastEntry()).toMatchObject({ kind: "policy_change_undone", act: entry, change: "policy_assigned" });
  });

  it("is refused for other targets than it had, and after another change", async () => {
    await publish("one");
    const { entry } = await bind("chosen");
    expect((await refusal(bind("nobody", entry)))[1]).toContain("would not restore");
    await publish("two");
    expect((await refusal(bind("workspace", entry)))[1]).toContain("was changed again since");
    expect(await get()).toMatchObject({ scope: "chosen" });
  });
});
