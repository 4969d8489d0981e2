/** A statement about a period comes out of a verification of it: attacks on the period are named, those elsewhere are not. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { type Checkpoint, parsePublicKey, signCheckpoint } from "../../audit/checkpoint.ts";
import { checkCover, fileDigest } from "../../audit/cover-seal.ts";
import { auditStatement } from "../../audit/record-audit.ts";
import { verifyStatement } from "../../audit/statement.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "../checkpoints/checkpoint-file.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { createStatementFile, listStatements, startStatement } from "./statements.ts";
import { createVerificationWorker } from "./verification-worker.ts";
import { listVerifications } from "./verifications.ts";

const LIMITS = { entries: 4, rows: 5, bytes: 1_000_000, window: 7 };
const log = createLog("silent");
let rig: RecordingRig;
let owner: Owner;
let dir: string;
let secrets: Secrets;
/** Forged checkpoints from outside, in addition to those of the file. */
let forged: Checkpoint[] = [];

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-statements-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
});
beforeEach(async () => {
  owner = await rig.addOwner();
  forged = [];
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

const pool = () => rig.db.database.pool;
const today = () => new Date().toISOString().slice(0, 10);
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const harm = (sql: string, ...values: unknown[]) => rig.db.owner.query(sql, [owner.workspaceId, ...values]);
const points = () => join(dir, "points");
const sign = () => createCheckpointer({ pool: pool(), secrets, dir: points(), log, clock: systemClock }).tick(true);

async function record(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await rig.recorder.record(recordOf(owner, "stop", JSON.stringify({ session_id: `s${index}` })), false);
}

async function state(first = today(), last = first) {
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  const actor = { workspaceId: owner.workspaceId, name: "ada" };
  const { id } = await startStatement(rig.db.database, rig.bus, actor, { first, last });
  await createVerificationWorker({
    ...{ pool: pool(), log, limits: LIMITS },
    keysOf: () => Promise.resolve(key ? [key] : []),
    outsideOf: async (of) => [...(await readCheckpoints(checkpointFile(points(), of))), ...forged],
  }).run();
  const [newest] = await listStatements(rig.db.database, owner.workspaceId);
  if (newest?.id !== id || newest.facts === null) throw new Error(`no result: ${newest?.failure}`);
  return { id, ...newest.facts, says: [...newest.facts.altered, ...newest.facts.missing].join("\n") };
}

test("a whole period is complete, and its file names who asked, when, what was verified and with which version", async () => {
  await record(6);
  await sign();
  const stated = await state();
  expect(stated).toMatchObject({ verdict: "complete", isOver: false, removals: [] });
  expect(stated.entries).toMatchObject({ first: 1, dispatches: 6 });
  expect(stated.notes.join()).toContain("The period is not over");
  const { name, archive } = await createStatementFile(rig.db.database, owner.workspaceId, stated.id, secrets);
  expect(name).toBe(`record-${today()}-to-${today()}.zip`);
  const files = unzipSync(Buffer.from(archive, "base64"));
  const text = strFromU8(files["statement.json"] ?? new Uint8Array());
  expect(JSON.parse(text)).toMatchObject({
    askedBy: "ada",
    product: expect.stringMatching(/^\d+\.\d+/),
    verdict: "complete",
  });
  const keys = [parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString())];
  const known = keys.filter((key) => key !== null);
  expect(verifyStatement(text, known)).toMatchObject({ code: 0 });
  expect(verifyStatement(text, [])).toMatchObject({ code: 3 });
  expect(verifyStatement(text.replace('"askedBy": "ada"', '"askedBy": "eve"'), known)).toMatchObject({ code: 1 });
  for (const cover of ["cover.html", "cover.pdf"])
    expect(checkCover(Buffer.from(files[cover] ?? []), fileDigest(text), known)).toBe("sealed");
  expect(strFromU8(files["cover.html"] ?? new Uint8Array())).toContain("Nothing was removed or changed");
});

test("a cut tail is missing while the period runs", async () => {
  await record(5);
  await sign();
  await harm("DELETE FROM chain_batch WHERE workspace_id = $1 AND seq >= 4");
  await harm("DELETE FROM audit_entry WHERE workspace_id = $1 AND seq >= 4");
  await harm(
    `UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM chain_entry WHERE workspace_id = $1 AND seq = 3)
     WHERE workspace_id = $1`,
  );
  const stated = await state();
  expect(stated.verdict).toBe("incomplete");
  expect(stated.says).toMatch(/cut off/);
});

test("a removed middle, a changed entry and a changed row are each named", async () => {
  await record(8);
  await sign();
  await harm("DELETE FROM chain_batch WHERE workspace_id = $1 AND seq = 3");
  expect((await state()).says).toMatch(/entry 3 is missing/);
  await harm("UPDATE chain_batch SET count = count + 1 WHERE workspace_id = $1 AND seq = 5");
  expect((await state()).says).toMatch(/entry 5/);
  await harm("UPDATE dispatch SET verdict = 'other' WHERE workspace_id = $1 AND session_id = 's6'");
  const stated = await state();
  expect(stated.says).toMatch(/is not what was recorded/);
  expect(stated.verdict).toBe("incomplete");
});

test("entries that were dated out of their period are found, at either end of it", async () => {
  const act = { kind: "policy_deleted", version: 1, by: "ada", policy: "p", name: "p" } as const;
  const acts = async (count: number) => {
    for (let index = 0; index < count; index += 1) await pool().query(auditStatement(owner.workspaceId, act));
  };
  await acts(4);
  await sign();
  await harm("UPDATE audit_entry SET at = at - interval '2 days' WHERE workspace_id = $1 AND seq <= 2");
  const earlier = await state();
  expect(earlier).toMatchObject({ verdict: "incomplete", entries: { first: 3 } });
  expect(earlier.says).toMatch(/entry 2/);
  owner = await rig.addOwner();
  await acts(4);
  await sign();
  await harm("UPDATE audit_entry SET at = at + interval '2 days' WHERE workspace_id = $1 AND seq >= 4");
  const later = await state();
  expect(later).toMatchObject({ verdict: "incomplete", entries: { last: 3 } });
  expect(later.says).toMatch(/entry 4/);
});

test("a checkpoint that signs another hash contradicts the period", async () => {
  await record(4);
  await sign();
  const [genuine] = await readCheckpoints(checkpointFile(points(), owner.workspaceId));
  if (!genuine) throw new Error("nothing was signed");
  const { signature: _, type: _type, ...of } = genuine;
  forged = [signCheckpoint({ ...of, hash: "ab".repeat(32) }, secrets.signingKey)];
  const stated = await state();
  expect(stated.verdict).toBe("incomplete");
  expect(stated.says).toMatch(/contradict|replaced/);
});

test("without a checkpoint from outside, nothing is promised", async () => {
  await record(3);
  const stated = await state();
  expect(stated).toMatchObject({
    verdict: "unknown",
    missing: expect.arrayContaining([expect.stringMatching(/No gap/)]),
  });
});

test("a period without entries says so, and a period that has not begun is refused", async () => {
  await record(2);
  await sign();
  const stated = await state(dayAfter(-40), dayAfter(-30));
  expect(stated).toMatchObject({ verdict: "complete", isOver: true, entries: { first: null, last: null, count: 0 } });
  await expect(state(dayAfter(2), dayAfter(3))).rejects.toThrow(/has not begun/);
});

test("harm behind the first checkpoint after a period does not touch its statement", async () => {
  await record(2);
  await sign();
  await record(4);
  await sign();
  await harm("DELETE FROM chain_batch WHERE workspace_id = $1 AND seq = 5");
  await harm("UPDATE dispatch SET verdict = 'other' WHERE workspace_id = $1 AND session_id = 's3'");
  expect((await state()).verdict).toBe("incomplete");
  expect(await state(dayAfter(-3), dayAfter(-2))).toMatchObject({ verdict: "complete", entries: { count: 0 } });
});

test("an erasure and a removal that the record names are stated", async () => {
  await record(2);
  const dropped = { kind: "dispatches_dropped", version: 1, before: "2026-01-01T00:00:00.000Z" } as const;
  await pool().query(auditStatement(owner.workspaceId, { ...dropped, count: 12, unproven: 0 }));
  await sign();
  const stated = await state();
  expect(stated.removals).toHaveLength(1);
  expect(stated.removals[0]).toMatchObject({
    kind: "dispatches_dropped",
    says: expect.stringContaining("12 dispatches"),
  });
});

test("one verification runs at a time, and one of a period is no base for the others", async () => {
  await record(2);
  await sign();
  const actor = { workspaceId: owner.workspaceId, name: "ada" };
  await startStatement(rig.db.database, rig.bus, actor, { first: today(), last: today() });
  await expect(
    startStatement(rig.db.database, rig.bus, actor, { first: today(), last: today() }),
  ).rejects.toMatchObject({
    code: "verification_running",
  });
  expect(await listVerifications(rig.db.database, owner.workspaceId)).toEqual({ runs: [], verified: null });
});
