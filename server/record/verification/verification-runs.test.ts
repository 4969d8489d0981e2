/** Verifications as runs: taken up where a dead process left them, one worker a run, and short where little is new. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { repetitions } from "../../../e2e/fixtures/long-run.ts";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { CONTENT_SQL } from "../../audit/leaf.ts";
import { auditStatement } from "../../audit/record-audit.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "../checkpoints/checkpoint-file.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { createErasure } from "../erasure/erasure.ts";
import { requestErasure } from "../erasure/erasure-requests.ts";
import { listRuns, startRun } from "./verification-runs.ts";
import { createVerificationWorker, type VerificationWorkerOptions } from "./verification-worker.ts";
import { listVerifications } from "./verifications.ts";

const LIMITS = { entries: 4, rows: 5, bytes: 1_000_000, window: 7 };
const log = createLog("silent");
let rig: RecordingRig;
let owner: Owner;
let dir: string;
let secrets: Secrets;
let started = 0;

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-runs-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

const pool = () => rig.db.database.pool;

async function record(count: number, of: Owner = owner): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await rig.recorder.record(recordOf(of, "stop", JSON.stringify({ session_id: `s${index}` })), false);
}

const points = () => join(dir, "points");
const sign = () => createCheckpointer({ pool: pool(), secrets, dir: points(), log, clock: systemClock }).tick(true);

function worker(more: Partial<VerificationWorkerOptions> = {}) {
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  return createVerificationWorker({
    pool: pool(),
    log,
    limits: LIMITS,
    keysOf: () => Promise.resolve(key ? [key] : []),
    outsideOf: (workspaceId) => readCheckpoints(checkpointFile(points(), workspaceId)),
    ...more,
  });
}

async function start(fromBeginning = false, { workspaceId }: Owner = owner): Promise<string> {
  started += 1;
  const id = `01900000-0000-7000-8000-${String(started).padStart(12, "0")}`;
  return (await startRun(pool(), workspaceId, { id, by: "ada", fromBeginning })).id;
}

async function newest({ workspaceId }: Owner = owner) {
  const [run] = (await listVerifications(rig.db.database, workspaceId)).runs;
  if (!run) throw new Error("there is no run");
  return run;
}

const harm = (sql: string) => rig.db.owner.query(sql, [owner.workspaceId]);
const endLease = () =>
  harm("UPDATE verification_run SET lease_until = now() - interval '1 second' WHERE workspace_id = $1");

test("a run goes through the chain in ranges, says where it is, and ends with the result", async () => {
  await record(12);
  await sign();
  const places: number[] = [];
  await start();
  expect(await newest()).toMatchObject({ state: "waiting", position: 0, result: null, startedBy: "ada" });
  expect(
    await worker({
      onRange: async ({ position }) => {
        const run = await newest();
        expect(run).toMatchObject({ state: "running", position, entries: position });
        places.push(position);
      },
    }).run(),
  ).toBe(1);
  const { to = 0, ...run } = await newest();
  expect(run).toMatchObject({ state: "done", from: 1, findings: 0, result: { verdict: "proven" } });
  expect(places.filter((place) => place < (to ?? 0)).length).toBeGreaterThan(1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const { verified } = await listVerifications(rig.db.database, owner.workspaceId);
  expect(verified).toMatchObject({ to, by: "ada" });
});

test("a worker that dies in the middle leaves a run that the next one goes on with, and its own word no longer counts", async () => {
  await record(15);
  await harm("UPDATE dispatch SET verdict = 'other' WHERE workspace_id = $1 AND session_id IN ('s1', 's13')");
  await start();
  await worker().run();
  const undisturbed = await newest();

  await start(true);
  const first: number[] = [];
  let die: (error: Error) => void = () => undefined;
  const dead = new Promise<void>((_, reject) => {
    die = reject;
  });
  let stuck: () => void = () => undefined;
  const isStuck = new Promise<void>((resolve) => {
    stuck = resolve;
  });
  const zombie = worker({
    onRange({ position }) {
      first.push(position);
      if (first.length < 2) return undefined;
      stuck();
      return dead;
    },
  });
  const dying = zombie.run();
  await isStuck;
  // Nobody else takes it while its lease stands.
  expect(await worker().run()).toBe(0);
  await endLease();
  expect(await newest()).toMatchObject({ state: "interrupted", position: first.at(-1) });

  const second: number[] = [];
  expect(await worker({ onRange: ({ position }) => void second.push(position) }).run()).toBe(1);
  expect(second.length).toBeGreaterThan(0);
  expect(Math.min(...second)).toBeGreaterThan(first.at(-1) ?? 0);
  const resumed = await newest();
  expect({ ...resumed, id: "", startedAt: 0, finishedAt: 0, fromBeginning: true }).toEqual({
    ...{ ...undisturbed, id: "", startedAt: 0, finishedAt: 0, fromBeginning: true },
  });
  expect(resumed.findings).toBe(2);

  die(new Error("it comes back to life"));
  await dying;
  expect(await newest()).toEqual(resumed);
});

test("a worker that is stopped gives its run back at once", async () => {
  await record(12);
  await start();
  const stopping = worker({ onRange: () => void stopping.stop() });
  expect(await stopping.run()).toBe(0);
  const { state, position } = await newest();
  expect({ state, hasBegun: position > 0 }).toEqual({ state: "waiting", hasBegun: true });
  expect(await worker().run()).toBe(1);
  expect(await newest()).toMatchObject({ state: "done", from: 1, findings: 0 });
});

test("two workers take different runs, and a workspace has one run at a time", async () => {
  const other = await rig.addOwner();
  await record(12);
  await record(12, other);
  const [mine, theirs] = [await start(), await start(false, other)];
  expect(await start()).toBe(mine);
  const taken: string[][] = [[], []];
  let meet: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const one = (at: number) =>
    worker({
      outsideOf(workspaceId) {
        if (!taken[at]?.includes(workspaceId)) taken[at]?.push(workspaceId);
        if (taken.every(({ length }) => length > 0)) meet();
        return both.then(() => null);
      },
    }).run();
  expect((await Promise.all([one(0), one(1)])).reduce((sum, count) => sum + count)).toBe(2);
  expect(taken.flat().toSorted()).toEqual([owner.workspaceId, other.workspaceId].toSorted());
  expect([(await newest()).id, (await newest(other)).id]).toEqual([mine, theirs]);
  expect([(await newest()).state, (await newest(other)).state]).toEqual(["done", "done"]);
});

test("what stands under a checkpoint is not verified again, the result says so, and the beginning is verified when asked", async () => {
  await record(12);
  await sign();
  await start();
  await worker().run();
  const first = await newest();
  await record(2);
  await start();
  const ranges: number[] = [];
  await worker({ onRange: ({ position }) => void ranges.push(position) }).run();
  const second = await newest();
  expect(second).toMatchObject({ from: (first.to ?? 0) + 1, entries: 2, dispatches: 2, findings: 0 });
  expect(second.result?.verdict).toBe("proven");
  expect(second.result?.notes).toEqual([
    `Verified now: entries ${second.from} to ${second.to}.`,
    `Verified earlier: entries 1 to ${first.to}, by ada at ${first.finishedAt?.toISOString()}; the checkpoint of entry ${first.to} still stands.`,
  ]);
  expect(ranges.length).toBeLessThan(4);

  await harm("UPDATE dispatch SET verdict = 'other' WHERE workspace_id = $1 AND session_id = 's5'");
  await start();
  await worker().run();
  expect((await newest()).findings).toBe(0);
  await start(true);
  await worker().run();
  expect(await newest()).toMatchObject({ from: 1, findings: 1, result: { verdict: "found" } });
  expect((await newest()).result?.altered.join()).toContain("is not what was recorded");
  // From then on it is looked for again until it is gone.
  await start();
  await worker().run();
  expect(await newest()).toMatchObject({ from: 1, findings: 1 });
});

test("a checkpoint that does not stand any more lets nothing pass as verified", async () => {
  await record(12);
  await sign();
  await start();
  await worker().run();
  await record(1);
  await harm(
    "UPDATE chain_batch SET hash = sha256(hash) WHERE workspace_id = $1 AND seq = (SELECT max(seq) FROM audit_checkpoint WHERE workspace_id = $1)",
  );
  await start();
  await worker().run();
  const run = await newest();
  expect(run.from).toBe(1);
  expect(run.findings).toBeGreaterThan(0);
});

test("a failure after each range only slows a run down; one that fails at the same place again and again says so", async () => {
  await record(12);
  await start();
  const failing = worker({
    onRange() {
      throw new Error("a disk that cannot be read");
    },
  });
  expect(await failing.run()).toBe(1);
  expect(await newest()).toMatchObject({ state: "done", from: 1, entries: 12, findings: 0 });
  await start(true);
  const never = worker({ keysOf: () => Promise.reject(new Error("no keys")) });
  expect(await never.run()).toBe(1);
  expect(await newest()).toMatchObject({ state: "failed", failure: expect.any(String), result: null });
  expect((await listRuns(pool(), owner.workspaceId, 10)).length).toBe(2);
});

test("rows of other workspaces between one's own are no strays, and one's own are found in any window", async () => {
  const other = await rig.addOwner();
  for (let index = 0; index < 10; index += 1) {
    await record(1);
    await record(1, other);
  }
  const columns =
    "workspace_id, occurred_at, agent_id, agent_name, session_id, received_at, event, lane, origin, verdict, revision, duration_us, input, answer, hooks, salt";
  await harm(
    `INSERT INTO dispatch (${columns}, id, batch, place) SELECT ${columns}, gen_random_uuid(), gen_random_uuid(), 0
     FROM dispatch WHERE workspace_id = $1 ORDER BY occurred_at DESC LIMIT 3`,
  );
  await harm(
    `UPDATE dispatch SET occurred_at = occurred_at + interval '1 minute' WHERE workspace_id = $1 AND id = (
       SELECT id FROM dispatch WHERE workspace_id = $1 AND batch IN (SELECT batch FROM chain_batch) ORDER BY occurred_at LIMIT 1)`,
  );
  await start();
  await worker().run();
  const { result } = await newest();
  expect(result?.altered.filter((line) => line.includes("belongs to no batch"))).toHaveLength(4);
});

test("what is dropped or erased by entries while it works is accounted for, and what no entry explains is found", async () => {
  await record(15);
  const admin = { kind: "script", id: "1", name: "ada", workspaceId: owner.workspaceId } as const;
  await start();
  let isFirst = true;
  await worker({
    async onRange() {
      if (!isFirst) return;
      isFirst = false;
      await requestErasure(rig.db.database, rig.bus, admin, { sessionId: "s12", agentName: null, reason: "request 1" });
      await createErasure({ pool: pool(), log: createLog("silent"), clock: systemClock }).run();
      await harm("DELETE FROM dispatch WHERE workspace_id = $1 AND session_id IN ('s13', 's14')");
      const before = new Date(Date.now() + 2 * 86_400_000).toISOString();
      const dropped = { kind: "dispatches_dropped", version: 1, before, count: 2, unproven: 0 } as const;
      await pool().query(auditStatement(owner.workspaceId, dropped));
    },
  }).run();
  const run = await newest();
  expect(run).toMatchObject({ state: "done", to: 19, entries: 19, dispatches: 13, findings: 0 });
  expect(run.result?.notes).toContain("2 dispatches are not held any more, by retention.");

  await harm(
    `UPDATE dispatch SET content_sha256 = ${CONTENT_SQL}, erased_at = now(), salt = NULL, input = '{}', answer = '{}',
       hooks = '[]', detail = NULL WHERE workspace_id = $1 AND session_id = 's1'`,
  );
  await start(true);
  await worker().run();
  expect((await newest()).result?.altered).toEqual([
    "1 thing was altered:",
    expect.stringMatching(/dispatch [0-9a-f]{32} lost its content, and no entry says that it was erased$/),
  ]);
  expect((await harm("SELECT FROM verification_blanked WHERE workspace_id = $1")).rowCount).toBe(0);
});

test("dispatches by the thousand are verified in small ranges, and one changed byte among them is found", async () => {
  const [many, step] = [repetitions(5_000, 30_000), 1_000];
  for (let done = 0; done < many; done += step)
    await Promise.all(
      Array.from({ length: step }, (_, index) =>
        rig.recorder.record(recordOf(owner, "stop", `{"session_id":"s${done + index}"}`), false),
      ),
    );
  const limits = { entries: 50, rows: 600, bytes: 1_000_000, window: 2_000 };
  const ranges: number[] = [];
  await start();
  await worker({ limits, onRange: ({ position }) => void ranges.push(position) }).run();
  expect(await newest()).toMatchObject({ state: "done", dispatches: many, findings: 0 });
  expect(ranges.length).toBeGreaterThanOrEqual(many / 600);
  await harm("UPDATE dispatch SET input = input || ' ' WHERE workspace_id = $1 AND session_id = 's3171'");
  await start(true);
  await worker({ limits }).run();
  expect((await newest()).result?.altered).toEqual([
    "1 thing was altered:",
    expect.stringMatching(/dispatch [0-9a-f-]{36} is not what was recorded$/),
  ]);
});
