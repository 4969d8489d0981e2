/** Names of people lie beside the entries that mention them: shown, erased, and missed by no verification. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../access/actor.ts";
import { parsePublicKey } from "../audit/checkpoint.ts";
import type { AuditEntry } from "../audit/entries.ts";
import { evidenceReportText } from "../audit/evidence-report.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { verificationReportText } from "../audit/verification-report.ts";
import { verifyEvidence } from "../audit/verify-evidence.ts";
import { verifyExport } from "../audit/verify-export.ts";
import { systemClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { openSecrets } from "../platform/secrets.ts";
import { facets, get, list } from "./audit/page.ts";
import { createCheckpointer } from "./checkpoints/checkpoints.ts";
import { erasePerson } from "./erasure/erase-person.ts";
import { createErasure } from "./erasure/erasure.ts";
import { requestErasure } from "./erasure/erasure-requests.ts";
import { createEvidenceFile } from "./export/evidence-file.ts";
import { exportPage, startExport } from "./export/export.ts";
import type { AuditView } from "./schema.ts";
import { verifyStored } from "./verification/verify-stored.ts";

let rig: RecordingRig;
let owner: Owner;
/** Ada acts; Bob is whom she speaks of. */
let ada: Administrator & { readonly kind: "person" };
let bob: { readonly id: string; readonly name: string; readonly address: string };

beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  owner = await rig.addOwner();
  const { workspaceId } = owner;
  ada = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada Lovelace" };
  bob = { id: uuidv7(), name: 'Bob "é" 😀', address: `bob-${uuidv7()}@example.com` };
  await addPerson(ada.id, ada.name, null);
  await addPerson(bob.id, bob.name, bob.address);
});

const query = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await rig.db.database.pool.query<Row>(sql, values)).rows;
async function addPerson(id: string, name: string, email: string | null): Promise<void> {
  await query("INSERT INTO person (id, name, email) VALUES ($1, $2, $3)", [id, name, email]);
}
const write = (entry: AuditEntry, who: Administrator | string = ada) =>
  rig.db.database.prisma.$transaction((tx) => recordAudit(tx, who, entry));
const promote = () =>
  write({
    ...{ kind: "role_changed", version: 1, by: ada.name },
    ...{ person: bob.id, name: bob.name, from: "viewer", to: "admin" },
  });
const parts = () =>
  query<{ seq: number; person: string; names: object; salt: number }>(
    `SELECT seq::int, person, names, octet_length(salt) AS salt FROM audit_name WHERE workspace_id = $1
     ORDER BY seq, names ->> 'name'`,
    [owner.workspaceId],
  );
const range = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) });
async function shown(filters: Partial<{ actor: string[] }> = {}): Promise<AuditView[]> {
  const all = { kind: [], actor: [], target: [], ...filters };
  const { rows } = await list(rig.db.database, owner.workspaceId, { range: range(), filters: all, limit: 50 });
  return rows.toReversed();
}
const chained = () =>
  query<{ body: string; actor_name: string | null }>(
    "SELECT body, actor_name FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
    [owner.workspaceId],
  );
const verified = () => verifyStored(rig.db.database, owner.workspaceId, { keys: [], outside: null });
const erase = (person: string, by: Administrator = ada) =>
  erasePerson(rig.db.database, rig.bus, by, { person, reason: "request 12" });

async function exported(): Promise<string> {
  const dispatches = "none" as const;
  const start = await startExport(rig.db.database, owner.workspaceId, { dispatches });
  const texts = [start.text];
  for (let next = start.next; next !== null; ) {
    const page = await exportPage(rig.db.database, owner.workspaceId, { ...next, dispatches, isWhole: true });
    texts.push(page.text);
    next = page.next;
  }
  return texts.join("");
}
async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}
const exportVerified = (text: string) => verifyExport(linesOf(text), { keys: [], outside: null });

