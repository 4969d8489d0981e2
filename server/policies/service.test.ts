import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import type { AppError } from "../errors/app-error.ts";
import { type Bus, createBus } from "../events/index.ts";
import type { Topic } from "../events/schema.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { assign } from "./assignments/assignments.ts";
import { effectiveSet, effectiveSets } from "./effective/effective.ts";
import { NO_CASES } from "./publishing/case-gate.ts";
import * as publications from "./publishing/publish.ts";
import * as policies from "./service.ts";
import { discardDraft, saveDraft } from "./text/draft.ts";
import * as views from "./views.ts";

const HOOKS = (word: string) => `hooks:\n  stop:\n    - type: command\n      command: echo ${word}\n`;

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;
const heard: (readonly Topic[])[] = [];

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
  bus.subscribe((_workspace, topics) => void heard.push(topics));
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  admin = await newWorkspace();
});

async function newWorkspace(): Promise<Administrator> {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  return { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
}

const create = async (name = "p", source?: string) =>
  (await policies.create(at.database, bus, admin, { name, ...(source === undefined ? {} : { source }) })).policyId;
const get = (policyId: string) => views.get(at.database, admin.workspaceId, policyId);
const newAgent = (name: string) => agents.create(at.database, bus, admin, { name });
const audit = async () =>
  (
    await at.database.pool.query<{ kind: string }>(
      "SELECT kind FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
      [admin.workspaceId],
    )
  ).rows.map(({ kind }) => kind);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => error.code,
  );

async function publish(policyId: string, source: string, over: { baseRevision?: number; draftVersion?: number } = {}) {
  const { latestRevision, draftVersion } = await get(policyId);
  return publications.publish(
    at.database,
    bus,
    admin,
    {
      policyId,
      source,
      note: "why",
      baseRevision: latestRevision,
      draftVersion,
      ...over,
    },
    NO_CASES,
  );
}
async function save(policyId: string, source: string, over: { baseVersion?: number; baseRevision?: number } = {}) {
  const { latestRevision, draftVersion } = await get(policyId);
  const base = { baseVersion: draftVersion, baseRevision: latestRevision };
  return saveDraft(at.database, bus, admin, { policyId, source, ...base, ...over });
}

describe("publishing", () => {
  it("puts a numbered revision in force, with its author, note and hash, and writes it down", async () => {
    const id = await create();
    await publish(id, HOOKS("a"));
    const { number } = await publish(id, HOOKS("b"));
    expect(number).toBe(2);
    const [second, first] = await views.revisions(at.database, admin.workspaceId, id);
    expect(second).toMatchObject({ number: 2, author: "Ada", note: "why", hooks: 1, profile: "2026-07" });
    expect((await views.revision(at.database, admin.workspaceId, id, 1)).source).toBe(HOOKS("a"));
    expect(first?.sha256).not.toBe(second?.sha256);
    expect(await audit()).toEqual(["policy_created", "policy_published", "policy_published"]);
  });

  it("binds the whole workspace when nobody said otherwise, and says how many that is", async () => {
    const id = await create();
    await newAgent("one");
    await newAgent("two");
    expect(await publish(id, HOOKS("a"))).toMatchObject({ agents: 2 });
    expect(await get(id)).toMatchObject({ scope: "workspace" });
  });

  it("keeps an assignment that was made before", async () => {
    const id = await create();
    const { agentId } = await newAgent("one");
    await newAgent("two");
    await assign(at.database, bus, admin, {
      policyId: id,
      scope: "chosen",
      groupIds: [],
      agentIds: [agentId, agentId],
    });
    expect(await publish(id, HOOKS("a"))).toMatchObject({ agents: 1 });
    expect((await get(id)).agents).toEqual([{ id: agentId, name: "one" }]);
  });

  it.each([
    ["not YAML", "hooks: {"],
    ["an unknown event", "hooks:\n  nonsense: []"],
    ["a builtin that is not there", "hooks:\n  stop: [{type: builtin, command: x}]"],
    ["a prompt that does not parse", "hooks:\n  stop: [{type: model, model: a/b, prompt: '{{ .'}]"],
  ])("refuses %s and leaves what is in force", async (_what, source) => {
    const id = await create();
    await publish(id, HOOKS("a"));
    const before = await audit();
    expect(await codeOf(publish(id, source))).toBe("policy_invalid");
    expect(
      await codeOf(publications.publishByName(at.database, bus, admin, { name: "p", source, note: "" }, NO_CASES)),
    ).toBe("policy_invalid");
    expect(await get(id)).toMatchObject({ latestRevision: 1, publishedSource: HOOKS("a") });
    expect(await audit()).toEqual(before);
  });

  it("refuses a text that began on an older revision", async () => {
    const id = await create();
    await publish(id, HOOKS("a"));
    expect(await codeOf(publish(id, HOOKS("b"), { baseRevision: 0 }))).toBe("policy_moved_on");
  });

  it("never throws away a draft that its author has not seen", async () => {
    const id = await create();
    await publish(id, HOOKS("a"));
    await save(id, HOOKS("somebody's work"));
    expect(await codeOf(publish(id, HOOKS("b"), { draftVersion: 0 }))).toBe("policy_moved_on");
    await publications.publishByName(
      at.database,
      bus,
      admin,
      { name: "p", source: HOOKS("script"), note: "" },
      NO_CASES,
    );
    expect(await get(id)).toMatchObject({ source: HOOKS("somebody's work"), latestRevision: 2, draftBaseRevision: 1 });
  });

  it("ends the draft it was made of", async () => {
    const id = await create();
    await save(id, HOOKS("a"));
    await publish(id, HOOKS("a"));
    expect(await get(id)).toMatchObject({ draftVersion: 0, hasDraft: false, source: HOOKS("a") });
  });

  it("of two at once on the same base, one wins and one is told", async () => {
    const id = await create();
    const both = await Promise.all([codeOf(publish(id, HOOKS("a"))), codeOf(publish(id, HOOKS("b")))]);
    expect(both.sort()).toEqual(["nothing was thrown", "policy_moved_on"]);
  });

  it("by name makes the policy when there is none", async () => {
    const made = await publications.publishByName(
      at.database,
      bus,
      admin,
      { name: "new", source: HOOKS("a"), note: "" },
      NO_CASES,
    );
    expect(made).toMatchObject({ number: 1, name: "new" });
    expect(await views.exportByName(at.database, admin.workspaceId, "new")).toBe(HOOKS("a"));
  });

  it("is heard by those who hold plans", async () => {
    const id = await create();
    heard.length = 0;
    await publish(id, HOOKS("a"));
    expect(heard.flat()).toContain("policies");
  });
});

