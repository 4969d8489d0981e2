import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { LEAF_SQL, leavesIn } from "../audit/leaf.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

interface Leaf {
  readonly batch: string;
  readonly leaf: string;
}

const leaves = async (workspaceId: string) =>
  (
    await rig.db.database.pool.query<Leaf>(
      `SELECT batch, ${LEAF_SQL} AS leaf FROM dispatch WHERE workspace_id = $1 ORDER BY batch, place`,
      [workspaceId],
    )
  ).rows;

/** Every text that could come out of PostgreSQL another than it went in. */
const ODD = [
  '{"a":"plain"}',
  '{"tool_name":"größe 😀","tool_use_id":"","tool_error":true,"reason":"x"}',
  `{"tool_name":"=","session_id":"a\\nb\\u0001"}`,
  '{"session_id":"","agent_name":"\\ud83d\\ude00"}',
];

describe("the leaf of a row", () => {
  test("can be made again from the rows, by PostgreSQL as by us", async () => {
    const owner = await rig.addOwner();
    const events = ["stop", "pre_tool_use", "post_tool_use", "session_end"];
    const records = ODD.flatMap((text) =>
      events.map((event) => recordOf(owner, event, text, { durationUs: 3_000_000_000, answer: { said: "\0\ud800é" } })),
    );
    await Promise.all(records.map((record) => rig.recorder.record(record, false)));
    const stored = await leaves(owner.workspaceId);
    expect(stored).toHaveLength(records.length);
    const { rows } = await rig.db.database.pool.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
      [owner.workspaceId],
    );
    for (const { body } of rows) {
      const entry: { batch: string; count: number; leaves: string } = JSON.parse(body);
      const own = stored.filter(({ batch }) => batch === entry.batch);
      expect(own).toHaveLength(entry.count);
      expect(own.map(({ leaf }) => leaf)).toEqual(leavesIn(entry.leaves, entry.count));
    }
  });

  test("covers every column that a person or a page reads", async () => {
    const { pool } = rig.db.database;
    const record = recordOf(rig, "session_end", '{"tool_name":"shell","reason":"x"}');
    await rig.recorder.record(record, false);
    const { rows } = await pool.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'dispatch'`,
    );
    // What places the row under its digest is checked by being there; the rest is of erased rows.
    const apart = new Set(["batch", "place", "content_sha256", "erased_at"]);
    const other: Record<string, string> = {
      text: "'other'",
      uuid: "'00000000-0000-7000-8000-00000000dead'",
      integer: "4711",
      boolean: "true",
      "timestamp with time zone": "occurred_at + interval '1 millisecond'",
    };
    const leafWith = async (set: string): Promise<string> => {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        if (set !== "") await client.query(`UPDATE dispatch SET ${set} WHERE id = $1`, [record.id]);
        const found = await client.query<{ leaf: string }>(
          `SELECT ${LEAF_SQL} AS leaf FROM dispatch WHERE batch = (SELECT max(batch::text)::uuid FROM dispatch)`,
        );
        return found.rows[0]?.leaf ?? "gone";
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    };
    const original = await leafWith("");
    const uncovered: string[] = [];
    for (const { name, type } of rows) {
      if (!apart.has(name) && (await leafWith(`${name} = ${other[type] ?? "'?'"}`)) === original) uncovered.push(name);
    }
    expect(uncovered).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
  });
});