describe("an entry that mentions people", () => {
  test("is chained with digests alone; the names lie beside it, one part each, with a salt of their own", async () => {
    await promote();
    const [{ body, actor_name } = { body: "", actor_name: "" }] = await chained();
    expect(body).not.toMatch(/Ada|Bob|example/);
    expect(actor_name).toBe(ada.id);
    expect(JSON.parse(body)).toMatchObject({
      ...{ kind: "role_changed", version: 1, by: ada.id, person: bob.id, name: bob.id, from: "viewer", to: "admin" },
      names: { people: { [ada.id]: expect.stringMatching(/^[0-9a-f]{64}$/), [bob.id]: expect.any(String) } },
    });
    expect(await parts()).toEqual([
      { seq: 1, person: ada.id, names: { name: ada.name, address: null }, salt: 16 },
      { seq: 1, person: bob.id, names: { name: bob.name, address: bob.address }, salt: 16 },
    ]);
    const salts = await query("SELECT DISTINCT salt FROM audit_name WHERE workspace_id = $1", [owner.workspaceId]);
    expect(salts).toHaveLength(2);
    expect(await verified()).toMatchObject({ altered: { count: 0 }, names: { held: 2, erased: 0 } });
  });

  test("shows the names that it was written with, whatever the people are called later", async () => {
    await promote();
    await query("UPDATE person SET name = 'Robert', email = 'robert@example.com' WHERE id = $1", [bob.id]);
    await query("UPDATE person SET name = 'A. King' WHERE id = $1", [ada.id]);
    const [view] = await shown();
    expect(view).toMatchObject({ actor: { id: ada.id, kind: "person", name: ada.name }, target: { name: bob.name } });
    expect(view?.body).toMatchObject({ by: ada.name, person: bob.id, name: bob.name });
    expect(await get(rig.db.database, owner.workspaceId, 1)).toMatchObject({
      ...{ holds: true, actor: { name: ada.name }, body: { name: bob.name } },
    });
  });

  test("keeps both names of a renaming, the addresses of invitations, and whoever asked before", async () => {
    const invitation = uuidv7();
    const policy = uuidv7();
    const by = ada.name;
    const renamed = { person: ada.id, act: "renamed", how: "Countess" } as const;
    await write({ kind: "account_used", version: 1, by, ...renamed });
    await write({ kind: "invitation_created", version: 1, by, invitation, email: bob.address, role: "viewer" });
    await write(
      {
        ...{ kind: "invitation_accepted", version: 1, by: bob.name, invitation },
        ...{ person: bob.id, email: bob.address, role: "viewer" },
      },
      owner.workspaceId,
    );
    const asked = { id: bob.id, name: bob.name };
    await write({ kind: "four_eyes_set", version: 1, by, policy, isOn: false, asked });
    await write({ kind: "signed_in", version: 1, by: ada.id });
    expect((await chained()).map(({ body }) => body).join("")).not.toMatch(/Ada|Bob|Countess|example/);
    const bodies = (await shown()).map(({ body }) => body);
    expect(bodies).toMatchObject([
      { by, how: "Countess" },
      { by, invitation, email: bob.address },
      { by: bob.name, person: bob.id, email: bob.address },
      { by, asked },
      { by: ada.name },
    ]);
    expect((await verified()).names).toEqual({ held: 7, erased: 0 });
  });

  test("names scripts and service accounts for good", async () => {
    const script: Administrator = { kind: "script", id: "s", name: "deploy", workspaceId: owner.workspaceId };
    await write({ kind: "sign_on_removed", version: 1, by: script.name }, script);
    expect(await chained()).toEqual([
      { actor_name: "deploy", body: '{"by":"deploy","kind":"sign_on_removed","version":1}' },
    ]);
    expect(await parts()).toEqual([]);
  });

  test("names objects for good, as they were called then", async () => {
    const [policy, group] = [uuidv7(), uuidv7()];
    await query("INSERT INTO policy (workspace_id, id, name) VALUES ($1, $2, 'guard')", [owner.workspaceId, policy]);
    await query("INSERT INTO agent_group (workspace_id, id, name, position) VALUES ($1, $2, 'prod', 1)", [
      owner.workspaceId,
      group,
    ]);
    const bound = { scope: "chosen" as const, groups: [group], agents: [owner.agentId] };
    await write({ kind: "policy_assigned", version: 2, by: ada.name, policy, ...bound });
    const [{ name: agent } = { name: "" }] = await query<{ name: string }>("SELECT name FROM agent WHERE id = $1", [
      owner.agentId,
    ]);
    await query("UPDATE policy SET name = 'renamed' WHERE id = $1", [policy]);
    await query("DELETE FROM agent_group WHERE id = $1", [group]);
    const [view] = await shown();
    expect(view?.target).toEqual({ type: "policy", id: policy, name: "guard" });
    expect(view?.body?.names).toMatchObject({
      objects: { [`policy/${policy}`]: "guard", [`group/${group}`]: "prod", [`agent/${owner.agentId}`]: agent },
    });
  });

  test("of a batch of dispatches there are none", async () => {
    await rig.recorder.record(recordOf(owner, "stop", "{}"), false);
    expect(await parts()).toEqual([]);
    expect((await verified()).names).toEqual({ held: 0, erased: 0 });
  });
});

