import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeCopies } from "../../../e2e/fixtures/copies.ts";
import {
  deliveryOf,
  type Owner,
  type RecordingRig,
  recordingRig,
  recordOf,
} from "../../../e2e/fixtures/recording-rig.ts";
import { textColumns } from "../../../e2e/fixtures/text-columns.ts";
import type { Administrator } from "../../access/actor.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { verificationReportText } from "../../audit/verification-report.ts";
import { TABLES } from "../../database/table-schema.ts";
import { type Clock, stoppedClock, systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "../checkpoints/checkpoint-file.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { addHold, releaseHold } from "../settings.ts";
import { verifyStored } from "../verification/verify-stored.ts";
import { createErasure } from "./erasure.ts";
import { listErasures, requestErasure, withdrawErasure } from "./erasure-requests.ts";
import { ERASED_TABLES } from "./erasure-tables.ts";

let rig: RecordingRig;
let owner: Owner;
let admin: Administrator;
let dir: string;
let secrets: Secrets;
const log = createLog("silent");
const WHEN = new Date("2026-11-18T10:00:00Z");

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-erasure-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});
beforeEach(async () => {
  owner = await rig.addOwner();
  admin = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId };
});

const pool = () => rig.db.database.pool;
const query = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await pool().query<Row>(sql, values)).rows;
const record = (session: string, said: string, more: { agent?: string; event?: string; delivery?: string } = {}) => {
  const text = JSON.stringify({ session_id: session, said, ...(more.agent ? { agent_name: more.agent } : {}) });
  return rig.recorder.record(
    recordOf(owner, more.event ?? "stop", text, {
      occurredAt: WHEN,
      ...(more.delivery === undefined ? {} : { delivery: deliveryOf(more.delivery, text) }),
    }),
    false,
  );
};
const erasing = (sizes?: { looked: number; step: number }, clock: Clock = systemClock) =>
  createErasure({ pool: pool(), log, clock, ...(sizes ? { sizes } : {}) });
const ask = (what: { sessionId?: string; agentName?: string }) =>
  requestErasure(rig.db.database, rig.bus, admin, {
    ...{ sessionId: what.sessionId ?? null, agentName: what.agentName ?? null, reason: "request 12" },
  });
const result = async () => {
  const [{ state, erased, held, fault } = {}] = await listErasures(rig.db.database, owner.workspaceId);
  return { state, erased, held, fault };
};

async function verified() {
  const checkpointer = createCheckpointer({ pool: pool(), secrets, dir: join(dir, "points"), log, clock: systemClock });
  await checkpointer.tick(true);
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  const outside = await readCheckpoints(checkpointFile(checkpointer.dir, owner.workspaceId));
  const report = await verifyStored(rig.db.database, owner.workspaceId, { keys: key ? [key] : [], outside });
  return { report, ...verificationReportText(report) };
}

/** Where a word stands, as `table.column`. */
async function whereIs(word: string): Promise<string[]> {
  const places: string[] = [];
  for (const { table, column } of await textColumns(pool())) {
    const found = await query(`SELECT FROM ${table} WHERE strpos(${table}.${column}::text, $1) > 0 LIMIT 1`, [word]);
    if (found.length > 0) places.push(`${table}.${column}`);
  }
  return places;
}

