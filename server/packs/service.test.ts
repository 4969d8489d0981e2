import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import { type Bus, createBus } from "../events/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import type { Pack } from "./pack.ts";
import { PACKS } from "./registry.ts";
import * as packs from "./service.ts";

const source = (word: string) => `hooks:\n  stop:\n    - type: command\n      command: echo ${word}\n`;
const words = { promise: "p.", denies: "", asks: "", changes: "", passes: "all.", limits: "none." };
const OLD: readonly Pack[] = [{ id: "p", title: "A pack", version: 1, ...words, source: source("old") }];
const NEW: readonly Pack[] = [{ id: "p", title: "A pack", version: 2, ...words, source: source("new") }];

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;

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
});

const install = async (name?: string) =>
  (await packs.install(at.database, bus, admin, { packId: "p", ...(name ? { name } : {}) }, OLD)).policyId;
const update = (policyId: string, from = NEW) => packs.update(at.database, bus, admin, { policyId }, from);
const get = (policyId: string) => policies.get(at.database, admin.workspaceId, policyId);
const audited = async () =>
  (
    await at.database.pool.query<{ kind: string }>(
      "SELECT kind FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
      [admin.workspaceId],
    )
  ).rows.map(({ kind }) => kind);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error) => (error instanceof AppError ? error.code : String(error)),
  );
async function publish(policyId: string, text: string) {
  const { latestRevision, draftVersion } = await get(policyId);
  const input = { policyId, source: text, note: "", baseRevision: latestRevision, draftVersion };
  await policies.publish(at.database, bus, admin, input, policies.NO_CASES);
}
async function edit(policyId: string, text: string) {
  const { latestRevision, draftVersion } = await get(policyId);
  const input = { policyId, source: text, baseRevision: latestRevision, baseVersion: draftVersion };
  await policies.saveDraft(at.database, bus, admin, input);
}

describe("installing a pack", () => {
  it("makes a draft, puts nothing in force and is in the audit log", async () => {
    const policyId = await install();
    const policy = await get(policyId);
    expect(policy).toMatchObject({ name: "A pack", latestRevision: 0, hasDraft: true, source: source("old") });
    expect(policy.scope).toBe("nobody");
    expect(await audited()).toEqual(["policy_created", "policy_pack_taken"]);
  });

  it("is shown with the pack, and says when a newer version is here", async () => {
    const policyId = await install("Ours");
    const [before] = await packs.list(at.database, admin.workspaceId, OLD);
    expect(before?.installed).toEqual([{ policyId, name: "Ours", version: 1, isBehind: false, isPublished: false }]);
    expect(before?.events).toEqual([{ event: "stop", hooks: 1, agentHooks: 0 }]);
    await publish(policyId, source("old"));
    const [after] = await packs.list(at.database, admin.workspaceId, NEW);
    expect(after?.installed).toMatchObject([{ isBehind: true, isPublished: true }]);
  });

  it("refuses a name that is taken and a pack that is none, and then makes nothing", async () => {
    await install("Ours");
    expect(await codeOf(install("Ours"))).toBe("name_taken");
    const none = packs.install(at.database, bus, admin, { packId: "x" }, OLD);
    expect(await codeOf(none)).toBe("pack_not_found");
    expect(await audited()).toEqual(["policy_created", "policy_pack_taken"]);
  });

  it("numbers the title where that is taken and no name was given", async () => {
    await install();
    expect((await get(await install())).name).toBe("A pack 2");
  });

  it("works for every pack there is", async () => {
    for (const { id } of PACKS) await packs.install(at.database, bus, admin, { packId: id });
    const listed = await packs.list(at.database, admin.workspaceId);
    expect(listed.every(({ installed, events }) => installed.length === 1 && events.length > 0)).toBe(true);
  });
});

describe("updating a pack", () => {
  it("puts the new text into the draft while the published one is the pack's, and leaves that in force", async () => {
    const policyId = await install();
    await publish(policyId, source("old"));
    expect(await update(policyId)).toEqual({ outcome: "drafted" });
    expect(await get(policyId)).toMatchObject({
      source: source("new"),
      publishedSource: source("old"),
      hasDraft: true,
    });
    expect(await update(policyId)).toEqual({ outcome: "current" });
    expect((await audited()).at(-1)).toBe("policy_pack_taken");
  });

  it("replaces a draft that nobody touched", async () => {
    const policyId = await install();
    expect(await update(policyId)).toEqual({ outcome: "drafted" });
    expect((await get(policyId)).source).toBe(source("new"));
  });

  it("changes nothing and shows both where the published text was changed", async () => {
    const policyId = await install();
    await publish(policyId, source("ours"));
    expect(await update(policyId)).toEqual({ outcome: "differs", yours: source("ours"), theirs: source("new") });
    expect(await get(policyId)).toMatchObject({ source: source("ours"), hasDraft: false });
  });

  it("changes nothing and shows both where a draft was changed", async () => {
    const policyId = await install();
    await publish(policyId, source("old"));
    await edit(policyId, source("mine"));
    expect(await update(policyId)).toMatchObject({ outcome: "differs", yours: source("mine") });
    expect((await get(policyId)).source).toBe(source("mine"));
  });

  it("refuses a policy that came from no pack", async () => {
    const { policyId } = await policies.create(at.database, bus, admin, { name: "own", source: source("old") });
    expect(await codeOf(update(policyId))).toBe("policy_not_found");
  });
});
