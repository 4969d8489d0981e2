import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { canonicalJson, entryHashOf, FIRST_HASH } from "../audit/chain.ts";
import { type AuditEntry, auditEntry } from "../audit/entries.ts";
import { LEAF_SQL, splitLeaves } from "../audit/leaf.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { STORED_ENTRY_COLUMNS, type StoredRow, toChainedEntry } from "../audit/stored-entries.ts";

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
      "SELECT body FROM chain_entry WHERE workspace_id = $1 ORDER BY seq",
      [owner.workspaceId],
    );
    for (const { body } of rows) {
      const entry: { batch: string; count: number; leaves: string } = JSON.parse(body);
      const own = stored.filter(({ batch }) => batch === entry.batch);
      expect(own).toHaveLength(entry.count);
      expect(own.map(({ leaf }) => leaf)).toEqual(splitLeaves(entry.leaves, entry.count));
      // Put together from columns, it is the canonical text of an entry as any other.
      expect(body).toBe(canonicalJson(auditEntry.parse(entry)));
    }
  });

  test("is numbered and hashed as an entry among the acts would be", async () => {
    const owner = await rig.addOwner();
    const record = (at: string) =>
      rig.recorder.record(recordOf(owner, "stop", "{}", { occurredAt: new Date(at) }), false);
    const act: AuditEntry = { kind: "workspace_created", version: 1, by: "test", name: "x" };
    const append = () => rig.db.database.prisma.$transaction((tx) => recordAudit(tx, owner.workspaceId, act));
    await append();
    await record("2026-11-22T10:00:00.007Z");
    await append();
    await record("0999-01-01T00:00:00.000Z");
    const { rows } = await rig.db.database.pool.query<StoredRow>(
      `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry WHERE workspace_id = $1 ORDER BY chain_entry.seq`,
      [owner.workspaceId],
    );
    let previous = FIRST_HASH;
    for (const entry of rows.map(toChainedEntry)) {
      expect(entryHashOf(entry, previous)).toBe(entry.hash);
      previous = entry.hash;
    }
    expect(rows.map(({ seq, kind }) => [seq, kind])).toEqual([
      ["1", "workspace_created"],
      ["2", "dispatches_recorded"],
      ["3", "workspace_created"],
      ["4", "dispatches_recorded"],
    ]);
    expect(JSON.parse(rows[1]?.body ?? "")).toMatchObject({ earliest: "2026-11-22T10:00:00.007Z", count: 1 });
    expect(JSON.parse(rows[3]?.body ?? "")).toMatchObject({ latest: "0999-01-01T00:00:00.000Z" });
  });

  test("and its batch are not written for a workspace without a chain", async () => {
    const { workspaceId } = await rig.addOwner();
    await rig.db.owner.query("DELETE FROM audit_head WHERE workspace_id = $1", [workspaceId]);
    const nobodys = recordOf({ ...rig, workspaceId }, "stop", "{}");
    await expect(rig.recorder.record(nobodys, false)).rejects.toMatchObject({ code: "unrecorded" });
    expect(await leaves(workspaceId)).toEqual([]);
  });

  test("covers every column that a person or a page reads", async () => {
    const { pool } = rig.db.database;
    const record = recordOf(rig, "session_end", '{"tool_name":"shell","reason":"x"}');
    await rig.recorder.record(record, false);
    const { rows } = await pool.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'dispatch'`,
    );
    // The columns that place the row under its digest are checked by being there; the rest is of erased rows.
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