describe("erasing a person", () => {
  test("takes their names and salts, leaves others', and the chain verifies as before", async () => {
    await promote();
    const before = await chained();
    expect(await erase(bob.address.toUpperCase())).toEqual({ names: 1 });
    expect((await chained()).slice(0, 1)).toEqual(before);
    expect((await parts()).map(({ seq, person }) => [seq, person])).toEqual([
      [1, ada.id],
      [2, ada.id],
    ]);
    const [view] = await shown();
    expect(view).toMatchObject({
      ...{ actor: { name: ada.name }, target: { name: "an erased person" } },
      body: { by: ada.name, name: "an erased person" },
    });
    const report = await verified();
    expect(report).toMatchObject({ altered: { count: 0 }, missing: { count: 0 }, names: { held: 2, erased: 1 } });
    expect(verificationReportText(report).notes).toContain(
      "1 name of a person is not held any more: erased on request.",
    );
  });

  test("takes the name of who acted, for filters too", async () => {
    await promote();
    const eve: Administrator = { ...ada, id: uuidv7(), name: "Eve" };
    await erase(ada.id, eve);
    expect((await shown({ actor: ["an erased person"] })).map(({ seq }) => seq)).toEqual([1]);
    expect((await shown({ actor: ["Eve"] })).map(({ seq }) => seq)).toEqual([2]);
    expect(await shown({ actor: ["Ada Lovelace"] })).toEqual([]);
    const { actor } = await facets(rig.db.database, owner.workspaceId, range());
    expect(actor.map(({ value }) => value).toSorted()).toEqual(["Eve", "Quarterdeck", "an erased person"].toSorted());
  });

  test("reaches an invitation that nobody accepted, and the names of other workspaces stay", async () => {
    const address = `never-${uuidv7()}@example.com`;
    const invited = { invitation: uuidv7(), email: address, role: "viewer" };
    await write({ kind: "invitation_created", version: 1, by: ada.name, ...invited });
    const elsewhere = await rig.addOwner();
    const other = { ...ada, workspaceId: elsewhere.workspaceId };
    await write({ kind: "invitation_created", version: 1, by: ada.name, ...invited }, other);
    expect(await erase(address)).toEqual({ names: 1 });
    const left = await query("SELECT FROM audit_name WHERE workspace_id = $1", [elsewhere.workspaceId]);
    expect(left).toHaveLength(2);
    expect((await shown())[0]?.body).toMatchObject({ email: "an erased person" });
  });

  test("is refused for a member, and for somebody whom no entry names; then nothing is written", async () => {
    await promote();
    const { workspaceId } = owner;
    await query("INSERT INTO membership (workspace_id, person_id, role) VALUES ($1, $2, 'admin')", [
      workspaceId,
      bob.id,
    ]);
    await expect(erase(bob.id)).rejects.toMatchObject({ code: "invalid_input", options: { pointer: "/person" } });
    await expect(erase("nobody@example.com")).rejects.toMatchObject({ code: "person_not_found" });
    expect(await chained()).toHaveLength(1);
    expect(await parts()).toHaveLength(2);
  });

  test("the erasure of a session names whoever asked for it in the same way", async () => {
    await rig.recorder.record(recordOf(owner, "stop", '{"session_id":"s1"}'), false);
    const asked = { sessionId: "s1", agentName: null, reason: "request 13" };
    await requestErasure(rig.db.database, rig.bus, ada, asked);
    const { pool } = rig.db.database;
    await createErasure({ pool, log: createLog("silent"), clock: systemClock }).run();
    const entries = (await shown()).filter(({ kind }) => kind === "content_erased");
    expect(entries.map(({ body }) => body?.by)).toEqual([ada.name]);
    expect((await chained()).map(({ body }) => body).join("")).not.toContain("Ada");
  });
});

