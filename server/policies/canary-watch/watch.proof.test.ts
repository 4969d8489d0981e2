/** Twenty bad canaries and twenty good ones, on the clock of the service and a real database. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fixtureProgram } from "../../../e2e/fixtures/built-program.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { projecting } from "../../../e2e/fixtures/projecting.ts";
import { recordOf } from "../../../e2e/fixtures/record-of.ts";
import type { Administrator } from "../../access/actor.ts";
import * as agents from "../../agents/index.ts";
import { createBus } from "../../events/index.ts";
import { makeNotices } from "../../notices/make-notices.ts";
import { insertWorkspace } from "../../people/repository.ts";
import { systemClock } from "../../platform/clock.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { createRecorder } from "../../recording/index.ts";
import type { StoredHook } from "../../recording/schema.ts";
import { effectiveSet } from "../effective/effective.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { freeze } from "../publishing/freeze.ts";
import { publishByName } from "../publishing/publish.ts";
import { canaryFigures } from "../rollout/canary-figures.ts";
import * as views from "../views.ts";
import { DEFAULT_LIMITS } from "./limits-schema.ts";
import { createCanaryWatch } from "./watch.ts";
import { listUnchecked } from "./watched-repository.ts";

const ROUNDS = 20;
const CHECK_MS = 15_000;
const log = createLog("silent");
const text = (word: string) =>
  `hooks:\n  pre_tool_use:\n    - matcher: .*\n      hooks:\n        - { name: rule, type: command, command: "echo ${word}" }\n`;

let db: TestDatabase;
let bus: ReturnType<typeof createBus>;
let recorder: ReturnType<typeof createRecorder>;
beforeAll(async () => {
  db = await testDatabase();
  bus = createBus(db.url, log);
  recorder = createRecorder(db.database.pool, bus, log);
});
afterAll(async () => {
  await bus?.close();
  await db?.drop();
});

/** The behaviour of the canary's rule in the call with this number. */
type Behaviour = (call: number) => "deny" | "fail" | "slow" | "none";
const BAD: Readonly<Record<string, Behaviour>> = {
  "blocks everything": () => "deny",
  "blocks one tool": (call) => (call % 4 === 0 ? "deny" : "none"),
  "is slow": (call) => (call % 2 === 0 ? "slow" : "none"),
  crashes: (call) => (call % 3 === 0 ? "fail" : "none"),
};

interface Scene {
  readonly admin: Administrator;
  readonly policyId: string;
  readonly inside: string;
  readonly others: readonly string[];
  readonly startMs: number;
}

async function begin(limits = true): Promise<Scene> {
  const workspaceId = uuidv7();
  await db.database.prisma.$transaction((tx) => insertWorkspace(tx, workspaceId, "canary"));
  const admin = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" } as const;
  const world = [db.database, bus, admin] as const;
  const ids = [];
  for (const name of ["one", "two", "three"]) ids.push((await agents.create(...world, { name })).agentId);
  const [inside = "", ...others] = ids;
  const { groupId } = await agents.createGroup(...world, { name: "first" });
  await agents.setGroupMembers(...world, { groupId, agentIds: [inside] });
  const publish = (word: string, rollout?: Parameters<typeof publishByName>[3]["rollout"]) =>
    publishByName(...world, { name: "guard", source: text(word), note: "", ...(rollout && { rollout }) }, NO_CASES);
  await publish("one");
  const { policyId } = await publish("two", {
    kind: "canary",
    share: 0,
    groupId,
    ...(limits && { limits: DEFAULT_LIMITS }),
  });
  return { admin, policyId, inside, others, startMs: Date.now() };
}

const hookOf = (behaviour: ReturnType<Behaviour>, revision: number): StoredHook => ({
  ...{ policy: "guard", revision, path: "hooks.pre_tool_use[0].hooks[0]", name: "rule", type: "command" },
  ...{ startedMs: 0, durationMs: behaviour === "slow" ? 4_000 : 10, stdout: "", stderr: "" },
  ...(behaviour === "fail"
    ? { outcome: "failed" as const, said: "failed", failure: "exited with status 7" }
    : { outcome: "completed" as const, said: behaviour === "deny" ? "deny" : "nothing" }),
});

/** One call of the agent; the usual rule denies one call in a hundred. */
function record({ admin, inside }: Scene, agentId: string, at: Date, call: number, rule: Behaviour) {
  const isInside = agentId === inside;
  const behaviour = isInside ? rule(call) : call % 100 === 0 ? "deny" : "none";
  const isDenied = behaviour === "deny" || behaviour === "fail";
  const body = JSON.stringify({
    session_id: agentId,
    tool_name: "shell",
    tool_use_id: `${agentId}-${call}`,
    tool_input: {},
  });
  return recorder.record(
    recordOf({ workspaceId: admin.workspaceId, agentId }, "pre_tool_use", body, {
      ...{
        occurredAt: at,
        receivedAt: at,
        origin: "dispatch",
        revision: createHash("sha256").update("r").digest("hex"),
      },
      ...{ verdict: isDenied ? "deny" : "none", durationUs: behaviour === "slow" ? 4_000_000 : 12_000 },
      hooks: [hookOf(behaviour, isInside ? 2 : 1)],
    }),
    true,
  );
}