describe("a draft", () => {
  it("that is saved again because the answer was lost is in no conflict with itself", async () => {
    const id = await create();
    const base = { baseVersion: 0, baseRevision: 0 };
    const first = await save(id, "typed", base);
    expect((await save(id, "typed", base)).version).toBe(first.version);
    expect(await codeOf(save(id, "typed on", base))).toBe("policy_moved_on");
    expect(await get(id)).toMatchObject({ source: "typed", draftVersion: first.version });
  });

  it("is kept as typed, valid or not, and does not touch what is in force", async () => {
    const id = await create();
    await publish(id, HOOKS("a"));
    await save(id, "hooks: {");
    expect(await get(id)).toMatchObject({ source: "hooks: {", publishedSource: HOOKS("a"), hasDraft: true });
  });

  it("saved on another version than the one held is refused", async () => {
    const id = await create();
    const { version } = await save(id, "one");
    await save(id, "two");
    expect(await codeOf(save(id, "three", { baseVersion: version }))).toBe("policy_moved_on");
    expect((await get(id)).source).toBe("two");
  });

  it("begun on a revision that is not the latest any more is refused", async () => {
    const id = await create();
    await publish(id, HOOKS("a"));
    await publish(id, HOOKS("b"));
    expect(await codeOf(save(id, HOOKS("c"), { baseRevision: 1 }))).toBe("policy_moved_on");
  });

  it("is not taken for another one that came after it", async () => {
    const id = await create();
    const first = await save(id, "first");
    await discardDraft(at.database, bus, admin, id);
    const second = await save(id, "second");
    expect(second.version).not.toBe(first.version);
    expect(await codeOf(save(id, "late", { baseVersion: first.version }))).toBe("policy_moved_on");
  });

  it("of two first ones at once, one is told", async () => {
    const id = await create();
    const both = await Promise.all([codeOf(save(id, "one")), codeOf(save(id, "two"))]);
    expect(both.sort()).toEqual(["nothing was thrown", "policy_moved_on"]);
  });
});

