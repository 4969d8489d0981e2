import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import { projectorsOf } from "../../e2e/fixtures/projecting.ts";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { createLog } from "../platform/log.ts";
import { check, days } from "../projections/index.ts";
import { createRecorder, type DispatchRecord, type Recorder } from "../recording/index.ts";
import { findLag, findLongestLag, findProgress } from "./lag-repository.ts";
import { createProjectors, untilProjected } from "./service.ts";

let rig: RecordingRig;
let owner: Owner;
/** Records, and leaves the figures to others. */
let recorder: Recorder;
beforeAll(async () => {
  rig = await recordingRig();
  recorder = createRecorder(rig.db.database.pool, rig.bus, createLog("silent"));
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(() => rig.close());

const pool = () => rig.db.database.pool;
const some = (count: number, of = owner): DispatchRecord[] =>
  Array.from({ length: count }, (_, n) => {
    const session = `{"session_id":"s${n % 5}","model_id":"m${n % 3}"`;
    const tool = `{"session_id":"s${n % 5}","tool_name":"shell","tool_use_id":"t${n}","tool_input":{"cmd":"ls ${n}"}}`;
    if (n % 4 === 0) return recordOf(of, "pre_tool_use", tool, { verdict: "deny", reason: `no ${n}` });
    if (n % 4 === 1) return recordOf(of, "after_llm_call", `${session},"cost":0.${n + 1},"usage":{"input_tokens":7}}`);
    if (n % 4 === 2) return recordOf(of, "after_compaction", `${session},"summary":"kept ${n}"}`);
    return recordOf(of, "stop", `${session}}`);
  });
const recordAll = (records: readonly DispatchRecord[]) =>
  Promise.all(records.map((record) => recorder.record(record, false)));
const countOf = async (table: string, { workspaceId } = owner) =>
  Number(
    (await rig.db.owner.query(`SELECT count(*) FROM ${table} WHERE workspace_id = $1`, [workspaceId])).rows[0]?.count,
  );

/** Rows of figures that are not what the log gives, of every day. */
async function differences({ workspaceId } = owner): Promise<unknown[]> {
  const all = await Promise.all(
    (await days(pool(), workspaceId, undefined)).map((day) => check(pool(), workspaceId, day)),
  );
  return all.flatMap((one) => one.differences);
}
const dispatchesCounted = async ({ workspaceId } = owner) =>
  Number(
    (await rig.db.owner.query("SELECT sum(dispatches) AS n FROM rollup_day WHERE workspace_id = $1", [workspaceId]))
      .rows[0]?.n ?? 0,
  );

describe("figures", () => {
  test("hold nothing of a record before it is projected, and all of it after, with its words", async () => {
    await recordAll(some(8));
    expect([await countOf("dispatch"), await countOf("tool_decision"), await dispatchesCounted()]).toEqual([8, 0, 0]);
    await rig.projected();
    expect(await dispatchesCounted()).toBe(8);
    const { rows } = await rig.db.owner.query(
      "SELECT reason, excerpt FROM tool_decision WHERE workspace_id = $1 ORDER BY reason",
      [owner.workspaceId],
    );
    expect(rows).toEqual([
      { reason: "no 0", excerpt: "ls 0" },
      { reason: "no 4", excerpt: "ls 4" },
    ]);
    const summaries = await rig.db.owner.query(
      "SELECT summary, effect FROM compaction WHERE workspace_id = $1 ORDER BY summary",
      [owner.workspaceId],
    );
    expect(summaries.rows).toEqual([
      { summary: "kept 2", effect: "applied" },
      { summary: "kept 6", effect: "applied" },
    ]);
    expect(await differences()).toEqual([]);
  });

  test("are made once, whoever is killed in the middle and however many are at it", async () => {
    const script = await fixtureProgram("project-until-killed");
    const start = async () => {
      const child = spawn(process.execPath, [script, rig.db.url], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      return child;
    };
    const rounds = repetitions(2, 12);
    const records = some(300 * rounds);
    for (let round = 0; round < rounds; round += 1) {
      const children = await Promise.all([start(), start()]);
      // Batches of a few records: the killed stop between many of them.
      for (let at = round * 300; at < round * 300 + 300; at += 10) await recordAll(records.slice(at, at + 10));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map((child) => once(child, "exit")));
    }
    const others = projectorsOf(rig.db.database, rig.bus);
    await Promise.all([rig.projected(), others.run()]);
    await untilProjected(pool(), owner.workspaceId);
    expect(await dispatchesCounted()).toBe(300 * rounds);
    expect(await differences()).toEqual([]);
  }, 60_000);

  test("of a workspace do not wait for those of another that is busy", async () => {
    const busy = await rig.addOwner();
    await recordAll(some(3_000, busy));
    await recordAll(some(4));
    const topicsOf: string[] = [];
    const stop = rig.bus.subscribe((workspaceId, topics) => {
      if (topics.includes("overview") && workspaceId !== null) topicsOf.push(workspaceId);
    });
    await rig.projected();
    stop();
    expect(topicsOf.at(-1)).toBe(busy.workspaceId);
    expect(topicsOf.indexOf(owner.workspaceId)).toBeLessThan(topicsOf.length - 1);
    expect(await dispatchesCounted(busy)).toBe(3_000);
  });
});

describe("a record that no figure can take", () => {
  const failures = async () =>
    (
      await rig.db.owner.query<{ dispatch_id: string; trouble: string }>(
        "SELECT dispatch_id, trouble FROM projection_failure WHERE workspace_id = $1 ORDER BY dispatch_id",
        [owner.workspaceId],
      )
    ).rows;
  const call = (cost: string) => recordOf(owner, "after_llm_call", `{"session_id":"s","model_id":"m","cost":${cost}}`);

  test("because a sum would leave its column is written down, and its neighbours are counted", async () => {
    await rig.recorder.record(call("1"), false);
    await rig.db.owner.query("UPDATE rollup_day SET cost_nano = 9223372036854775807 - 5 WHERE workspace_id = $1", [
      owner.workspaceId,
    ]);
    const tooMuch = call("0.5");
    await recordAll([call("0.000000001"), tooMuch, call("0"), ...some(3)]);
    await rig.projected();
    expect(await failures()).toEqual([{ dispatch_id: tooMuch.id, trouble: "bigint out of range" }]);
    expect(await dispatchesCounted()).toBe(6);
    await recordAll(some(2));
    await rig.projected();
    expect(await dispatchesCounted()).toBe(8);
  });

  test("because its facts were changed is written down as well", async () => {
    const [changed, ...rest] = some(3);
    if (!changed) throw new Error("no record");
    await recordAll([changed, ...rest]);
    await rig.db.owner.query(`UPDATE dispatch SET facts = '{"call":7}' WHERE workspace_id = $1 AND id = $2`, [
      owner.workspaceId,
      changed.id,
    ]);
    await rig.projected();
    expect(await failures()).toMatchObject([{ dispatch_id: changed.id, trouble: /facts cannot be read/ }]);
    expect(await dispatchesCounted()).toBe(2);
  });

  test("because it is gone already is left out", async () => {
    const [gone, ...rest] = some(3);
    await recordAll([...(gone ? [gone] : []), ...rest]);
    await rig.db.owner.query("DELETE FROM dispatch WHERE workspace_id = $1 AND id = $2", [owner.workspaceId, gone?.id]);
    await rig.projected();
    expect([await dispatchesCounted(), await failures()]).toEqual([2, []]);
  });
});

describe("whoever must see their own writes", () => {
  test("waits for the figures, and is told when they stay behind", async () => {
    expect(await untilProjected(pool(), owner.workspaceId)).toBeUndefined();
    await recordAll(some(3));
    await expect(untilProjected(pool(), owner.workspaceId, { limitMs: 30 })).rejects.toMatchObject({ code: "busy" });
    const waiting = untilProjected(pool(), owner.workspaceId, { limitMs: 20_000 });
    await rig.projected();
    await waiting;
    expect(await dispatchesCounted()).toBe(3);
  });

  test("and how far figures are behind is known in milliseconds", async () => {
    const { workspaceId } = owner;
    expect(await findLag(pool(), workspaceId)).toBe(0);
    await recordAll(some(1));
    expect(await findLag(pool(), workspaceId)).toBeGreaterThan(0);
    expect(await findLongestLag(pool())).toBeGreaterThanOrEqual(await findLag(pool(), rig.workspaceId));
    const { seq, recorded } = await findProgress(pool(), workspaceId);
    expect(recorded).toBeGreaterThan(seq);
    await rig.projected();
    expect([await findLag(pool(), workspaceId), await findLongestLag(pool())]).toEqual([0, 0]);
  });
});

test("while gates wait, records are gathered for longer, and no longer than that", async () => {
  let isHeld = true;
  let goOn = () => {};
  const held = new Promise<boolean>((resolve) => {
    goOn = () => {
      isHeld = false;
      resolve(false);
    };
  });
  const limits: number[] = [];
  const pressure = {
    level: 5,
    async untilBelow(_level: number, limitMs: number) {
      limits.push(limitMs);
      return isHeld && held;
    },
  };
  const projectors = createProjectors({
    pool: pool(),
    bus: rig.bus,
    log: createLog("silent"),
    followers: [],
    pressure,
  });
  projectors.start();
  await expect.poll(() => limits.length, { timeout: 30_000 }).toBe(1);
  await recordAll(some(4));
  expect([await countOf("dispatch"), await dispatchesCounted(), limits.length]).toEqual([4, 0, 1]);
  expect(Math.max(...limits)).toBeLessThan(5_000);
  goOn();
  await expect.poll(() => dispatchesCounted(), { timeout: 30_000 }).toBe(4);
  await projectors.stop();
});

test("records are in the figures although no notification of them arrives", async () => {
  const deaf = { ...rig.bus, subscribe: () => () => undefined, isCurrent: () => true };
  const projectors = createProjectors({ pool: pool(), bus: deaf, log: createLog("silent"), followers: [] });
  projectors.start();
  for (const counted of [4, 8]) {
    await recordAll(some(4));
    await expect.poll(() => dispatchesCounted(), { timeout: 30_000 }).toBe(counted);
  }
  await projectors.stop();
});