/** Runs traffic and the watcher for a time; the milliseconds until the withdrawal, or null. */
async function watch(scene: Scene, rule: Behaviour, forMs: number, callsPerCheck = 20): Promise<number | null> {
  const { projected } = projecting(recorder, db.database, bus);
  let nowMs = scene.startMs;
  const watcher = createCanaryWatch({ db: db.database, bus, log, clock: { now: () => nowMs } });
  let call = 0;
  while (nowMs < scene.startMs + forMs) {
    const made = [];
    for (let index = 0; index < callsPerCheck; index += 1) {
      call += 1;
      const at = new Date(nowMs + 1 + Math.floor((index * (CHECK_MS - 2)) / callsPerCheck));
      for (const agentId of [scene.inside, ...scene.others]) made.push(record(scene, agentId, at, call, rule));
    }
    await Promise.all(made);
    await projected();
    nowMs += CHECK_MS;
    await watcher.tick();
    const { canary, withdrawal } = await views.get(db.database, scene.admin.workspaceId, scene.policyId);
    if (canary === null && withdrawal !== null) return nowMs - scene.startMs;
  }
  return null;
}

/** A canary that denied each of its calls. */
async function beginBad(): Promise<Scene> {
  const scene = await begin();
  let call = 0;
  const at = new Date(scene.startMs + 1_000);
  for (const agentId of [scene.inside, ...scene.others])
    for (let index = 0; index < 60; index += 1) await record(scene, agentId, at, ++call, () => "deny");
  await projecting(recorder, db.database, bus).projected();
  return scene;
}

const lastEntryOf = async ({ admin }: Scene) => {
  const { rows } = await db.database.pool.query<{ body: string }>(
    "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'policy_canary_withdrawn'",
    [admin.workspaceId],
  );
  return rows.map(({ body }) => JSON.parse(body));
};

describe("a canary with limits", () => {
  it("is withdrawn within two minutes in 20 of 20 bad rollouts, and recorded once", async () => {
    const times = [];
    const rules = Object.values(BAD);
    for (let round = 0; round < ROUNDS; round += 1) {
      const scene = await begin();
      const rule = rules[round % rules.length] ?? (() => "deny");
      times.push(await watch(scene, rule, 120_000));
      const entries = await lastEntryOf(scene);
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({ policy: scene.policyId, revision: 2, live: 1, duringFreeze: null });
      expect(entries[0].calls.length).toBeGreaterThan(0);
      expect((await effectiveSet(db.database, scene.admin.workspaceId, scene.inside)).members).toMatchObject([
        { name: "guard", number: 1 },
      ]);
    }
    expect(times.filter((ms) => ms !== null && ms <= 120_000)).toHaveLength(ROUNDS);
  }, 300_000);

  it("stays in 20 of 20 good rollouts", async () => {
    const withdrawn = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const good: Behaviour = (call) =>
        (call + round) % 50 === 0 ? "deny" : (call + round) % 70 === 0 ? "slow" : "none";
      if ((await watch(await begin(), good, 120_000)) !== null) withdrawn.push(round);
    }
    expect(withdrawn).toEqual([]);
  }, 300_000);

  it("gives no verdict on three calls a day, and says so", async () => {
    const scene = await begin();
    expect(await watch(scene, () => "deny", CHECK_MS, 3)).toBeNull();
    const { canary } = await views.get(db.database, scene.admin.workspaceId, scene.policyId);
    expect(canary).toMatchObject({ revision: 2 });
    const figures = await canaryFigures(db.database, scene.admin.workspaceId, scene.policyId);
    expect(figures?.comparison).toMatchObject({ state: "too_few_inside", inside: { calls: 3, denied: 3 } });
  });

  it("without limits is never withdrawn", async () => {
    expect(await watch(await begin(false), () => "deny", 60_000)).toBeNull();
  });

  it("is withdrawn in a freeze too, with the freeze in the entry", async () => {
    const scene = await begin();
    await freeze(db.database, bus, scene.admin, { reason: "release week" });
    expect(await watch(scene, () => "deny", 60_000)).not.toBeNull();
    expect((await lastEntryOf(scene))[0].duringFreeze).toContain("release week");
  });

  it("is withdrawn once by two watchers at the same time", async () => {
    const scene = await beginBad();
    const clock = { now: () => scene.startMs + CHECK_MS };
    const two = [1, 2].map(() => createCanaryWatch({ db: db.database, bus, log, clock }));
    await Promise.all(two.map((one) => one.tick()));
    expect(await lastEntryOf(scene)).toHaveLength(1);
  });

  it("sends a notice of its withdrawal", async () => {
    const scene = await begin();
    await db.database.pool.query(`INSERT INTO person (id, name, email) VALUES ($1, 'Ada', $2) ON CONFLICT DO NOTHING`, [
      scene.admin.id,
      `${scene.admin.id}@example.org`,
    ]);
    await db.database.prisma.membership.create({
      data: { workspaceId: scene.admin.workspaceId, personId: scene.admin.id, role: "owner" },
    });
    await watch(scene, () => "deny", 60_000);
    await makeNotices({
      pool: db.database.pool,
      bus,
      log,
      clock: systemClock,
    });
    const { rows } = await db.database.pool.query("SELECT title, path FROM notice WHERE workspace_id = $1", [
      scene.admin.workspaceId,
    ]);
    expect(rows).toEqual([
      { title: "A canary was withdrawn: too many calls were denied", path: `/policies/${scene.policyId}` },
    ]);
  });
});