describe("every copy of what somebody said and of what they are called", () => {
  test("is gone from every text of the schema; what cannot go is where the page says it is", async () => {
    const [word, name] = ["WORDOFTHEIRS", "Grace O'Hopper"];
    await record("person", word, { agent: name, delivery: "one" });
    await writeCopies(pool(), owner, { word, name, session: "person" });
    const counted = () =>
      query(
        `SELECT sum(dispatches)::int AS dispatches FROM rollup_day WHERE workspace_id = $1
         UNION ALL SELECT sum(count)::int FROM decision_day WHERE workspace_id = $1
         UNION ALL SELECT sum(corrected)::int FROM ledger_day WHERE workspace_id = $1
         UNION ALL SELECT sum(nano)::int FROM ledger_entry WHERE workspace_id = $1`,
        [owner.workspaceId],
      );
    const before = await counted();
    // A test that cannot fail proves nothing: it is everywhere first.
    expect(await whereIs(word)).toEqual(
      expect.arrayContaining(["dispatch.input", "judge_trial_call.reply", "policy_case.input"]),
    );
    expect((await whereIs(name)).length).toBeGreaterThan(20);
    await ask({ sessionId: "person" });
    await ask({ agentName: name });
    await erasing().run();
    expect(await whereIs(word)).toEqual([]);
    expect(await whereIs(name)).toEqual(["dispatch.agent_name", "erasure_request.agent_name"]);
    expect(await counted()).toEqual(before);
    expect(await query("SELECT FROM delivery WHERE workspace_id = $1", [owner.workspaceId])).toEqual([]);
    const { report, notes } = await verified();
    expect(report.altered.count + report.missing.count).toBe(0);
    expect(notes).toContain("1 dispatch has no content any more: it was erased on request.");
    // Erased or not, what is left of the row is still under its leaf.
    await pool().query("UPDATE dispatch SET verdict = 'allow' WHERE workspace_id = $1", [owner.workspaceId]);
    expect((await verified()).report.altered.findings[0]?.says).toContain("is not what was recorded");
  });

  test("is looked for in each table that has a name or a session: its entry in the list of tables says so", async () => {
    const inEntries = TABLES.filter(({ erasure }) => erasure === "content" || erasure === "name");
    expect(ERASED_TABLES.map(({ table }) => table).toSorted()).toEqual(inEntries.map(({ name }) => name).toSorted());
    // A session's id stays: the facts hang on it. A request forgets when it is withdrawn.
    const known = new Set(TABLES.filter(({ erasure }) => erasure !== undefined).map(({ name }) => name));
    const tables = (await textColumns(pool()))
      .filter(({ column }) => column === "agent_name" || column === "session_id")
      .map(({ table }) => table);
    expect([...new Set(tables)].filter((table) => !known.has(table))).toEqual([]);
  });

  test("leaves everybody else's alone", async () => {
    await record("other", "stays", { agent: "Grace" });
    await record("person", "goes", { agent: "Grace H" });
    await ask({ agentName: "Grace H" });
    await erasing().run();
    expect(await whereIs("stays")).toEqual(["dispatch.input"]);
    const names = await query<{ name: string }>(
      "SELECT DISTINCT agent_name AS name FROM session WHERE workspace_id = $1 ORDER BY 1",
      [owner.workspaceId],
    );
    expect(names.map(({ name }) => name)).toEqual(["Grace", expect.stringMatching(/^erased-[0-9a-f]{8}$/)]);
  });
});

