import { maskingSetting, NO_MASKING } from "@quarterdeck/hooks/contract/masking-setting";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { PersonActor } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import { previewMasking } from "./preview.ts";
import { decideMasking, getMasking, saveMasking, withdrawMasking } from "./service.ts";

const PATTERN = { id: "0198c0de-0000-7000-8000-000000000001", name: "employee", pattern: "EMP-\\d{6}" };
const OWN = maskingSetting.parse({ patterns: [PATTERN], detectors: ["email", "iban"] });

let db: TestDatabase;
let server: TestGateway;
let key: string;
let olga: PersonActor;
let ada: PersonActor;
let avi: PersonActor;

const person = async (name: string, role: Role): Promise<PersonActor> => {
  const { workspaceId } = server.admin;
  const id = uuidv7();
  await insertPerson(server.database.prisma, { id, name, emailVerified: true });
  await insertMembership(server.database.prisma, workspaceId, id, role);
  return { kind: "person", role, workspaceId, id, name };
};
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("one");
  [olga, ada, avi] = [await person("Olga", "owner"), await person("Ada", "admin"), await person("Avi", "viewer")];
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const context = () => ({ db: server.database, bus: server.running.app.bus });
const view = (actor = olga) => getMasking(server.database, actor);
const save = async (setting: object, reason: string | null = null) =>
  saveMasking(context(), olga, { setting: maskingSetting.parse(setting), version: (await view()).version, reason });
const entries = async (kind: string) => {
  const { rows } = await server.database.pool.query<{ entry: string }>(
    "SELECT body AS entry FROM audit_entry WHERE workspace_id = $1 AND kind = $2 ORDER BY seq",
    [server.admin.workspaceId, kind],
  );
  return rows.map(({ entry }): unknown => (typeof entry === "string" ? JSON.parse(entry) : entry));
};
const call = async (prompt: string) => {
  const response = await fetch(`${server.url}/api/v1/hooks/user_prompt_submit`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", prompt }),
  });
  expect(response.status).toBe(200);
};
const prompts = async () => {
  const { rows } = await server.database.pool.query<{ prompt: string }>(
    "SELECT input::json ->> 'prompt' AS prompt FROM dispatch ORDER BY occurred_at",
  );
  return rows.map(({ prompt }) => prompt);
};

it("of two first changes at once one is refused", async () => {
  const setting = maskingSetting.parse({ detectors: ["iban"] });
  expect(await view()).toMatchObject({ setting: NO_MASKING, version: 0, asked: null, hits: [] });
  const both = await Promise.allSettled(
    [1, 2].map(() => saveMasking(context(), olga, { setting, version: 0, reason: null })),
  );
  const codes = both.map((one) =>
    one.status === "fulfilled" ? one.value.state : (one.reason as { code: string }).code,
  );
  expect(codes.toSorted()).toEqual(["masking_moved_on", "saved"]);
});

it("a change that adds applies to the next call on every node, is an entry without the pattern, and is counted", async () => {
  await call("EMP-123456");
  expect(await save(OWN)).toEqual({ state: "saved" });
  await server.running.app.untilHeardEverywhere();
  await call("EMP-123456 and EMP-222222 of jane@example.com");
  expect(await prompts()).toEqual(["EMP-123456", "[REDACTED] and [REDACTED] of [REDACTED]"]);
  const entry = (await entries("masking_set")).at(-1);
  expect(entry).toMatchObject({
    patterns: [{ name: "employee" }],
    detectors: ["email", "iban"],
    loses: [],
    reason: null,
  });
  expect(JSON.stringify(entry)).not.toContain("EMP");
  await server.running.app.masking.flush();
  expect((await view()).hits).toEqual([
    { rule: PATTERN.id, hits: 2 },
    { rule: "email", hits: 1 },
  ]);
});

it("a change that takes a part away waits for a second person, who is not its author and may review", async () => {
  expect(await save({ ...OWN, detectors: ["iban"] })).toEqual({ state: "asked" });
  const asked = (await view()).asked;
  expect(asked).toMatchObject({ loses: ["e-mail addresses"], byName: "Olga", isMine: true });
  expect(asked?.whyNot).toContain("Another person must agree");
  await call("jane@example.com");
  expect((await prompts()).at(-1)).toBe("[REDACTED]");
  const decision = { askedAt: asked?.at ?? new Date(0), outcome: "approved" as const };
  await expect(decideMasking(context(), olga, decision)).rejects.toMatchObject({ code: "second_person_needed" });
  await expect(decideMasking(context(), avi, decision)).rejects.toMatchObject({ code: "second_person_needed" });
  await expect(decideMasking(context(), ada, { ...decision, askedAt: new Date(0) })).rejects.toMatchObject({
    code: "masking_moved_on",
  });
  await decideMasking(context(), ada, decision);
  expect(await view()).toMatchObject({ setting: { detectors: ["iban"] }, asked: null });
  expect((await entries("masking_set")).at(-1)).toMatchObject({
    by: ada.id,
    loses: ["e-mail addresses"],
    asked: { id: olga.id },
  });
});

