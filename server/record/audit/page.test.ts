import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { countOverdue } from "../service.ts";
import { get, list } from "./page.ts";

let rig: RecordingRig;
/** Acts under odd numbers, batches of dispatches under even ones. */
const LAST = 10;
const BATCHES = ["dispatches_recorded"];

beforeAll(async () => {
  rig = await recordingRig();
  for (let seq = 1; seq < LAST; seq += 2) {
    await rig.db.database.prisma.$transaction((tx) =>
      recordAudit(tx, rig.workspaceId, { kind: "policy_deleted", version: 1, by: "ada", policy: `p${seq}`, name: "p" }),
    );
    await rig.recorder.record(recordOf(rig, "stop", "{}"), false);
  }
});
afterAll(() => rig.close());

const range = { from: new Date("2020-01-01T00:00:00Z"), to: new Date("2100-01-01T00:00:00Z") };
async function pages(kind: string[], limit: number): Promise<number[][]> {
  const found: number[][] = [];
  for (let cursor: number | null = null; ; ) {
    const filters = { kind, actor: [], target: [] };
    const page = await list(rig.db.database, rig.workspaceId, { range, filters, limit, cursor });
    found.push(page.rows.map(({ seq }) => seq));
    if (page.next === null) return found;
    cursor = page.next;
  }
}

describe("the audit page", () => {
  test("shows acts, and batches when they are asked for, in the order of their numbers, page by page", async () => {
    expect(await pages([], 2)).toEqual([[9, 7], [5, 3], [1]]);
    expect(await pages(BATCHES, 4)).toEqual([[10, 8, 6, 4], [2]]);
    expect(await pages([...BATCHES, "policy_deleted"], 3)).toEqual([[10, 9, 8], [7, 6, 5], [4, 3, 2], [1]]);
  });

  test("names the batches that a list without a filter leaves out, page by page, so that no number is missing", async () => {
    const filters = { kind: [], actor: [], target: [] };
    const first = await list(rig.db.database, rig.workspaceId, { range, filters, limit: 2, cursor: null });
    expect(first.batches).toMatchObject([
      { from: 10, to: 10, batches: 1, dispatches: 1 },
      { from: 8, to: 8 },
    ]);
    const rest = await list(rig.db.database, rig.workspaceId, { range, filters, limit: 10, cursor: first.next });
    const numbers = [first, rest]
      .flatMap(({ rows, batches }) => [...rows, ...batches])
      .flatMap((one) =>
        "from" in one && "to" in one
          ? Array.from({ length: one.to - one.from + 1 }, (_, at) => one.from + at)
          : [one.seq],
      );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LAST }, (_, at) => at + 1));
    const filtered = { ...filters, kind: ["policy_deleted"] };
    const page = await list(rig.db.database, rig.workspaceId, { range, filters: filtered, limit: 10, cursor: null });
    expect(page.batches).toEqual([]);
  });

  test("opens a batch between the acts around it", async () => {
    const { database } = rig.db;
    const [batch, act] = [await get(database, rig.workspaceId, 6), await get(database, rig.workspaceId, 7)];
    expect(batch).toMatchObject({ kind: "dispatches_recorded", holds: true, actor: null, target: null, changes: null });
    expect(batch.body).toMatchObject({ count: 1, version: 3 });
    expect(batch.neighbours.map(({ seq, kind }) => [seq, kind])).toEqual([
      [5, "policy_deleted"],
      [7, "policy_deleted"],
    ]);
    expect(act).toMatchObject({ holds: true, previous: batch.hash });
  });

  test("counts a batch that no checkpoint vouches for in time", async () => {
    const { pool } = rig.db.database;
    const inAnHour = new Date(Date.now() + 3_600_000);
    expect(await countOverdue(pool, rig.workspaceId, new Date())).toBe(0);
    const vouch = (seq: number) =>
      rig.db.owner.query(
        "INSERT INTO audit_checkpoint (workspace_id, seq, hash, at, key_id, signature) VALUES ($1, $2, '', '', '', '')",
        [rig.workspaceId, seq],
      );
    await vouch(5);
    expect(await countOverdue(pool, rig.workspaceId, inAnHour)).toBe(LAST - 5);
    await vouch(LAST);
    expect(await countOverdue(pool, rig.workspaceId, inAnHour)).toBe(0);
  });
});