describe("tampering is named", () => {
  const harm = (sql: string) => query(sql, [owner.workspaceId, bob.id]);
  const where = "WHERE workspace_id = $1 AND person = $2";
  test.each([
    ["a name", `UPDATE audit_name SET names = names || '{"name":"Mallory"}' ${where}`],
    ["an address", `UPDATE audit_name SET names = names || '{"address":"m@example.com"}' ${where}`],
    ["a salt", `UPDATE audit_name SET salt = sha256(salt) ${where}`],
    ["names that are none", `UPDATE audit_name SET names = 'null' ${where}`],
  ])("%s that was changed", async (_, sql) => {
    await promote();
    await harm(sql);
    const says = `the name of the person ${bob.id} is not what was recorded`;
    const found = { count: 1, findings: [{ seq: 1, kind: "role_changed", says }] };
    expect((await verified()).altered).toEqual(found);
    expect((await exportVerified(await exported())).altered).toEqual(found);
    expect((await shown())[0]).toMatchObject({
      ...{ actor: { name: ada.name }, body: { name: "a person whose name was altered" } },
    });
  });

  test("a part that the entry has no digest of, and a name that went to another person", async () => {
    await promote();
    const stranger = uuidv7();
    await query("UPDATE audit_name SET person = $3 WHERE workspace_id = $1 AND person = $2", [
      owner.workspaceId,
      bob.id,
      stranger,
    ]);
    const report = await verified();
    expect(report.altered.findings).toEqual([
      {
        ...{ seq: 1, kind: "role_changed" },
        says: `has no digest of the name of the person ${stranger} that lies beside it`,
      },
    ]);
    expect(report.names).toEqual({ held: 1, erased: 1 });
    expect((await shown())[0]?.body).toMatchObject({ name: "an erased person" });
  });

  test("digests that were taken out of an entry", async () => {
    await promote();
    await query("UPDATE audit_entry SET body = replace(body, 'people', 'peoplx') WHERE workspace_id = $1", [
      owner.workspaceId,
    ]);
    const { altered } = await verified();
    expect(altered.findings.map(({ seq, says }) => `${seq} ${says}`)).toEqual([
      "1 its time, actor, place, target, body, changes or hash is not what was recorded",
      `1 has no digest of the name of the person ${[ada.id, bob.id].toSorted()[0]} that lies beside it`,
      `1 has no digest of the name of the person ${[ada.id, bob.id].toSorted()[1]} that lies beside it`,
    ]);
  });
});

test("exports and evidence files carry the names that are there, and prove them", async () => {
  await promote();
  await rig.recorder.record(recordOf(owner, "stop", '{"said":"a"}'), false);
  await promote();
  await erase(bob.id);
  const text = await exported();
  expect(text).toContain(ada.name);
  expect(text).not.toMatch(/Bob/);
  expect(await exportVerified(text)).toMatchObject({ altered: { count: 0 }, names: { held: 3, erased: 2 } });
  const forged = text.replaceAll(ada.name, "Ada Byron");
  expect((await exportVerified(forged)).altered.count).toBe(3);

  const dir = await mkdtemp("/tmp/quarterdeck-names-");
  try {
    const secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
    const { pool } = rig.db.database;
    const points = { pool, secrets, dir: join(dir, "points"), log: createLog("silent"), clock: systemClock };
    await createCheckpointer(points).tick(true);
    const keys = await query<{ occurredAt: Date; id: string }>(
      `SELECT occurred_at AS "occurredAt", id FROM dispatch WHERE workspace_id = $1`,
      [owner.workspaceId],
    );
    const about = { keys, calls: 1, asked: "all", madeBy: "ada" };
    const file = await createEvidenceFile(rig.db.database, owner.workspaceId, about, secrets);
    const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
    const trust = { keys: key ? [key] : [] };
    const report = await verifyEvidence(linesOf(file), trust);
    expect(report).toMatchObject({ proven: 1, unsigned: 0, findings: [], names: { held: 2, erased: 1 } });
    expect(evidenceReportText(report)).toContain(
      "1 name of a person in its entries is not held any more: erased on request.",
    );
    const changed = await verifyEvidence(linesOf(file.replace(ada.name, "Mallory")), trust);
    expect(changed.findings).toEqual([
      `entry 3 the name of the person ${ada.id} is not what was recorded`,
      "the file is not the one that the console sealed",
    ]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