describe("a process that checks canaries", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  /** On a clock ahead of the calls, in milliseconds. */
  const startWatch = async (aheadMs: number) => {
    const program = await fixtureProgram("canary-watch-until-killed");
    const child = spawn(process.execPath, [program, db.url, String(aheadMs)], { stdio: ["ignore", "ignore", 2] });
    children.push(child);
    return child;
  };
  const isWithdrawn = async ({ admin, policyId }: Scene) =>
    (await views.get(db.database, admin.workspaceId, policyId)).withdrawal !== null;
  /** Watchers that wait for the lock of a policy, with the decision made. */
  const deciding = async () => {
    const { rows } = await db.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%policy%'`,
    );
    return rows[0]?.count ?? 0;
  };

  it("and is killed between its decision and the withdrawal leaves the canary to the next, which withdraws it once", async () => {
    const scene = await beginBad();
    const lock = await db.owner.connect();
    await db.owner.query(HOLD_WITHDRAWALS);
    try {
      await lock.query("BEGIN");
      await lock.query("SELECT pg_advisory_xact_lock($1)", [WITHDRAWAL_LOCK]);
      const killed = await startWatch(CHECK_MS);
      await expect.poll(deciding, { timeout: 60_000 }).toBe(1);
      killed.kill("SIGKILL");
      await once(killed, "exit");
      await lock.query("ROLLBACK");
    } finally {
      lock.release();
    }
    await expect.poll(deciding, { timeout: 30_000 }).toBe(0);
    await db.owner.query(RELEASE_WITHDRAWALS);
    expect(await isWithdrawn(scene)).toBe(false);
    expect(await lastEntryOf(scene)).toEqual([]);
    await startWatch(3 * CHECK_MS);
    await expect.poll(() => isWithdrawn(scene), { timeout: 60_000 }).toBe(true);
    expect(await lastEntryOf(scene)).toHaveLength(1);
  }, 180_000);

  it("and runs twice withdraws each canary once", async () => {
    const scenes = [await beginBad(), await beginBad(), await beginBad()];
    await Promise.all([startWatch(CHECK_MS), startWatch(CHECK_MS)]);
    for (const scene of scenes) {
      await expect.poll(() => isWithdrawn(scene), { timeout: 60_000 }).toBe(true);
      expect(await lastEntryOf(scene)).toHaveLength(1);
    }
  }, 180_000);
});

/** A trigger holds each withdrawal until the test lets go of a lock. */
const WITHDRAWAL_LOCK = 6_021;
const HOLD_WITHDRAWALS = `
  CREATE FUNCTION hold_withdrawals() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_advisory_xact_lock(${WITHDRAWAL_LOCK}); RETURN NEW; END $$;
  CREATE TRIGGER hold_withdrawals BEFORE UPDATE OF canary_withdrawal ON policy
    FOR EACH ROW WHEN (NEW.canary_withdrawal IS NOT NULL) EXECUTE FUNCTION hold_withdrawals()`;
const RELEASE_WITHDRAWALS = "DROP TRIGGER hold_withdrawals ON policy; DROP FUNCTION hold_withdrawals()";

describe("a check that fails", () => {
  it("is noted on the canary, and does not stop the others", async () => {
    const [broken, whole] = [await begin(), await begin()];
    await db.database.pool.query("UPDATE policy SET canary_limits = '{' WHERE id = $1", [broken.policyId]);
    expect(await watch(whole, () => "deny", 120_000)).not.toBeNull();
    const figures = await canaryFigures(db.database, broken.admin.workspaceId, broken.policyId);
    expect(figures?.fault).toBe("The limits cannot be read. Set them again.");
    const late = new Date(Date.now());
    const found = await listUnchecked(db.database.prisma, broken.admin.workspaceId, late);
    expect(found).toMatchObject([{ name: "guard" }]);
  });
});