it("a waiting change can be declined, withdrawn by its author, and ends with the next one that adds", async () => {
  await save({ ...OWN, patterns: [] });
  const first = (await view()).asked?.at ?? new Date(0);
  await decideMasking(context(), ada, { askedAt: first, outcome: "declined" });
  expect(await entries("masking_change_declined")).toHaveLength(1);
  await save({ ...OWN, patterns: [] });
  const second = (await view()).asked?.at ?? new Date(0);
  await expect(withdrawMasking(context(), ada, { askedAt: second })).rejects.toMatchObject({
    code: "second_person_needed",
  });
  await withdrawMasking(context(), olga, { askedAt: second });
  expect((await view()).asked).toBeNull();
  await save({ ...OWN, patterns: [] });
  expect(await save({ ...OWN, detectors: ["email", "card", "iban"] })).toEqual({ state: "saved" });
  expect((await view()).asked).toBeNull();
});

it("another text of a pattern is a loss; the emergency path needs a person, the permission and a reason", async () => {
  const narrower = { ...OWN, detectors: ["email", "card", "iban"], patterns: [{ ...PATTERN, pattern: "EMP-9\\d{5}" }] };
  expect(await save(narrower)).toEqual({ state: "asked" });
  expect(await save(narrower, "the review board is away")).toEqual({ state: "saved" });
  expect((await entries("masking_set")).at(-1)).toMatchObject({
    loses: ["the pattern employee"],
    reason: "the review board is away",
    asked: null,
  });
  const { version } = await view();
  const service = { ...olga, kind: "service" as const };
  // Holds: the emergency path reads the kind alone.
  const asService = saveMasking(context(), service as never, {
    setting: NO_MASKING,
    version,
    reason: "no person at all",
  });
  await expect(asService).rejects.toMatchObject({ code: "second_person_needed" });
});

it("a setting of an older page, a pattern that hides everything and a tool that does not compile are refused", async () => {
  const { version, setting } = await view();
  const older = saveMasking(context(), olga, { setting, version: version - 1, reason: null });
  await expect(older).rejects.toMatchObject({ code: "masking_moved_on" });
  await expect(
    save({ ...setting, patterns: [...setting.patterns, { ...PATTERN, id: uuidv7(), name: "all", pattern: ".+" }] }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    options: { pointer: "/setting/patterns/1" },
  });
  await expect(save({ ...setting, fields: [{ tool: "(", path: "tool_input.a" }] })).rejects.toMatchObject({
    options: { pointer: "/setting/fields/0" },
  });
});

it("a new pattern that hides a word of a policy in force is refused, and one that is in force stays", async () => {
  const source = `hooks:
  pre_tool_use:
    - matcher: crm_export
      hooks:
        - {name: EMP-454545 stays inside, type: command, command: exit 0}
`;
  await server.publish(source, "customers");
  const { setting } = await view();
  const adding = (pattern: string) =>
    save({ ...setting, patterns: [...setting.patterns, { id: uuidv7(), name: "more", pattern }] });
  for (const [pattern, word] of [
    ["stays in.*", "EMP-454545 stays inside"],
    ["crm_\\w+", "crm_export"],
    ["^custom", "customers"],
  ] as const)
    await expect(adding(pattern)).rejects.toMatchObject({
      message: `Pattern 2: This pattern hides “${word}”, a word of the policy “customers”. Make it more specific.`,
      options: { pointer: "/setting/patterns/1" },
    });
  expect(await adding("CRM-\\d{6}")).toEqual({ state: "saved" });
});

it("a stored setting that cannot be read hides every text until it is saved again", async () => {
  const { pool } = server.database;
  await pool.query(`UPDATE masking_setting SET setting = '{"patterns": 7}' WHERE workspace_id = $1`, [
    server.admin.workspaceId,
  ]);
  server.running.app.bus.tell(server.admin.workspaceId, ["masking"]);
  await server.running.app.untilHeardEverywhere();
  await call("plain words");
  expect((await prompts()).at(-1)).toBe("[REDACTED]");
  expect((await view()).problem).toContain("patterns");
  expect(await save(OWN)).toEqual({ state: "asked" });
  expect(await save(OWN, "the stored setting is broken")).toEqual({ state: "saved" });
  await server.running.app.untilHeardEverywhere();
  await call("plain words");
  expect((await prompts()).at(-1)).toBe("plain words");
});

it("a preview masks the test text, counts its rules, tries recorded inputs and stores nothing", async () => {
  const { workspaceId } = server.admin;
  const setting = maskingSetting.parse({ patterns: [{ ...PATTERN, pattern: "plain words" }], detectors: ["email"] });
  const shown = await previewMasking(server.database, workspaceId, { setting, sample: "plain words by a@b.io" });
  expect(shown).toMatchObject({ masked: "[REDACTED] by [REDACTED]", problems: [], recorded: { changed: 1 } });
  expect(shown.hits).toEqual([
    { rule: PATTERN.id, hits: 1 },
    { rule: "email", hits: 1 },
  ]);
  const wrong = maskingSetting.parse({ patterns: [{ ...PATTERN, pattern: "(" }] });
  expect(await previewMasking(server.database, workspaceId, { setting: wrong, sample: "x" })).toMatchObject({
    masked: null,
    problems: [{ part: "patterns", index: 0 }],
  });
});