describe("whom a policy binds", () => {
  it("is everyone, some or nobody, and every change is written down", async () => {
    const id = await create();
    const { agentId } = await newAgent("one");
    await publish(id, HOOKS("a"));
    const effective = () => effectiveSet(at.database, admin.workspaceId, agentId);
    expect((await effective()).members.length).toBe(1);
    await assign(at.database, bus, admin, { policyId: id, scope: "nobody", groupIds: [], agentIds: [] });
    expect((await effective()).revision).toBe("none");
    await assign(at.database, bus, admin, {
      policyId: id,
      scope: "chosen",
      groupIds: [],
      agentIds: [agentId],
    });
    expect((await effective()).members).toMatchObject([{ name: "p", number: 1 }]);
    expect((await audit()).filter((kind) => kind === "policy_assigned").length).toBe(2);
  });

  it("cannot be an agent of another workspace", async () => {
    const id = await create();
    const ours = admin;
    admin = await newWorkspace();
    const { agentId } = await newAgent("theirs");
    admin = ours;
    const assigning = assign(at.database, bus, admin, {
      policyId: id,
      scope: "chosen",
      groupIds: [],
      agentIds: [agentId],
    });
    expect(await codeOf(assigning)).toBe("agent_not_found");
  });

  it("is the same whether asked for one agent or for all", async () => {
    const wide = await create("wide");
    const own = await create("own");
    const { agentId } = await newAgent("one");
    const other = await newAgent("two");
    await assign(at.database, bus, admin, {
      policyId: own,
      scope: "chosen",
      groupIds: [],
      agentIds: [agentId],
    });
    await publish(own, `profile: "2026-08"\n${HOOKS("own")}`);
    await publish(wide, HOOKS("wide"));
    const all = await effectiveSets(at.database, admin.workspaceId);
    for (const id of [agentId, other.agentId])
      expect(all(id)).toEqual(await effectiveSet(at.database, admin.workspaceId, id));
    const some = await effectiveSets(at.database, admin.workspaceId, [agentId]);
    expect(some(agentId)).toEqual(all(agentId));
    expect(() => some(other.agentId)).toThrow(/was not asked for/);
    // The workspace's policies come first; the newest profile of all binds.
    expect(all(agentId)).toMatchObject({ profile: "2026-08", members: [{ name: "wide" }, { name: "own" }] });
    expect(all(other.agentId)).toMatchObject({ profile: "2026-07", members: [{ name: "wide" }] });
  });

  it("changes with every publication, and is named by what is in it", async () => {
    const id = await create();
    const { agentId } = await newAgent("one");
    const revision = async () => (await effectiveSet(at.database, admin.workspaceId, agentId)).revision;
    expect(await revision()).toBe("none");
    await publish(id, HOOKS("a"));
    const first = await revision();
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    await publish(id, HOOKS("b"));
    expect(await revision()).not.toBe(first);
  });
});

describe("a name", () => {
  it("is taken once, also by two at the same moment", async () => {
    const both = await Promise.all([codeOf(create("same")), codeOf(create("same"))]);
    expect(both.sort()).toEqual(["name_taken", "nothing was thrown"]);
  });
  it("may be the same in another workspace", async () => {
    await create("same");
    admin = await newWorkspace();
    expect(await codeOf(create("same"))).toBe("nothing was thrown");
  });
});

it("a deleted policy binds nobody at once", async () => {
  const id = await create();
  const { agentId } = await newAgent("one");
  await publish(id, HOOKS("a"));
  await policies.remove(at.database, bus, admin, id);
  expect((await effectiveSet(at.database, admin.workspaceId, agentId)).revision).toBe("none");
  expect(await codeOf(get(id))).toBe("policy_not_found");
  expect((await audit()).at(-1)).toBe("policy_deleted");
});

it("nothing of another workspace is found, read or changed", async () => {
  const id = await create();
  await publish(id, HOOKS("a"));
  admin = await newWorkspace();
  const tries = [
    get(id),
    views.revision(at.database, admin.workspaceId, id, 1),
    views.exportByName(at.database, admin.workspaceId, "p"),
    saveDraft(at.database, bus, admin, { policyId: id, source: "x", baseVersion: 0, baseRevision: 1 }),
    publications.publish(
      at.database,
      bus,
      admin,
      {
        policyId: id,
        source: HOOKS("b"),
        note: "",
        baseRevision: 1,
        draftVersion: 0,
      },
      NO_CASES,
    ),
    assign(at.database, bus, admin, { policyId: id, scope: "nobody", groupIds: [], agentIds: [] }),
    policies.remove(at.database, bus, admin, id),
  ];
  for (const code of await Promise.all(tries.map(codeOf))) expect(code).toMatch(/_not_found$/);
  expect(await views.list(at.database, admin.workspaceId)).toEqual([]);
  expect(await views.revisions(at.database, admin.workspaceId, id)).toEqual([]);
});