describe("an erasure", () => {
  const MANY = 20_000;
  const entries = () =>
    query<{ ids: string }>(
      "SELECT body::jsonb ->> 'dispatches' AS ids FROM audit_entry WHERE workspace_id = $1 AND kind = 'content_erased' ORDER BY seq",
      [owner.workspaceId],
    );

  test("whose connection dies in the middle goes on from there, and repeats nothing", async () => {
    for (let at = 0; at < MANY; at += 2_000)
      await Promise.all(Array.from({ length: 2_000 }, (_, i) => record("long", `word ${at + i}`)));
    await ask({ sessionId: "long" });
    await rig.db.owner.query(`
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.erased >= 7000 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW;
      END $$;
      CREATE TRIGGER die BEFORE UPDATE OF erased ON erasure_request FOR EACH ROW EXECUTE FUNCTION die();`);
    const sizes = { looked: 2_000, step: 500 };
    await erasing(sizes).run();
    expect(await result()).toMatchObject({ state: "running", erased: 6_500, fault: expect.any(String) });
    expect((await verified()).report.altered.count).toBe(0);
    await rig.db.owner.query("DROP FUNCTION die CASCADE");
    await erasing(sizes).run();
    expect(await result()).toEqual({ state: "standing", erased: MANY, held: 0, fault: null });
    const erased = (await entries()).flatMap(({ ids }) => ids.match(/.{32}/g) ?? []);
    expect([erased.length, new Set(erased).size]).toEqual([MANY, MANY]);
    expect(Math.max(...(await entries()).map(({ ids }) => ids.length / 32))).toBe(500);
    const { report } = await verified();
    expect([report.altered.count, report.missing.count]).toEqual([0, 0]);
  });

  test("does not pass over a row that somebody has locked: it fails, says so, and begins with that row", async () => {
    for (let at = 0; at < 5; at += 1) await record("busy", `word ${at}`);
    await ask({ sessionId: "busy" });
    const other = await rig.db.owner.connect();
    try {
      await other.query("SELECT set_config('quarterdeck.workspace', '*', false)");
      await other.query("BEGIN");
      await other.query("SELECT FROM dispatch WHERE workspace_id = $1 ORDER BY id LIMIT 1 FOR UPDATE", [
        owner.workspaceId,
      ]);
      await erasing().run();
      const fault = "Another transaction held the data for longer than a second.";
      expect(await result()).toEqual({ state: "running", erased: 4, held: 0, fault });
      await other.query("COMMIT");
    } finally {
      other.release(true);
    }
    await erasing().run();
    expect(await result()).toEqual({ state: "standing", erased: 5, held: 0, fault: null });
    expect((await verified()).report.altered.count).toBe(0);
  });

  test("leaves alone what a hold covers, says so, and comes back when it is released", async () => {
    await record("both", "kept");
    const hold = { reason: "case 9", agentId: null, sessionId: "both", from: null, to: null };
    const { id } = await addHold(rig.db.database, admin, hold);
    await ask({ sessionId: "both" });
    await erasing().run();
    expect(await result()).toMatchObject({ state: "standing", erased: 0, held: 1 });
    await releaseHold(rig.db.database, admin, id);
    await erasing().run();
    await erasing().run();
    expect(await result()).toMatchObject({ state: "standing", erased: 1, held: 0 });
  });

  test("stands: what is reported later goes too, until it is withdrawn and forgets whose it was", async () => {
    await record("s", "first", { agent: "Ada L" });
    const { id } = await ask({ agentName: "Ada L" });
    await erasing().run();
    await record("s", "LATERWORD", { agent: "Ada L" });
    expect(await whereIs("LATERWORD")).toEqual(["dispatch.input"]);
    await erasing().run();
    expect(await whereIs("LATERWORD")).toEqual([]);
    expect(await whereIs("Ada L")).toEqual(["dispatch.agent_name", "erasure_request.agent_name"]);
    expect(await result()).toMatchObject({ state: "standing", erased: 2 });
    await withdrawErasure(rig.db.database, rig.bus, admin, id);
    expect(await whereIs("Ada L")).toEqual(["dispatch.agent_name"]);
    await record("s", "WITHDRAWNWORD", { agent: "Ada L" });
    await erasing().run();
    expect(await whereIs("WITHDRAWNWORD")).toEqual(["dispatch.input"]);
    await expect(withdrawErasure(rig.db.database, rig.bus, admin, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await verified()).report.altered.count).toBe(0);
  });

  test("looks for copies again after a day, and tells of it only when there were any", async () => {
    await record("s", "x", { agent: "Ida" });
    await ask({ agentName: "Ida" });
    await erasing().run();
    const finished = () =>
      query("SELECT FROM audit_entry WHERE workspace_id = $1 AND kind = 'erasure_finished'", [owner.workspaceId]);
    const tomorrow = () => erasing(undefined, stoppedClock(Date.now() + 25 * 3_600_000)).run();
    await tomorrow();
    expect((await finished()).length).toBe(1);
    await pool().query("UPDATE session SET agent_name = 'Ida' WHERE workspace_id = $1", [owner.workspaceId]);
    await erasing().run();
    expect(await whereIs("Ida")).toContain("session.agent_name");
    await tomorrow();
    expect(await whereIs("Ida")).not.toContain("session.agent_name");
    expect((await finished()).length).toBe(2);
  });

  test("of an enrolled agent takes every name that it reported under", async () => {
    await record("s", "x", { agent: "box / Ada" });
    await record("t", "y", { agent: "box" });
    await ask({ agentName: "box" });
    await erasing().run();
    expect(await result()).toMatchObject({ erased: 2 });
    const names = await query<{ name: string }>(
      "SELECT DISTINCT agent_name AS name FROM rollup_hour WHERE workspace_id = $1 ORDER BY 1",
      [owner.workspaceId],
    );
    expect(names.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^erased-[0-9a-f]{8}$/),
      expect.stringMatching(/^erased-[0-9a-f]{8} \/ Ada$/),
    ]);
  });
});
