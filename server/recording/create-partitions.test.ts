import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveryOf, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { createLog } from "../platform/log.ts";
import { ensurePartitionsAhead } from "./create-partitions.ts";
import { createChainPartition } from "./repository.ts";
import { createRecorder } from "./service.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const rows = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await rig.db.owner.query<Row>(sql, values)).rows;
const batches = (workspaceId: string) =>
  rows<{ table: string; seq: number; count: number }>(
    `SELECT tableoid::regclass::text AS table, seq::int, count FROM chain_batch WHERE workspace_id = $1 ORDER BY chain_batch.seq`,
    [workspaceId],
  );
/** The chain goes on from `at`, as after a clock that was wrong. */
const dateHead = (workspaceId: string, at: string) =>
  rows("UPDATE audit_head SET at = $2 WHERE workspace_id = $1", [workspaceId, at]);

describe("the months of the chain", () => {
  test("are made ahead with those of dispatches, by several nodes at once, as the whole table is", async () => {
    const { pool } = rig.db.database;
    const december = Date.parse("2034-12-15T12:00:00Z");
    await Promise.all([1, 2, 3, 4].map(() => ensurePartitionsAhead(pool, december)));
    const found = await rows<{ name: string; bound: string; isWalled: boolean; storage: string; key: string }>(
      `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound, relforcerowsecurity AS "isWalled",
         (SELECT attstorage FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'leaves') AS storage,
         (SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary) AS key
       FROM pg_class WHERE relname ~ '^chain_batch_203[45]_' AND relkind = 'r' ORDER BY 1`,
    );
    expect(found.map(({ name }) => name)).toEqual([
      "chain_batch_2034_12",
      "chain_batch_2035_01",
      "chain_batch_2035_02",
    ]);
    for (const { name, bound, isWalled, storage, key } of found) {
      expect({ isWalled, storage }, name).toEqual({ isWalled: true, storage: "e" });
      expect(key).toContain("(workspace_id, seq, recorded_at)");
      const [year = 0, month = 0] = name.slice(-7).split("_").map(Number);
      const instants = [...bound.matchAll(/'([^']+)'/g)].map(([, instant = ""]) => Date.parse(instant));
      expect(instants, name).toEqual([Date.UTC(year, month - 1), Date.UTC(year, month)]);
    }
  });

  test("are made while somebody reads the chain, and recording waits for neither", async () => {
    const reader = await rig.db.owner.connect();
    try {
      await reader.query("BEGIN");
      await reader.query("SELECT count(*) FROM chain_entry");
      await createChainPartition(rig.db.database.pool, "2036-01");
      expect(await rig.recorder.record(recordOf(rig, "stop", "{}"), false)).toEqual({ kind: "stored" });
    } finally {
      await reader.query("ROLLBACK");
      reader.release();
    }
  });

  test("that are missing are made by the batch that needs them: a chain is dated by what came before", async () => {
    const owner = await rig.addOwner();
    const record = (name: string, body = name) =>
      recordOf(owner, "stop", JSON.stringify({ said: body }), { delivery: deliveryOf(name, body) });
    await rig.recorder.record(record("first"), false);
    await dateHead(owner.workspaceId, "2041-05-31T23:59:59.999999Z");
    // A repeat in the same batch is asked for behind what fails.
    const recorder = createRecorder(rig.db.database.pool, rig.bus, createLog("silent"));
    const recorded = await Promise.all(
      [record("second"), record("first"), record("third"), record("first", "other")].map((one) =>
        recorder.record(one, false),
      ),
    );
    expect(recorded.map(({ kind }) => kind)).toEqual(["stored", "repeated", "stored", "mismatched"]);
    await dateHead(owner.workspaceId, "2041-06-01T00:00:00Z");
    await recorder.record(record("fourth"), false);
    const stored = await batches(owner.workspaceId);
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect(stored.at(1)?.table).toBe("chain_batch_2041_05");
    expect(stored.at(-1)?.table).toBe("chain_batch_2041_06");
  });
});
